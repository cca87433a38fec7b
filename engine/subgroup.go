package engine

import (
	"fmt"

	"vyretop/engine/glsl"
	"vyretop/engine/glsl/emit"
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

// InOneRow returns a program with subgroups whose invocations lie along x, in the order of gl_LocalInvocationIndex: so neighbors by
// that index are neighbors of a device whose vectors end with a row. Others, and one without a tree, are returned
// as they are.
func (p *Program) InOneRow() *Program {
	size := p.WorkgroupSize
	if p.Subgroup() <= 1 || size[1]*size[2] == 1 {
		return p
	}
	q, t := *p, *p.Tree
	t.Shape, t.LocalSize = size, [3]uint32{size[0] * size[1] * size[2], 1, 1}
	q.Tree, q.WorkgroupSize = &t, t.LocalSize
	q.Text = withHeader(emit.Text(&t, textDevice).Text, p.header)
	return &q
}
