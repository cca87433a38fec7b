package engine

import (
	"errors"
	"slices"

	"vyretop/engine/glsl"
	"vyretop/engine/glsl/emit"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// CompileProgram preprocesses, parses and checks a kernel text and returns it ready for any
// backend. A text that is malformed is an ErrInvalidProgram whose cause is a source.Diagnostics. A
// text that is only outside the kernel language gives a Program without Tree: a driver may run it,
// and Outside says why the reference backend will not. WorkgroupSize is zero then, and Buffers lacks
// blocks, where the text says them in a way that only the driver understands: the program of a compiled
// Pipeline is complete. With Options.TreeOnly a Program with a Tree has no Text and no Fingerprint of its own: it is for the interpreter's steps only.
func CompileProgram(name string, f *source.File, o glsl.Options) (*Program, source.Diagnostics, error) {
	front := o
	front.TreeOnly = true // emit writes the text of a tree
	unit, err := glsl.Compile(f, front)
	var diags source.Diagnostics
	if err != nil && !errors.As(err, &diags) {
		return nil, nil, err
	}
	if unit == nil {
		return nil, nil, &Error{
			Code: CodeInvalidProgram, Op: "compile " + quoted(name), Err: diags, // each says its own fix
		}
	}
	p := &Program{
		Name: name, Text: unit.Text, LinePos: unit.Lines.Pos, Formats: unit.Formats, Files: unit.Files,
		Tree: unit.Program, Outside: diags.Errors(),
		FixedWorkgroup: unit.FixedLocalSize, origin: &origin{f, o},
		WorkgroupSize: unit.LocalSize, Buffers: bufferSpecs(unit.Buffers),
	}
	if unit.Program != nil && !o.TreeOnly {
		out := emit.Text(unit.Program, textDevice)
		p.Text, p.LinePos, p.usesFloats, p.usesDoubles, p.usesElements, p.Shared = out.Text, out.Lines.Pos, out.Floats, out.Doubles, out.Elements, out.Shared
	}
	return p, unit.Warnings, nil
}

// CompileText is CompileProgram for a text that needs no files and no options.
func CompileText(name, text string) (*Program, error) {
	p, _, err := CompileProgram(name, &source.File{Name: name, Text: text}, glsl.Options{})
	return p, err
}

func quoted(s string) string { return `"` + s + `"` }

func bufferSpecs(blocks []*tree.Buffer) []BufferSpec {
	specs := make([]BufferSpec, len(blocks))
	for i, b := range blocks {
		specs[i] = BufferSpec{Name: b.Name, Binding: uint32(b.Binding), Access: accessOf(b), MinWords: minWords(b), Uniform: b.Uniform}
		specs[i].describeElements(b)
	}
	slices.SortFunc(specs, func(a, b BufferSpec) int { return int(a.Binding) - int(b.Binding) })
	return specs
}

// describeElements finds the elements of a block: of the array at its end, or the block as one.
func (s *BufferSpec) describeElements(b *tree.Buffer) {
	last := b.Block.Members[len(b.Block.Members)-1]
	if !last.Type.IsArray() {
		s.Element, s.Count, s.StrideWords = b.Name, 1, max(1, b.Block.Size()/4)
		return
	}
	s.Element, s.HeadWords, s.StrideWords = last.Type.Elem.String(), last.Offset/4, last.Type.Stride()/4
	if stride := last.Type.Stride(); stride%4 != 0 || last.Offset%4 != 0 {
		s.HeadBytes, s.StrideBytes = last.Offset, stride
	}
	if last.Type.Class == tree.ClassArray {
		s.Count = last.Type.Len
	}
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
