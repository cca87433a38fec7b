package glsl

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// layoutState is what layout declarations without a variable have set.
type layoutState struct {
	localSize [3]uint32
	sized     bool // localSize was declared
	buffers   blockDefaults
	uniforms  blockDefaults

	own  *tree.Buffer    // the block of the uniforms outside blocks, or nil
	spec map[uint32]bool // specialization constants declared
}

// blockDefaults is the layout of blocks that do not say theirs.
type blockDefaults struct {
	packing string // "" when none was declared
	major   tree.Major
}

// blockLayout is what the qualifiers of a block say.
type blockLayout struct {
	layout  tree.Layout
	binding int // or freeBinding
	set     int
}

// freeBinding is the binding of a block that leaves it open; see assignBindings.
const freeBinding = -1

// maxBlockArray bounds the blocks of one array of blocks.
const maxBlockArray = 64

// block parses a block after its qualifiers (GLSL 4.50 section 4.3.9): "Name { members } instance[n];".
func (p *parser) block(q qualifiers) {
	name := p.ident("the name of a block")
	members, laidOut := p.memberList(blockMember)
	instance, count := source.Token{}, unsized
	if isKeyword(p.tok().Text) {
		p.expect(";")
	} else if !p.is(";") {
		instance = p.ident("the instance name of a block")
		if p.is("[") {
			count, laidOut = blockCount(p, laidOut)
		}
	}
	p.expect(";")
	says, ok := p.blockQualifiers(q, name)
	if !ok || !laidOut || p.recovering {
		brokenBlock(p, name, instance, members)
		return
	}
	b := &tree.Buffer{Name: name.Text, Instance: instance.Text, Binding: says.binding, Set: says.set, Memory: q.memory, Pos: name.Pos}
	b.Block, b.Layout = blockOf(name, members, says.layout)
	if q.storage == "uniform" {
		b.Uniform, b.Memory = true, tree.ReadOnly
	}
	if !checkBlock(p, b) {
		brokenBlock(p, name, instance, members)
		return
	}
	addBlock(p, name, instance, b, count)
}

// blockOf lays out the members of a block. A scalar layout that lies as std430 does is that.
func blockOf(name source.Token, members []tree.Member, l tree.Layout) (*tree.Struct, tree.Layout) {
	if !l.Scalar {
		return tree.NewBlock(name.Text, members, l, name.Pos), l
	}
	plain := l
	plain.Scalar = false
	asStd430, scalar := tree.NewBlock(name.Text, slices.Clone(members), plain, name.Pos), tree.NewBlock(name.Text, members, l, name.Pos)
	if (&tree.Type{Class: tree.ClassStruct, Struct: asStd430}).SameLayout(&tree.Type{Class: tree.ClassStruct, Struct: scalar}) {
		return asStd430, plain
	}
	return scalar, l
}

// brokenBlock declares the names of a block that was refused.
func brokenBlock(p *parser, name, instance source.Token, members []tree.Member) {
	p.declareBroken(name)
	p.declareBroken(instance)
	for i := range members {
		if instance.Text == "" {
			p.declareBroken(source.Token{Text: members[i].Name, Pos: members[i].Pos})
		}
	}
}

// blockCount parses the size of an array of blocks.
func blockCount(p *parser, laidOut bool) (n int, good bool) {
	pos := p.pos()
	dims := p.dimensions()
	if len(dims) == 1 && dims[0].n != unsized && dims[0].n <= maxBlockArray {
		return dims[0].n, laidOut
	}
	p.outside(pos, "block array", fmt.Sprintf("declare one dimension of at most %d", maxBlockArray), "this array of blocks is outside the kernel language")
	return 1, false
}

// checkBlock checks what only the laid out members show.
func checkBlock(p *parser, b *tree.Buffer) bool {
	for i := range b.Block.Members {
		m := &b.Block.Members[i]
		switch {
		case b.Uniform && m.Type.Class == tree.ClassRuntimeArray:
			p.malformed(m.Pos, m.Name, "write its size, or use a buffer block", "the unsized array %q is in a uniform block", m.Name)
			return false
		case m.Place.Offset > 0 && m.Offset != m.Place.Offset:
			p.malformed(m.Pos, m.Name, fmt.Sprintf("use offset = %d, or a later one that its type allows", m.Offset), "the offset %d of %q is taken, or its type cannot lie there", m.Place.Offset, m.Name)
			return false
		}
	}
	return true
}

// addBlock declares the names that a block brings. Those of an array of blocks are blocks of their own, at consecutive
// bindings.
func addBlock(p *parser, name, instance source.Token, b *tree.Buffer, count int) {
	p.declare(name, &symbol{kind: symBlock, buffer: b})
	if count == unsized {
		p.addBuffer(b)
		if instance.Text != "" {
			p.declare(instance, &symbol{kind: symInstance, buffer: b})
			return
		}
		declareMembers(p, b, 0)
		return
	}
	s := &symbol{kind: symInstance, buffer: b}
	for i := range count {
		one := *b
		one.Name, one.Instance = fmt.Sprintf("%s[%d]", b.Name, i), fmt.Sprintf("%s[%d]", b.Instance, i)
		if one.Binding != freeBinding {
			one.Binding += i
		}
		s.buffers = append(s.buffers, &one)
		p.addBuffer(&one)
	}
	p.declare(instance, s)
}

