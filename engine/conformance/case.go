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

// caseError says what is wrong with a case.
type caseError struct {
	name  string
	cause error
}

func (e *caseError) Error() string {
	return "case " + e.name + ": " + ErrCase.Error() + ": " + e.cause.Error()
}

func (e *caseError) Unwrap() []error { return []error{ErrCase, e.cause} }

// Compile translates the kernel. The error matches ErrCase.
func (c *Case) Compile() (*engine.Program, error) {
	p, _, err := engine.CompileProgram(c.Name, &source.File{Name: c.Name, Text: c.Text}, glsl.Options{})
	switch {
	case err != nil:
		return nil, &caseError{c.Name, err}
	case p.Tree == nil:
		return nil, &caseError{c.Name, p.Outside}
	}
	return p, nil
}
