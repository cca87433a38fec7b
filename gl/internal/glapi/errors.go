package glapi

import "fmt"

// CallError is an error that the OpenGL implementation recorded.
type CallError struct {
	Call string // the call that failed in strict mode, else the operation during which it was recorded
	Code uint32 // as glGetError returned it
}

// The codes of glGetError that callers decide on.
const (
	OutOfMemory uint32 = 0x0505
	ContextLost uint32 = 0x0507
)

var errorNames = map[uint32]string{
	0x0500: "GL_INVALID_ENUM", 0x0501: "GL_INVALID_VALUE", 0x0502: "GL_INVALID_OPERATION",
	0x0503: "GL_STACK_OVERFLOW", 0x0504: "GL_STACK_UNDERFLOW", OutOfMemory: "GL_OUT_OF_MEMORY",
	0x0506: "GL_INVALID_FRAMEBUFFER_OPERATION", ContextLost: "GL_CONTEXT_LOST",
}

// Error renders "glNamedBufferStorage: GL_OUT_OF_MEMORY".
func (e *CallError) Error() string {
	if name, ok := errorNames[e.Code]; ok {
		return e.Call + ": " + name
	}
	return fmt.Sprintf("%s: error 0x%04x", e.Call, e.Code)
}