func (p *parser) addBuffer(b *tree.Buffer) {
	b.ID = len(p.prog.Buffers)
	p.prog.Buffers = append(p.prog.Buffers, b)
}

// declareMembers declares the members of a block without instance name, from one on.
func declareMembers(p *parser, b *tree.Buffer, from int) {
	for i := from; i < len(b.Block.Members); i++ {
		m := &b.Block.Members[i]
		p.declare(source.Token{Text: m.Name, Pos: m.Pos}, &symbol{kind: symMember, buffer: b, member: i})
	}
}

// blockQualifiers checks the qualifiers of a block.
func (p *parser) blockQualifiers(q qualifiers, name source.Token) (says blockLayout, ok bool) {
	if outsideQualifiers[q.storage] || !p.blockStorage(q, name) {
		return says, false
	}
	defaults, push := p.layout.buffers, false
	if q.storage == "uniform" {
		defaults = p.layout.uniforms
	}
	says.binding, ok = freeBinding, true
	for _, id := range q.layout {
		switch {
		case id.name == "binding" || id.name == "set":
			n, good := p.binding(id)
			if ok = ok && good; id.name == "binding" {
				says.binding = n
			} else {
				says.set = n
			}
		case takesPacking(p, id.name):
			defaults.packing = id.name
		case id.name == "row_major":
			defaults.major = tree.MajorRow
		case id.name == "column_major":
			defaults.major = tree.MajorColumn
		case id.name == "push_constant" && q.storage == "uniform":
			push = true
		default:
			fix := "write layout(std430, binding = N)"
			if id.name == scalarPacking {
				fix = "write: #extension " + scalarExtension + " : require"
			}
			p.outside(id.pos, id.name, fix, "the layout identifier %q is not available on blocks", id.name)
			ok = false
		}
	}
	says.layout, ok = packingOf(p, defaults, q.storage == "uniform" && !push, name, ok)
	return says, ok
}

// packingOf is the layout of a block. A layout that is left to the driver (shared, packed, none) is std140 in uniform
// blocks and std430 in others.
func packingOf(p *parser, d blockDefaults, uniform bool, name source.Token, ok bool) (tree.Layout, bool) {
	if uniform && d.packing == "std430" {
		p.malformed(name.Pos, "std430", "write std140, or declare a buffer block", "the uniform block %s cannot have the layout std430", name.Text)
		return tree.Layout{}, false
	}
	scalar := d.packing == scalarPacking
	return tree.Layout{Std140: d.packing == "std140" || uniform && !scalar, Scalar: scalar, RowMajor: d.major == tree.MajorRow}, ok
}

// scalarPacking is the layout of blocks whose members align by their components, and the extension that adds it.
const (
	scalarPacking   = "scalar"
	scalarExtension = "GL_EXT_scalar_block_layout"
)

// takesPacking reports whether an identifier is a layout of blocks that the text may use.
func takesPacking(p *parser, word string) bool {
	return isPacking(word) && (word != scalarPacking || enabled(p, scalarExtension))
}

func isPacking(word string) bool {
	return word == "std430" || word == "std140" || word == "shared" || word == "packed" || word == scalarPacking
}

func (p *parser) binding(id layoutID) (n int, ok bool) {
	if id.valid && (id.value < 0 || id.value > math.MaxInt16) {
		p.malformed(id.pos, id.name, "use a small number, from 0", "the %s %d is out of range", id.name, id.value)
		return 0, false
	}
	return int(id.value), id.valid
}

func (p *parser) blockStorage(q qualifiers, name source.Token) bool {
	switch q.storage {
	case "buffer", "uniform":
		return true
	case "in", "out":
		p.outside(q.pos, q.storage, "communicate through std430 buffer blocks", "compute kernels have no %s blocks", q.storage)
	case "":
		p.syntax(name.Pos, name.Text, "a block needs the qualifier \"buffer\"")
	case "shared":
		if p.foreign {
			p.outside(q.pos, q.storage, "declare shared variables", "shared blocks are outside the kernel language")
			return false
		}
		fallthrough
	default:
		p.malformed(q.pos, q.storage, "write: layout(std430, binding = N) buffer", "a block cannot be %q", q.storage)
	}
	return false
}

