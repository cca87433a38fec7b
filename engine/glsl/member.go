package glsl

import (
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// memberOwner tells the members of a structure from those of a buffer block.
type memberOwner uint8

const (
	structMember memberOwner = iota
	blockMember
)

// memberList parses "{ members }". good is false when a member was refused: then the layout cannot be
// known, and the list holds the names for what refers to them.
func (p *parser) memberList(owner memberOwner) (list []tree.Member, good bool) {
	p.expect("{")
	good = true
	for !p.is("}") && !p.eof() {
		good = p.memberDeclaration(owner, &list) && good
	}
	end := p.expect("}")
	if len(list) == 0 && good {
		p.malformed(end, "}", "declare a member", "a structure or block needs at least one member")
	}
	return list, good && len(list) > 0 && p.runtimeArrayLast(list, owner) && p.fits(list)
}

// memberDeclaration parses "qualifiers type name[n], …;".
func (p *parser) memberDeclaration(owner memberOwner, list *[]tree.Member) bool {
	q := p.qualifiers()
	good := p.memberQualifiers(q, owner)
	if p.is("struct") {
		p.malformed(p.pos(), "struct", "define the structure before, and name it here", "a structure cannot be defined inside another structure or block")
		p.recovering = true
		return false
	}
	pos := p.pos()
	base := p.typeSpecifier()
	for !p.recovering {
		name := p.ident("the name of a member")
		t := p.applyDimensions(base, p.dimensions(), pos)
		good = p.addMember(list, tree.Member{Name: name.Text, Type: t, Memory: q.memory, Place: memberPlace(p, q), Pos: name.Pos}) && good
		if !p.accept(",") {
			break
		}
	}
	p.expect(";")
	return good && !p.recovering
}

// memberQualifiers checks what may stand before a member: precision everywhere, memory qualifiers
// and matrix layouts (without effect here) in blocks.
func (p *parser) memberQualifiers(q qualifiers, owner memberOwner) bool {
	for _, id := range q.layout {
		if owner == structMember || !memberLayout[id.name] {
			p.outside(id.pos, id.name, "order the members so that std430 gives the offsets you need", "the layout identifier %q is not available on members", id.name)
			return false
		}
	}
	switch {
	case outsideQualifiers[q.storage]:
		return false
	case q.storage != "" && (owner == structMember || q.storage != "buffer" && q.storage != "uniform"):
		p.malformed(q.pos, q.storage, "remove the qualifier", "a member cannot be %q", q.storage)
		return false
	case owner == structMember && q.memory != 0:
		p.malformed(q.pos, "memory qualifier", "write it on the buffer block or on a member of the block", "a memory qualifier has no meaning on a structure member")
		return false
	}
	return true
}

// memberLayout are the layout identifiers of members of blocks.
var memberLayout = wordSet("row_major column_major offset align")

// memberPlace is what the layout qualifiers of a member say.
func memberPlace(p *parser, q qualifiers) (at tree.Place) {
	for _, id := range q.layout {
		switch {
		case id.name == "row_major":
			at.Major = tree.MajorRow
		case id.name == "column_major":
			at.Major = tree.MajorColumn
		case !id.valid:
		case id.value < 0 || id.value > maxTypeBytes || id.name == "align" && (id.value == 0 || id.value&(id.value-1) != 0):
			p.malformed(id.pos, id.name, "use a number of bytes, for align a power of two", "%s = %d is out of range", id.name, id.value)
		case id.name == "offset":
			at.Offset = int(id.value)
		default:
			at.Align = int(id.value)
		}
	}
	return at
}

func (p *parser) addMember(list *[]tree.Member, m tree.Member) bool {
	for i := range *list {
		if (*list)[i].Name == m.Name {
			p.malformed(m.Pos, m.Name, "rename one of the two", "the member %q is declared twice", m.Name)
			return false
		}
	}
	if p.reserved(source.Token{Text: m.Name, Pos: m.Pos}) {
		return false
	}
	if m.Type == tree.Void {
		p.malformed(m.Pos, "void", "give it another type", "the member %q cannot be of type void", m.Name)
		return false
	}
	if innerUnsized(m.Type) {
		p.malformed(m.Pos, m.Name, "write the size", "only the outermost dimension of the member %q may be left unsized", m.Name)
		return false
	}
	*list = append(*list, m)
	return m.Type != brokenType
}

// runtimeArrayLast checks that only the last member of a block is an unsized array.
func (p *parser) runtimeArrayLast(list []tree.Member, owner memberOwner) bool {
	for i := range list {
		m := &list[i]
		if m.Type.Class == tree.ClassRuntimeArray && (owner == structMember || i < len(list)-1) {
			p.malformed(m.Pos, m.Name, "write its size, or make it the last member of a buffer block", "the unsized array %q must be the last member of a buffer block", m.Name)
			return false
		}
	}
	return true
}

// fits checks that the members together stay below the size limit.
func (p *parser) fits(list []tree.Member) bool {
	total := 0
	for i := range list {
		total += list[i].Type.Size() + 16
		if total > maxTypeBytes {
			p.outside(list[i].Pos, "size", "use a runtime array in a buffer", "the members take more than %d bytes", maxTypeBytes)
			return false
		}
	}
	return true
}

// field gives the member of a structure value, or reports that it has none.
func (p *parser) field(x tree.Expr, name source.Token) tree.Expr {
	s := x.Type().Struct
	i := s.Find(name.Text)
	if i < 0 {
		p.malformed(name.Pos, name.Text, "use one of the members of "+s.Name, "%s has no member %q", s.Name, name.Text)
		return broken(x.Pos())
	}
	p.names.usedMember(name, s, i)
	node := tree.Node{T: s.Members[i].Type, At: x.Pos()}
	if c := constant(x); c != nil {
		start := 0
		for j := range i {
			start += s.Members[j].Type.Components()
		}
		return &tree.Const{Node: node, Bits: c.Bits[start : start+node.T.Components()]}
	}
	return &tree.Field{Node: node, X: x, Member: i}
}
