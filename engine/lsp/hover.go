package lsp

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// maxDeclaration bounds what is shown of a declaration, in bytes.
const maxDeclaration = 4 << 10

// find finds a text that is open, analyzed.
func (s *server) find(uri string) (*document, error) {
	d := s.docs[uri]
	if d == nil {
		return nil, invalid(codeInvalidParams, fmt.Sprintf("%.200q", uri), "the text is not open", "send textDocument/didOpen first")
	}
	s.analyze(d)
	return d, nil
}

// hover tells of the word at a place: its declaration, its layout in memory, and what comments or the language say of it.
func (s *server) hover(p positionParams) (any, error) {
	d, err := s.find(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	at := s.place(d, p.Position)
	if u, ok := d.analysis.UseAt(at); ok {
		r := s.encoding.rangeOf(d.text, d.lines, u.Pos, len(u.Symbol.Name))
		return &hover{s.markup(s.symbol(d, u)), &r}, nil
	}
	word, from := s.wordAt(d, at)
	parts := ofLanguage(word)
	if parts == nil {
		old, u, ok := usedBefore(s, d, at)
		if !ok {
			return nil, nil
		}
		parts = s.symbol(old, u)
	}
	r := s.encoding.rangeOf(d.text, d.lines, from, len(word))
	return &hover{s.markup(parts), &r}, nil
}

// part is a part of a hover: code, or a text.
type part struct {
	language string // "" for a text
	text     string
}

// markup renders parts as the client can show them.
func (s *server) markup(parts []part) markup {
	formats := s.client.Capabilities.TextDocument.Hover.ContentFormat
	plain := len(formats) > 0 && !slices.Contains(formats, "markdown")
	var texts []string
	for _, p := range parts {
		switch {
		case p.text == "":
		case p.language == "" || plain:
			texts = append(texts, p.text)
		default:
			texts = append(texts, "```"+p.language+"\n"+p.text+"\n```")
		}
	}
	if plain {
		return markup{"plaintext", strings.Join(texts, "\n\n")}
	}
	return markup{"markdown", strings.Join(texts, "\n\n")}
}

// symbol tells of a symbol where it is used.
func (s *server) symbol(d *document, u glsl.Use) []part {
	x := u.Symbol
	code := declaration(x, u.Struct)
	if len(code) > maxDeclaration {
		code = code[:maxDeclaration] + "…"
	}
	parts := []part{{"glsl", code}}
	switch x.Kind {
	case glsl.SymbolStruct:
		parts = append(parts, part{"text", layoutOf(u.Struct)})
	case glsl.SymbolBlock:
		if x.Buffer.Image == nil {
			parts = append(parts, part{"text", layoutOf(x.Buffer.Block)})
		}
	case glsl.SymbolMember:
		m := &u.Struct.Members[x.Member]
		parts = append(parts, part{"", fmt.Sprintf("Offset %d in %s, %s bytes%s.", m.Offset, u.Struct.Name, size(m.Type), stride(m.Type))})
	case glsl.SymbolVariable:
		parts = append(parts, part{"", inputDocs[x.Name]})
		if st := x.Variable.InText().Struct; st != nil {
			parts = append(parts, part{"text", layoutOf(st)})
		}
	case glsl.SymbolBuiltin:
		return append(parts, part{"", builtinDoc(x.Builtin)})
	case glsl.SymbolSize:
		return append(parts, part{"", inputDocs[x.Name]})
	}
	return append(parts, part{"", s.comment(d, x)})
}

// comment is what comments say of a symbol, and in which file it is declared when it is another one.
func (s *server) comment(d *document, x *glsl.Symbol) string {
	if !x.Pos.IsValid() || x.Kind == glsl.SymbolVariable && x.Variable.Kind == tree.VarParam {
		return "" // what stands above a parameter is about the function
	}
	text, ok := d.text, true
	if x.Pos.File != d.unit.Name {
		text, ok = d.unit.textOf(x.Pos.File)
	}
	if !ok {
		return ""
	}
	said := comment(text, x.Pos.Line)
	if x.Pos.File != d.unit.Name {
		said = strings.TrimSpace(said + "\n\nDeclared in " + x.Pos.File + ".")
	}
	return said
}

// wordAt is the word at a place, and where it begins; "" for none.
func (s *server) wordAt(d *document, at source.Pos) (word string, from source.Pos) {
	l := line(d.text, d.lines, at.Line-1)
	if at.Line == 1 {
		l = strings.TrimPrefix(l, byteOrderMark(d.text))
	}
	i := min(max(at.Col-1, 0), len(l))
	for i > 0 && isWord(l[i-1]) {
		i--
	}
	from = at
	from.Col = i + 1
	return l[i : i+wordLen(l[i:])], from
}

// ofLanguage tells of a word of the language; nil when it is none.
func ofLanguage(word string) []part {
	if t := glsl.TypeWord(word); t != nil && t != tree.Void {
		return []part{{"glsl", word}, {"", fmt.Sprintf("%d bytes, alignment %d in std430.", t.Size(), t.Align())}}
	}
	if b := tree.LookupBuiltin(word); b != nil {
		return []part{{"glsl", strings.Join(b.Generic, ";\n") + ";"}, {"", builtinDoc(b)}}
	}
	if doc := wordDocs[word]; doc != "" {
		return []part{{"glsl", word}, {"", doc}}
	}
	return nil
}
