package gl

import "vyretop/engine"

// Repeat says what Backend.TimeDispatches repeats: the host's own work, one dispatch, and the wait for
// its fence.
type Repeat struct {
	Pipeline engine.Pipeline
	Bindings []engine.Binding
	Config   engine.DispatchConfig // without Timeout: the kernel must end by itself
	Prepare  func(i int)           // host's work before dispatch i, part of the time; may be nil
}

// Memory is what reaching one class of buffer costs, from both sides. What cannot be done or was not
// measured is absent.
type Memory struct {
	Class       string `json:"class"`     // the class asked for
	Placement   string `json:"placement"` // the class it got
	HostRead    Access `json:"host_read"`
	HostWrite   Access `json:"host_write"`
	DeviceRead  Access `json:"device_read"`
	DeviceWrite Access `json:"device_write"`
	// RoundTripNs is the median time from a store of the host to the echo of a running kernel.
	RoundTripNs engine.Optional[float64] `json:"round_trip_ns,omitzero"`
}

// Access is the cost of one way to reach memory.
type Access struct {
	// NsPerWord is the time of one access to a word that waits for the one before.
	NsPerWord engine.Optional[float64] `json:"ns_per_word,omitzero"`
	// MBPerS is the rate of a copy of many words, in 10^6 bytes a second.
	MBPerS engine.Optional[float64] `json:"mb_per_s,omitzero"`
}
