package generate

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/conformance"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// arrayBlocks is how many blocks an array of blocks has.
const arrayBlocks = 2

// makeUniforms declares what the host gives: a uniform block of either order of matrices, an array of blocks, push constants, and
// uniforms outside of blocks. All members can be read everywhere. The last two have no binding of their own: open has the words of each, in
// the order in which they are declared.
func makeUniforms(g *generator) (text string, buffers []conformance.Buffer, open [][]uint32) {
	g.optional(3, func() {
		l := tree.Layout{Std140: true, RowMajor: g.t.below(2) == 1}
		block := makeBlock(g, l, "")
		text = fmt.Sprintf("layout(std140, %s, binding = %d) uniform Given {%s };\n", order(l), bindingUniforms, memberList(block.Members))
		buffers = append(buffers, conformance.Buffer{Binding: bindingUniforms, Words: g.input(wordsOf(block))})
	})
	g.optional(2, func() {
		l := tree.Layout{Std140: g.t.below(2) == 0, RowMajor: g.t.below(2) == 1}
		kind := "std140, %s, binding = %d) uniform"
		if !l.Std140 {
			kind = "std430, %s, binding = %d) readonly buffer"
		}
		block := makeBlock(g, l, "pairs[%d].")
		text += fmt.Sprintf("layout("+kind+" Pair {%s } pairs[%d];\n", order(l), bindingPairs, memberList(block.Members), arrayBlocks)
		for i := range uint32(arrayBlocks) {
			buffers = append(buffers, conformance.Buffer{Binding: bindingPairs + i, Words: g.input(wordsOf(block))})
		}
	})
	g.optional(2, func() {
		block := makeBlock(g, tree.Layout{}, "push.")
		text += fmt.Sprintf("layout(push_constant) uniform Push {%s } push;\n", memberList(block.Members))
		open = append(open, g.input(wordsOf(block)))
	})
	g.optional(2, func() {
		block := makeBlock(g, tree.Layout{}, "")
		for _, m := range block.Members {
			text += fmt.Sprintf("uniform %s %s;\n", m.Type, m.Name)
		}
		open = append(open, g.input(wordsOf(block)))
	})
	return text, buffers, open
}

// order is the word of a layout for the order of its matrices.
func order(l tree.Layout) string {
	if l.RowMajor {
		return "row_major"
	}
	return "column_major"
}

// makeBlock decides for the members of a block. Those of each block of an array, named with %d in the prefix, can be read.
func makeBlock(g *generator, l tree.Layout, prefix string) *tree.Struct {
	var members []tree.Member
	for range 1 + g.t.below(3) {
		t := g.storable()
		switch g.t.below(4) {
		case 2:
			t = tree.ArrayOf(t, 1+g.t.below(3))
		case 3:
			t = anyMatrix(g)
		}
		name := g.fresh("c")
		members = append(members, tree.Member{Name: name, Type: t})
		names := []string{prefix + name}
		if strings.Contains(prefix, "%d") {
			names = names[:0]
			for i := range arrayBlocks {
				names = append(names, fmt.Sprintf(prefix, i)+name)
			}
		}
		for _, name := range names {
			g.globals = append(g.globals, &variable{name: name, t: t, constant: true})
		}
	}
	return tree.NewBlock("Given", members, l, source.Pos{})
}

// wordsOf is how many words a block takes.
func wordsOf(block *tree.Struct) int { return (block.Size() + 3) / 4 }

// bindOpen gives blocks without a binding the lowest ones that no block is written with, as the front end does.
func bindOpen(buffers []conformance.Buffer, open [][]uint32) []conformance.Buffer {
	next := uint32(0)
	written := slices.Clone(buffers)
	for _, words := range open {
		for slices.ContainsFunc(written, func(b conformance.Buffer) bool { return b.Binding == next }) {
			next++
		}
		buffers = append(buffers, conformance.Buffer{Binding: next, Words: words})
		next++
	}
	return buffers
}
