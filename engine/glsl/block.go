package glsl

import (
	"math"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// layoutState is what layout declarations without a variable have set.
type layoutState struct {
	localSize [3]uint32
	sized     bool   // localSize was declared
	packing   string // default packing of buffer blocks, "" when none was declared
}

// block parses a buffer block after its qualifiers (GLSL 4.50 section 4.3.9):
// "Name { members } instance;".
func (p *parser) block(q qualifiers) {
	name := p.ident("the name of a block")
	members, laidOut := p.memberList(blockMember)
	instance := source.Token{}
	if !p.is(";") {
		instance = p.ident("the instance name of a block")
		if p.is("[") {
			p.outside(p.pos(), "block array", "declare one block per buffer", "arrays of buffer blocks are outside the kernel language")
			p.dimensions()
			laidOut = false
		}
	}
	p.expect(";")
	binding, ok := p.blockLayout(q, name)
	if !ok || !laidOut || p.recovering {
		p.declareBroken(name)
		p.declareBroken(instance)
		for i := range members {
			if instance.Text == "" {
				p.declareBroken(source.Token{Text: members[i].Name, Pos: members[i].Pos})
			}
		}
		return
	}
	p.addBuffer(name, instance, &tree.Buffer{Name: name.Text, Instance: instance.Text, Binding: binding, Memory: q.memory,
		Block: tree.NewStruct(name.Text, members, name.Pos).Struct, ID: len(p.prog.Buffers), Pos: name.Pos})
}

// addBuffer declares the names a block brings.
func (p *parser) addBuffer(name, instance source.Token, b *tree.Buffer) {
	for _, other := range p.prog.Buffers {
		if other.Binding == b.Binding {
			p.outside(b.Pos, "binding", "give each block its own binding", "the blocks %s and %s share binding %d", other.Name, b.Name, b.Binding)
		}
	}
	p.prog.Buffers = append(p.prog.Buffers, b)
	p.declare(name, &symbol{kind: symBlock})
	if instance.Text != "" {
		p.declare(instance, &symbol{kind: symInstance, buffer: b})
		return
	}
	for i := range b.Block.Members {
		m := &b.Block.Members[i]
		p.declare(source.Token{Text: m.Name, Pos: m.Pos}, &symbol{kind: symMember, buffer: b, member: i})
	}
}

// blockLayout checks the qualifiers of a block and returns its binding.
func (p *parser) blockLayout(q qualifiers, name source.Token) (binding int, ok bool) {
	packing := p.layout.packing
	binding = -1
	ok = !outsideQualifiers[q.storage]
	for _, id := range q.layout {
		switch {
		case id.name == "binding":
			var good bool
			binding, good = p.binding(id)
			ok = ok && good
		case isPacking(id.name):
			packing = id.name
		case id.name == "row_major" || id.name == "column_major":
		default:
			p.outside(id.pos, id.name, "write layout(std430, binding = N)", "the layout identifier %q is not available on buffer blocks", id.name)
			ok = false
		}
	}
	return binding, ok && p.blockStorage(q, name) && p.blockPacking(packing, binding, name)
}

func isPacking(word string) bool {
	return word == "std430" || word == "std140" || word == "shared" || word == "packed"
}

func (p *parser) binding(id layoutID) (n int, ok bool) {
	if id.valid && (id.value < 0 || id.value > math.MaxInt16) {
		p.malformed(id.pos, "binding", "use a small binding number, from 0", "the binding %d is out of range", id.value)
		return 0, false
	}
	return int(id.value), id.valid
}

func (p *parser) blockStorage(q qualifiers, name source.Token) bool {
	switch q.storage {
	case "buffer":
		return true
	case "in", "out":
		p.outside(q.pos, q.storage, "communicate through std430 buffer blocks", "compute kernels have no %s blocks", q.storage)
	case "":
		p.syntax(name.Pos, name.Text, "a block needs the qualifier \"buffer\"")
	default:
		p.malformed(q.pos, q.storage, "write: layout(std430, binding = N) buffer", "a block cannot be %q", q.storage)
	}
	return false
}

func (p *parser) blockPacking(packing string, binding int, name source.Token) bool {
	const fix = "write: layout(std430, binding = N) buffer"
	switch {
	case packing != "std430" && packing != "":
		p.outside(name.Pos, packing, fix, "the block %s has the %s layout; only std430 is covered", name.Text, packing)
	case packing == "":
		p.outside(name.Pos, "layout", fix, "the block %s has no std430 layout, so its offsets are up to the driver", name.Text)
	case binding < 0:
		p.outside(name.Pos, "binding", fix, "the block %s has no binding", name.Text)
	default:
		return true
	}
	return false
}

// layoutDeclaration handles qualifiers followed by a semicolon: local_size and default packing.
func (p *parser) layoutDeclaration(q qualifiers) {
	p.expect(";")
	switch {
	case q.storage == "in" && !q.constIn:
		p.localSize(q)
	case q.storage == "buffer":
		p.defaultPacking(q)
	case !outsideQualifiers[q.storage]:
		p.malformed(q.pos, "qualifier", "declare something, or remove the line", "these qualifiers declare nothing")
	}
}

func (p *parser) defaultPacking(q qualifiers) {
	for _, id := range q.layout {
		if !isPacking(id.name) {
			p.outside(id.pos, id.name, "write it on each block", "the layout identifier %q cannot be set for all blocks", id.name)
			continue
		}
		p.layout.packing = id.name
	}
}

// guaranteedLocalSize is what every OpenGL 4.5 device offers (GL_MAX_COMPUTE_WORK_GROUP_SIZE), and
// guaranteedInvocations the same for the product.
var guaranteedLocalSize = [3]int64{1024, 1024, 64}

const guaranteedInvocations = 1024

// localSize handles layout(local_size_x = …) in; a missing dimension is 1.
func (p *parser) localSize(q qualifiers) {
	size := [3]uint32{1, 1, 1}
	for _, id := range q.layout {
		axis := map[string]int{"local_size_x": 1, "local_size_y": 2, "local_size_z": 3}[id.name]
		if axis == 0 {
			p.layout.sized = true // in a way that another compiler may know
			p.outside(id.pos, id.name, "write layout(local_size_x = N) in;", "the layout identifier %q is outside the kernel language", id.name)
			return
		}
		if !id.valid || !p.checkLocalSize(id, axis-1) {
			p.layout.sized = true // reported: the kernel did try
			return
		}
		size[axis-1] = uint32(id.value)
	}
	if len(q.layout) == 0 {
		p.malformed(q.pos, "in", "write layout(local_size_x = N) in;", "this declares nothing")
		return
	}
	if p.layout.sized && p.layout.localSize != size {
		p.malformed(q.pos, "local_size", "declare it once", "the workgroup size is declared again with other values")
	}
	if product := size[0] * size[1] * size[2]; product > guaranteedInvocations {
		p.outside(q.pos, "local_size", "use at most 1024 invocations", "a workgroup of %d invocations is more than every device offers", product)
	}
	p.layout.localSize, p.layout.sized = size, true
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
