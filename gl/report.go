package gl

import "vyretop/engine"

// Report is what Doctor found.
type Report struct {
	Devices []DeviceReport `json:"devices"`
}

// DeviceReport tells whether one device can be used, and all that was measured on it.
type DeviceReport struct {
	Info     DeviceInfo            `json:"info"`
	Usable   bool                  `json:"usable"`
	Error    string                `json:"error,omitempty"`         // why it is not usable, with its fix
	OpenMs   float64               `json:"open_ms"`                 // time to open it, probes included
	Cache    string                `json:"program_cache,omitempty"` // directory of linked programs; absent when none are kept
	Profile  *engine.DeviceProfile `json:"profile,omitempty"`
	Memory   []Memory              `json:"memory,omitempty"`
	Messages []Message             `json:"messages,omitempty"` // of the driver and the probes
}