// layoutDeclaration handles qualifiers followed by a semicolon: local_size and the layout of blocks.
func (p *parser) layoutDeclaration(q qualifiers) {
	p.expect(";")
	switch {
	case q.storage == "in" && !q.constIn:
		p.localSize(q)
	case q.storage == "buffer":
		defaultLayout(p, q, &p.layout.buffers)
	case q.storage == "uniform":
		defaultLayout(p, q, &p.layout.uniforms)
	case !outsideQualifiers[q.storage]:
		p.malformed(q.pos, "qualifier", "declare something, or remove the line", "these qualifiers declare nothing")
	}
}

func defaultLayout(p *parser, q qualifiers, d *blockDefaults) {
	for _, id := range q.layout {
		switch {
		case takesPacking(p, id.name):
			d.packing = id.name
		case id.name == "row_major":
			d.major = tree.MajorRow
		case id.name == "column_major":
			d.major = tree.MajorColumn
		default:
			p.outside(id.pos, id.name, "write it on each block", "the layout identifier %q cannot be set for all blocks", id.name)
		}
	}
}

// guaranteedLocalSize is what every OpenGL 4.5 device offers (GL_MAX_COMPUTE_WORK_GROUP_SIZE), and
// guaranteedInvocations the same for the product.
var guaranteedLocalSize = [3]int64{1024, 1024, 64}

const guaranteedInvocations = 1024

// localSizeAxes are the layout identifiers that give the workgroup size, and those that name a specialization
// constant in the place of it.
var localSizeAxes = map[string]int{"local_size_x": 0, "local_size_y": 1, "local_size_z": 2}

// localSize handles layout(local_size_x = …) in; a missing dimension is 1.
func (p *parser) localSize(q qualifiers) {
	if q.memory != 0 {
		p.malformed(q.pos, "memory qualifier", "remove it", "a memory qualifier says nothing about the workgroup size")
	}
	size, variable := [3]uint32{1, 1, 1}, false
	for _, id := range constantsLast(q.layout) {
		if id.name == variableSize && enabled(p, variableSizeExtension) {
			variable = true
		} else if !localSizePart(p, id, &size) {
			p.layout.sized = true // reported: the kernel did try
			return
		}
	}
	if len(q.layout) == 0 {
		p.malformed(q.pos, "in", "write layout(local_size_x = N) in;", "this declares nothing")
		return
	}
	switch {
	case variable && len(q.layout) > 1:
		p.malformed(q.pos, variableSize, "keep "+variableSize+", or the size", "the workgroup size is either variable or declared")
	case p.opts.LocalSize != [3]uint32{}:
		size = p.opts.LocalSize
	case variable:
		p.suspicious(q.pos, variableSize, "give the size when you dispatch: --workgroup 64", "the workgroup size is that of the dispatch, and is 1 where none is given")
	}
	if p.layout.sized && p.layout.localSize != size {
		p.malformed(q.pos, "local_size", "declare it once", "the workgroup size is declared again with other values")
	}
	if product := size[0] * size[1] * size[2]; product > guaranteedInvocations {
		p.outside(q.pos, "local_size", "use at most 1024 invocations", "a workgroup of %d invocations is more than every device offers", product)
	}
	p.layout.localSize, p.layout.sized = size, true
}

// constantsLast orders the parts of a workgroup size so that a specialization constant that is given counts, wherever it is named.
func constantsLast(layout []layoutID) []layoutID {
	named := func(id layoutID) bool { return strings.HasSuffix(id.name, "_id") }
	return append(slices.DeleteFunc(slices.Clone(layout), named), slices.DeleteFunc(slices.Clone(layout), func(id layoutID) bool { return !named(id) })...)
}

// variableSize is the layout identifier of a workgroup size that the dispatch gives.
const variableSize = "local_size_variable"

// localSizePart handles one identifier. One that names a specialization constant counts where the constant is given.
func localSizePart(p *parser, id layoutID, size *[3]uint32) bool {
	axis, plain := localSizeAxes[id.name]
	if !plain {
		var named bool
		if axis, named = localSizeAxes[strings.TrimSuffix(id.name, "_id")]; !named {
			p.outside(id.pos, id.name, "write layout(local_size_x = N) in;", "the layout identifier %q is outside the kernel language", id.name)
			return false
		}
		given := specValue(p, id, tree.Uint)
		if given == nil {
			return id.valid
		}
		id.value, id.name = int64(given.Bits[0]), strings.TrimSuffix(id.name, "_id")
	}
	if !id.valid || !p.checkLocalSize(id, axis) {
		return false
	}
	size[axis] = uint32(id.value)
	return true
}

func (p *parser) checkLocalSize(id layoutID, axis int) bool {
	if id.value < 1 {
		p.malformed(id.pos, id.name, "use 1 or more", "%s must be at least 1, not %d", id.name, id.value)
		return false
	}
	if id.value > guaranteedLocalSize[axis] {
		p.outside(id.pos, id.name, "use a smaller workgroup", "%s = %d is more than every device offers (%d)", id.name, id.value, guaranteedLocalSize[axis])
		return false
	}
	return true
}
