package conformance

import (
	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
)

// Case is one kernel and everything it reads.
type Case struct {
	Name    string // "builtin.min(vec3,float)"; the part before the first dot is its family
	Text    string // GLSL
	Grid    [3]uint32
	Buffers []Buffer // one for each block of the kernel
	MayFail bool     // the kernel need not run: the backends may also fail, in the same way

	// Config is the rest of the policy: its label and grid are taken from the case. Kernel files and
	// workers leave it out.
	Config engine.DispatchConfig `json:"-"`
}

// Buffer is what one storage block holds when the kernel starts.
type Buffer struct {
	Binding uint32
	Words   []uint32
}

// ErrCase is matched by the error of a case that cannot be run at all: its text does not compile, or
// its buffers do not fit the text. Such an error is about the case and not about a backend.
const ErrCase fault.Kind = "the case cannot be run"

// failed says what is wrong with the case.
func (c *Case) failed(cause error) error {
	return &fault.Error{Kind: ErrCase, Subject: "case " + c.Name, Detail: ErrCase.Error(), Cause: cause}
}

// Compile translates the kernel. The error matches ErrCase.
func (c *Case) Compile() (*engine.Program, error) {
	p, _, err := engine.CompileProgram(c.Name, &source.File{Name: c.Name, Text: c.Text}, glsl.Options{})
	switch {
	case err != nil:
		return nil, c.failed(err)
	case p.Tree == nil:
		return nil, c.failed(p.Outside)
	}
	return p, nil
}
