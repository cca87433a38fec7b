package gl

import (
	"os/exec"
	"strconv"
)

// AutoDevice as Options.Device picks the first device that works, hardware before software.
const AutoDevice = -1

// The kinds of context.
const (
	ContextEGL  = "egl"  // no display needed
	ContextGLFW = "glfw" // a hidden window on the running display; needs the build tag glfw
)

// Options choose and shape a backend.
type Options struct {
	Device       int    // index in the list that Devices returns, or AutoDevice; ignored with ContextGLFW
	Context      string // ContextEGL (also "") or ContextGLFW
	Debug        bool   // debug context, debug groups, glGetError after each call
	ProgramCache string // directory that keeps linked programs for later processes, or NoProgramCache; "" see ProgramCacheVariable
	SkipProbes   bool   // leave everything that needs a kernel out of the profile

	// Apart makes the command of a process that calls CompileTexts with the same device and its standard input, for CompileApart.
	// nil: programs are compiled in this process only.
	Apart func() *exec.Cmd
}

// DeviceInfo is what is known of a device before a context is opened on it.
type DeviceInfo struct {
	Index    int    `json:"index"`
	Platform string `json:"platform"`           // "device", "surfaceless" or "default"
	Name     string `json:"name,omitempty"`     // where the device tells it
	DRMNode  string `json:"drm_node,omitempty"` // "/dev/dri/card0"
	Software bool   `json:"software"`           // the device says that it is one; false where it does not say
}

// GPU reports whether it is hardware that was found by itself, and not a platform's own choice.
func (d DeviceInfo) GPU() bool { return d.Platform == "device" && !d.Software }

// Label names the device the same way on each run: "egl:device/0 /dev/dri/card0".
func (d DeviceInfo) Label() string {
	s := "egl:" + d.Platform
	if d.Platform == "device" {
		s += "/" + strconv.Itoa(d.Index)
	}
	switch {
	case d.DRMNode != "":
		s += " " + d.DRMNode
	case d.Software:
		s += " software"
	}
	return s
}
