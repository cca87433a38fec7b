package engine

import (
	"fmt"

	"vyretop/engine/glsl"
)

// Subgroup is how many invocations a subgroup of the program has, 0 where it has none.
func (p *Program) Subgroup() int {
	if p.Tree == nil {
		return 0
	}
	return p.Tree.Subgroup
}

// WithSubgroup compiles p again with subgroups of n invocations, a power of two up to glsl.MaxSubgroup. A program that has no
// subgroups, or is not known as a text, is returned as it is.
func (p *Program) WithSubgroup(n int) (*Program, error) {
	if !glsl.ValidSubgroup(n) {
		return nil, &Error{
			Code: CodeInvalidProgram, Op: "compile " + quoted(p.Name),
			Detail: fmt.Sprintf("a subgroup cannot have %d invocations", n), Fix: fmt.Sprintf("use a power of two, at most %d", glsl.MaxSubgroup),
		}
	}
	if p.Subgroup() == 0 || p.Subgroup() == n || p.origin == nil {
		return p, nil
	}
	o := p.origin.options
	o.Subgroup = n
	if p.WorkgroupSize != [3]uint32{} && !p.FixedWorkgroup {
		o.LocalSize = p.WorkgroupSize
	}
	q, _, err := CompileProgram(p.Name, p.origin.file, o)
	return q, err
}
