package glsl

import (
	"maps"
	"slices"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// SymbolKind says what a Symbol is.
type SymbolKind uint8

// The kinds of a Symbol.
const (
	SymbolVariable SymbolKind = iota // Variable
	SymbolFunction                   // Function
	SymbolStruct                     // Struct
	SymbolBlock                      // Buffer, by its block name or its instance name
	SymbolMember                     // of Struct
	SymbolMacro                      // Macro
	SymbolBuiltin                    // Builtin
	SymbolSize                       // gl_WorkGroupSize
)

// Symbol is something that has a name in a text. The fields that its kind names are set.
type Symbol struct {
	Kind SymbolKind
	Name string
	Pos  source.Pos // of the name where it is declared; of a function where it is defined, if it is. Zero for what GLSL has.
	End  source.Pos // of the last token of a function's body

	Variable *tree.Variable
	Function *tree.Function
	Struct   *tree.Struct // of which it is a member, or which it is
	Member   int          // index in Struct.Members
	Buffer   *tree.Buffer // of a block, and of a member of one
	Macro    string       // NAME, or NAME(a, b), and what it stands for
	Builtin  *tree.Builtin

	token int // index of the token at which it is declared
}

// Use is a place in the text that names a symbol.
type Use struct {
	Pos      source.Pos
	Symbol   *Symbol
	Declares bool         // it declares the symbol, or defines it
	Struct   *tree.Struct // of a member: the structure or block as it is laid out here
}

// dotted is what stands before a dot: a value, or a block.
type dotted struct {
	value *tree.Type
	block *tree.Struct
}

// indexer notes where symbols are declared and used. Its methods do nothing when it is nil.
type indexer struct {
	uses    []Use
	symbols []*Symbol
	known   map[any]*Symbol // by variable, overload, memberOf, buffer, declared structure or built-in function
	dots    map[source.Pos]dotted
}

// memberOf identifies a member.
type memberOf struct {
	of     *tree.Struct // as declared
	member int
}

func newIndexer() *indexer {
	return &indexer{known: map[any]*Symbol{}, dots: map[source.Pos]dotted{}}
}

// written reports whether a token stands in a text: not in the body of a macro, nor is it made by the preprocessor.
func written(t source.Token) bool { return t.Pos.IsValid() && t.Pos.Macro == "" && !t.Inserted }

// symbol finds the symbol of key, or makes one.
func (x *indexer) symbol(key any, made Symbol) *Symbol {
	s := x.known[key]
	if s == nil {
		s = &made
		x.known[key] = s
		x.symbols = append(x.symbols, s)
	}
	return s
}

// inputs makes symbols of the names that are there before a text.
func (x *indexer) inputs(outermost *scope) {
	for _, name := range slices.Sorted(maps.Keys(outermost.names)) {
		x.of(outermost.names[name], name, source.Pos{})
	}
}

func (x *indexer) note(t source.Token, s *Symbol, declares bool) {
	if written(t) {
		x.uses = append(x.uses, Use{Pos: t.Pos, Symbol: s, Declares: declares, Struct: s.Struct})
	}
}

// of finds the symbol that a name of a scope stands for; nil for functions, which have overloads, and what was refused.
func (x *indexer) of(s *symbol, name string, at source.Pos) *Symbol {
	if s.kind == symImage && s.variable != nil {
		return x.symbol(s.variable, Symbol{Kind: SymbolVariable, Name: name, Pos: s.variable.Pos, Variable: s.variable})
	}
	switch s.kind {
	case symVariable:
		return x.symbol(s.variable, Symbol{Kind: SymbolVariable, Name: name, Pos: s.variable.Pos, Variable: s.variable})
	case symMember:
		return x.member(s.buffer.Block, s.member, s.buffer)
	case symInstance, symImage:
		return x.symbol(s, Symbol{Kind: SymbolBlock, Name: name, Pos: at, Buffer: s.buffer})
	case symBlock:
		return x.symbol(s.buffer.Block, Symbol{Kind: SymbolBlock, Name: name, Pos: at, Buffer: s.buffer, Struct: s.buffer.Block})
	case symType:
		if s.typ != brokenType && s.typ.Class == tree.ClassStruct {
			st := s.typ.Struct.Declared()
			return x.symbol(st, Symbol{Kind: SymbolStruct, Name: st.Name, Pos: st.Pos, Struct: st})
		}
	case symLocalSize:
		return x.symbol(s, Symbol{Kind: SymbolSize, Name: name})
	}
	return nil
}

// member finds the symbol of a member; b is the block of which it is a member, or nil.
func (x *indexer) member(in *tree.Struct, i int, b *tree.Buffer) *Symbol {
	m := &in.Members[i]
	key := any(memberOf{in.Declared(), i})
	if b != nil && b.Default {
		key = m.Name // the block is made again for each uniform
	}
	return x.symbol(key, Symbol{Kind: SymbolMember, Name: m.Name, Pos: m.Pos, Struct: in, Member: i, Buffer: b})
}

// declared notes a name that was entered into a scope, and the members that come with it.
func (x *indexer) declared(p *parser, name source.Token, s *symbol) {
	if x == nil {
		return
	}
	made := x.of(s, name.Text, name.Pos)
	if made == nil {
		return
	}
	if made.token = p.at; s.kind == symMember && !s.buffer.Default {
		return // it came with its block
	}
	x.note(name, made, true)
	switch s.kind {
	case symType:
		x.members(made.Struct, nil, p.at)
	case symBlock:
		x.members(made.Struct, made.Buffer, p.at)
	}
}

// members notes the members of a structure or a block where they are declared.
func (x *indexer) members(in *tree.Struct, b *tree.Buffer, token int) {
	for i := range in.Members {
		m := x.member(in, i, b)
		m.token = token
		x.note(source.Token{Text: m.Name, Pos: m.Pos}, m, true)
	}
}

// used notes a name that s stands for.
func (x *indexer) used(t source.Token, s *symbol) {
	if x == nil {
		return
	}
	if made := x.of(s, t.Text, t.Pos); made != nil {
		x.note(t, made, false)
	}
}

// usedMember notes a member behind a dot.
func (x *indexer) usedMember(t source.Token, in *tree.Struct, i int) {
	if x == nil || !written(t) {
		return
	}
	s := x.member(in, i, nil)
	x.uses = append(x.uses, Use{Pos: t.Pos, Symbol: s, Struct: in})
}

// declaredFunction notes a prototype, or the head of a definition.
func (x *indexer) declaredFunction(p *parser, t source.Token, o *overload) {
	if x == nil {
		return
	}
	s := x.symbol(o, Symbol{Kind: SymbolFunction, Name: t.Text, Pos: t.Pos, Function: o.fn, token: p.at})
	if p.is("{") {
		s.Pos = t.Pos
	}
	x.note(t, s, true)
}

// ended notes the end of a function's body.
func (x *indexer) ended(o *overload, end source.Pos) {
	if x != nil && x.known[o] != nil {
		x.known[o].End = end
	}
}

// usedFunction notes a call.
func (x *indexer) usedFunction(t source.Token, o *overload) {
	if x != nil {
		x.note(t, x.symbol(o, Symbol{Kind: SymbolFunction, Name: t.Text, Pos: o.fn.Pos, Function: o.fn}), false)
	}
}

// usedBuiltin notes a call of a function that GLSL has.
func (x *indexer) usedBuiltin(t source.Token, b *tree.Builtin) {
	if x != nil {
		x.note(t, x.symbol(b, Symbol{Kind: SymbolBuiltin, Name: b.Name, Builtin: b}), false)
	}
}

// dot notes what stands before the dot at a place.
func (x *indexer) dot(at source.Pos, d dotted) {
	if x != nil && at.Macro == "" && d.value != brokenType {
		x.dots[at] = d
	}
}
