//go:build cgo && egl

package glapi

import (
	"unsafe"

	"vyretop/gl/internal/glapi/core"
)

// What a label can be put on (KHR_debug).
const (
	LabelBuffer  uint32 = core.BUFFER
	LabelProgram uint32 = core.PROGRAM
)

// maxLabel keeps labels below the least GL_MAX_LABEL_LENGTH and debug message length (256, 1024).
const maxLabel = 200

// Message is one debug message of the driver.
type Message struct {
	Source, Type, Severity, ID uint32
	Text                       string
}

// EnableDebug lets the driver report everything into its message log.
func (a *API) EnableDebug() {
	core.Enable(core.DEBUG_OUTPUT)
	core.DebugMessageControl(core.DONT_CARE, core.DONT_CARE, core.DONT_CARE, 0, nil, true)
	a.after("glDebugMessageControl")
}

// Label names an object for debuggers and messages.
func (a *API) Label(kind, h uint32, name string) {
	name = name[:min(len(name), maxLabel)]
	core.ObjectLabel(kind, h, int32(len(name)), unsafe.StringData(name))
	a.after("glObjectLabel")
}

// PushGroup opens a debug group; everything until PopGroup belongs to it.
func (a *API) PushGroup(name string) {
	n := copy(a.group[:], name)
	core.PushDebugGroup(core.DEBUG_SOURCE_APPLICATION, 0, int32(n), &a.group[0])
	a.after("glPushDebugGroup")
}

// PopGroup closes the innermost debug group.
func (a *API) PopGroup() {
	core.PopDebugGroup()
	a.after("glPopDebugGroup")
}

// NextMessage takes the oldest message from the driver's log. We read the log instead of installing
// a callback: a callback would enter Go from a driver's thread, and its panics would cross C.
func (a *API) NextMessage() (Message, bool) {
	var m Message
	var length int32
	buf := make([]byte, 4096)
	n := core.GetDebugMessageLog(1, int32(len(buf)), &m.Source, &m.Type, &m.ID, &m.Severity, &length, &buf[0])
	a.after("glGetDebugMessageLog")
	if n == 0 {
		return Message{}, false
	}
	m.Text = string(buf[:max(0, length-1)])
	return m, true
}
