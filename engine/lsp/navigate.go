package lsp

import (
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
)

// useAt finds the name at a place of a text; d is nil when there is none.
func (s *server) useAt(p positionParams) (d *document, u glsl.Use, err error) {
	if d, err = s.find(p.TextDocument.URI); err != nil {
		return nil, u, err
	}
	u, ok := d.analysis.UseAt(s.place(d, p.Position))
	if !ok {
		return nil, u, nil
	}
	return d, u, nil
}

// definition finds where a name is declared, or the file that an #include names.
func (s *server) definition(p positionParams) (any, error) {
	d, err := s.find(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	at := s.place(d, p.Position)
	target, length := source.Pos{}, 0
	if u, ok := d.analysis.UseAt(at); ok {
		target, length = u.Symbol.Pos, len(u.Symbol.Name)
	} else if file, ok := d.analysis.IncludeAt(at.File, at.Line); ok {
		target = source.Pos{File: file, Line: 1, Col: 1}
	} else if old, u, ok := usedBefore(s, d, at); ok {
		target, length = u.Symbol.Pos, len(u.Symbol.Name)
		if target.File == old.unit.Name {
			target.File = d.unit.Name
			if target.Line, ok = moved(old, d, target.Line); !ok {
				target = source.Pos{}
			}
		}
	}
	if where, ok := s.locate(d, target, length); ok {
		return where, nil
	}
	return nil, nil
}

// references lists the places that name what is named at a place, in all files of the kernel.
func (s *server) references(p referenceParams) (any, error) {
	d, u, err := s.useAt(positionParams{p.TextDocument, p.Position})
	if err != nil || d == nil {
		return nil, err
	}
	list := []location{}
	for _, use := range d.analysis.Uses(u.Symbol) {
		if where, ok := s.locate(d, use.Pos, len(u.Symbol.Name)); ok && (p.Context.IncludeDeclaration || !use.Declares) {
			list = append(list, where)
		}
	}
	return list, nil
}

// Kinds of highlights.
const (
	highlightRead  = 2
	highlightWrite = 3
)

// highlights lists the places of one text that name what is named at a place.
func (s *server) highlights(p positionParams) (any, error) {
	d, u, err := s.useAt(p)
	if err != nil || d == nil {
		return nil, err
	}
	list := []documentHighlight{}
	for _, use := range d.analysis.Uses(u.Symbol) {
		if use.Pos.File != d.unit.Name {
			continue
		}
		kind := highlightRead
		if use.Declares {
			kind = highlightWrite
		}
		list = append(list, documentHighlight{s.encoding.rangeOf(d.text, d.lines, use.Pos, len(u.Symbol.Name)), kind})
	}
	return list, nil
}

// Kinds of symbols.
const (
	kindClass    = 5
	kindField    = 8
	kindFunction = 12
	kindVariable = 13
	kindConstant = 14
	kindStruct   = 23
)

// symbols lists what a text declares at module scope.
func (s *server) symbols(p documentParams) (any, error) {
	d, err := s.find(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	list := s.outline(d)
	if s.client.Capabilities.TextDocument.DocumentSymbol.Hierarchical {
		return list, nil
	}
	flat := []symbolInformation{}
	for i := range list {
		flat = append(flat, symbolInformation{list[i].Name, list[i].Kind, location{d.uri, list[i].Range}, ""})
		for _, c := range list[i].Children {
			flat = append(flat, symbolInformation{c.Name, c.Kind, location{d.uri, c.Range}, list[i].Name})
		}
	}
	return flat, nil
}

func (s *server) outline(d *document) []documentSymbol {
	list := []documentSymbol{}
	for _, u := range d.analysis.Declared(d.unit.Name) {
		kind := outlineKind(u.Symbol)
		if kind == 0 || u.Symbol.Kind == glsl.SymbolFunction && u.Pos != u.Symbol.Pos {
			continue // local, or a prototype of what is defined elsewhere
		}
		name := s.encoding.rangeOf(d.text, d.lines, u.Pos, len(u.Symbol.Name))
		one := documentSymbol{Name: u.Symbol.Name, Detail: declaration(u.Symbol, u.Struct), Kind: kind, Range: name, SelectionRange: name}
		if len(one.Detail) > maxDetail {
			one.Detail = one.Detail[:maxDetail] + "…"
		}
		if end := u.Symbol.End; end.IsValid() && end.File == u.Pos.File && end.Line >= u.Pos.Line {
			one.Range.End = s.encoding.rangeOf(d.text, d.lines, end, 1).End
		}
		if kind != kindField {
			list = append(list, one)
			continue
		}
		if n := len(list); n > 0 && (list[n-1].Kind == kindStruct || list[n-1].Kind == kindClass) {
			list[n-1].Children = append(list[n-1].Children, one)
			list[n-1].Range.End = one.Range.End
		}
	}
	return list
}

// maxDetail bounds the detail of a symbol, in bytes.
const maxDetail = 200

// outlineKind is the kind of a symbol in the outline of a text; 0 when it does not belong there.
func outlineKind(x *glsl.Symbol) int {
	switch x.Kind {
	case glsl.SymbolFunction:
		return kindFunction
	case glsl.SymbolStruct:
		return kindStruct
	case glsl.SymbolBlock:
		if x.Struct == nil {
			return 0 // the instance name, or an image
		}
		return kindClass
	case glsl.SymbolMember:
		return kindField
	case glsl.SymbolMacro:
		return kindConstant
	case glsl.SymbolVariable:
		switch {
		case x.Variable.Local():
			return 0
		case x.Variable.Const:
			return kindConstant
		}
		return kindVariable
	}
	return 0
}
