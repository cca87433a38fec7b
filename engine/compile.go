package engine

import (
	"errors"
	"slices"

	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// CompileProgram preprocesses, parses and checks a kernel text and returns it ready for any
// backend. A text that is malformed is an ErrInvalidProgram whose cause is a source.Diagnostics. A
// text that is only outside the kernel language gives a Program without Tree: a driver may run it,
// and Outside says why the reference backend will not.
func CompileProgram(name string, f *source.File, o glsl.Options) (*Program, source.Diagnostics, error) {
	unit, err := glsl.Compile(f, o)
	var diags source.Diagnostics
	if err != nil && !errors.As(err, &diags) {
		return nil, nil, err
	}
	if unit == nil {
		return nil, nil, &Error{
			Code: CodeInvalidProgram, Op: "compile " + quoted(name), Log: diags.Errors().Error(),
			Fix: "correct the lines named above", Err: diags,
		}
	}
	p := &Program{
		Name: name, Text: unit.Text, LinePos: unit.Lines.Pos, Formats: unit.Formats,
		Tree: unit.Program, Outside: diags.Errors(),
	}
	if unit.Program != nil {
		p.WorkgroupSize = unit.Program.LocalSize
		p.Buffers = bufferSpecs(unit.Program)
	}
	return p, unit.Warnings, nil
}

func quoted(s string) string { return `"` + s + `"` }

func bufferSpecs(t *tree.Program) []BufferSpec {
	specs := make([]BufferSpec, len(t.Buffers))
	for i, b := range t.Buffers {
		specs[i] = BufferSpec{Name: b.Name, Binding: uint32(b.Binding), Access: accessOf(b), MinWords: minWords(b)}
	}
	slices.SortFunc(specs, func(a, b BufferSpec) int { return int(a.Binding) - int(b.Binding) })
	return specs
}

func accessOf(b *tree.Buffer) Access {
	switch {
	case b.Memory.Has(tree.ReadOnly):
		return ReadOnly
	case b.Memory.Has(tree.WriteOnly):
		return WriteOnly
	}
	return ReadWrite
}

// minWords is the fixed part of a block plus one element of its runtime array.
func minWords(b *tree.Buffer) int {
	size := b.Block.Size()
	if m := b.RuntimeArray(); m != nil {
		size = m.Offset + m.Type.Stride()
	}
	return max(1, (size+3)/4)
}
