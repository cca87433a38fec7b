package glsl

import (
	"slices"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// uniformBlock is the name of the block that holds the uniforms declared outside blocks.
const uniformBlock = "uniforms"

// declareUniform declares one uniform outside blocks, after its name. All of them are members of one block that the kernel only
// reads, laid out by std430.
func declareUniform(p *parser, q qualifiers, base *tree.Type, pos source.Pos, name source.Token) {
	t := p.applyDimensions(base, p.dimensions(), pos)
	var init tree.Expr
	if p.accept("=") {
		init = p.initializer(t, "the initializer of "+name.Text)
	}
	t = p.variableType(t, init, name)
	if p.recovering || t == brokenType || init != nil && isBroken(init) {
		p.declareBroken(name)
		return
	}
	var value *tree.Const
	if init != nil {
		if value = constant(init); value == nil {
			p.notConstant(init, "the initializer of a uniform")
		}
	}
	addUniform(p, tree.Member{Name: name.Text, Type: t, Pos: name.Pos}, value)
}

// addUniform adds a member to the block of the uniforms.
func addUniform(p *parser, m tree.Member, value *tree.Const) {
	if p.layout.own == nil {
		p.layout.own = &tree.Buffer{Name: uniformBlock, Binding: freeBinding, Uniform: true, Default: true, Memory: tree.ReadOnly, Block: &tree.Struct{}, Pos: m.Pos}
		p.addBuffer(p.layout.own)
	}
	b := p.layout.own
	at := len(b.Block.Members)
	b.Block = tree.NewBlock(uniformBlock, append(b.Block.Members, m), tree.Layout{}, b.Pos)
	if value != nil {
		b.Initial = append(b.Initial, tree.Initial{Member: at, Value: value})
	}
	declareMembers(p, b, at)
}

// assignBindings gives each block a binding of its own. A storage block keeps the one it is written with, and so does
// any other block that is the only one with it; the rest take the lowest numbers that no block is written with, in the
// order of their declarations.
func assignBindings(p *parser) {
	written := map[int]bool{}
	for _, b := range p.prog.Buffers {
		written[b.Binding] = true
	}
	taken := map[int]*tree.Buffer{}
	open := keepBindings(p, taken, false, p.prog.Buffers)
	open = keepBindings(p, taken, true, open)
	next := 0
	for _, b := range open {
		for written[next] {
			next++
		}
		b.Binding = next
		next++
	}
}

// keepBindings lets storage blocks, or uniform blocks and images, keep their bindings where they are the first to have them, and returns the others.
func keepBindings(p *parser, taken map[int]*tree.Buffer, uniform bool, list []*tree.Buffer) []*tree.Buffer {
	return slices.DeleteFunc(slices.Clone(list), func(b *tree.Buffer) bool {
		other := taken[b.Binding]
		switch {
		case (b.Uniform || b.Image != nil) != uniform || b.Binding == freeBinding:
			return false
		case other == nil:
			taken[b.Binding] = b
			return true
		case other.Uniform == b.Uniform && other.Set == b.Set && b.Image == nil && other.Image == nil:
			p.outside(b.Pos, "binding", "give each block its own binding", "the blocks %s and %s share binding %d", other.Name, b.Name, b.Binding)
		}
		return false
	})
}

// storageBlocks are the blocks that a caller binds. Of a kernel outside the kernel language, whose own text a driver gets,
// these are the storage blocks that are written with a binding.
func storageBlocks(p *parser, outside bool) []*tree.Buffer {
	if !outside {
		return p.prog.Buffers
	}
	return slices.DeleteFunc(slices.Clone(p.prog.Buffers), func(b *tree.Buffer) bool { return b.Uniform || b.Image != nil || b.Binding == freeBinding })
}
