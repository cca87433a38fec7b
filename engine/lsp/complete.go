package lsp

import (
	"strings"

	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// Kinds of completions.
const (
	itemMethod   = 2
	itemFunction = 3
	itemField    = 5
	itemVariable = 6
	itemModule   = 9
	itemKeyword  = 14
	itemConstant = 21
	itemStruct   = 22
)

// The order of completions: what is nearer comes first.
const (
	sortLocal    = "1"
	sortFile     = "2"
	sortKernel   = "3"
	sortLanguage = "4"
	sortInternal = "5"
)

// completion lists what can be written at a place: members and components behind a dot, else names and words of the language.
// Clients choose those that fit what was typed.
func (s *server) completion(p positionParams) (any, error) {
	d, err := s.find(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	at := s.place(d, p.Position)
	items := []completionItem{}
	typed, from := s.wordAt(d, at)
	before := line(d.text, d.lines, at.Line-1)
	before = before[:min(max(from.Col-1, 0), len(before))]
	switch {
	case s.inComment(d, at):
	case strings.HasPrefix(strings.TrimSpace(before), "#"):
		for _, w := range []string{"define", "undef", "if", "ifdef", "ifndef", "elif", "else", "endif", "include", "pragma", "extension", "version", "line", "error"} {
			items = append(items, completionItem{Label: w, Kind: itemKeyword})
		}
	case strings.HasSuffix(strings.TrimRight(before, " \t"), "."):
		dot := from
		dot.Col = len(strings.TrimRight(before, " \t"))
		items = dotted(d, dot)
	case typed != "" && typed[0] >= '0' && typed[0] <= '9':
	default:
		items = append(namesBefore(s, d, at, typed, s.names(d, at, typed)), language()...)
	}
	return completionList{Items: items}, nil
}

// inComment reports whether a place is behind // or inside a comment of several lines.
func (s *server) inComment(d *document, at source.Pos) bool {
	text := d.text[:min(d.lines[at.Line-1]+max(at.Col-1, 0), len(d.text))]
	for {
		i := strings.Index(text, "/")
		if i < 0 || i+1 == len(text) {
			return false
		}
		end := ""
		switch text[i+1] {
		case '/':
			end = "\n"
		case '*':
			end = "*/"
		default:
			text = text[i+1:]
			continue
		}
		_, rest, closed := strings.Cut(text[i+2:], end)
		if !closed {
			return true
		}
		text = rest
	}
}

// membersOf lists what can follow a dot.
func membersOf(value *tree.Type, block *tree.Struct) []completionItem {
	switch {
	case block != nil:
		return fields(block)
	case value == nil:
	case value.Class == tree.ClassStruct:
		return fields(value.Struct)
	case value.Class == tree.ClassVector && value.Width > 1:
		return append(components(value), lengthItem)
	case value.IsArray():
		return []completionItem{lengthItem}
	case value.IsScalar():
		return components(value)
	}
	return []completionItem{}
}

var lengthItem = completionItem{Label: "length()", Kind: itemMethod, Detail: "int"}

func fields(s *tree.Struct) []completionItem {
	items := []completionItem{}
	for i := range s.Members {
		m := &s.Members[i]
		items = append(items, completionItem{Label: m.Name, Kind: itemField, Detail: declarator(m.Type, m.Name), SortText: sortNumber(i)})
	}
	return items
}

// sortNumber sorts items by number.
func sortNumber(i int) string {
	return string([]byte{'0' + byte(i/100%10), '0' + byte(i/10%10), '0' + byte(i%10)})
}

// components lists the components of a vector, and runs of them that begin with the first.
func components(t *tree.Type) []completionItem {
	var items []completionItem
	for n, set := range []string{"xyzw", "rgba", "stpq"} {
		for i := range t.Width {
			items = append(items, completionItem{Label: set[i : i+1], Kind: itemField, Detail: tree.Vector(t.Kind, 1).String(), SortText: sortNumber(10*n + i)})
		}
		for width := 2; width <= t.Width; width++ {
			items = append(items, completionItem{Label: set[:width], Kind: itemField, Detail: tree.Vector(t.Kind, width).String(), SortText: sortNumber(10*n + 4 + width)})
		}
	}
	return items
}

// names lists the names that are declared at a place. The kernel's internal ones, which begin with vt_, are left out until they
// are asked for.
func (s *server) names(d *document, at source.Pos, typed string) []completionItem {
	items := []completionItem{}
	internal := strings.HasPrefix(strings.ToLower(typed), "vt_")
	for _, x := range d.analysis.Visible(at) {
		hidden := strings.HasPrefix(strings.ToLower(x.Name), "vt_")
		if hidden && !internal || x.Pos == at {
			continue
		}
		item := completionItem{Label: x.Name, Kind: itemKind(x), Detail: declaration(x, x.Struct), SortText: sortKernel}
		if len(item.Detail) > maxDetail {
			item.Detail = item.Detail[:maxDetail] + "…"
		}
		switch {
		case x.Kind == glsl.SymbolVariable && x.Variable.Local():
			item.SortText = sortLocal
		case x.Pos.File == d.unit.Name:
			item.SortText = sortFile
		case hidden:
			item.SortText = sortInternal
		}
		items = append(items, item)
	}
	return items
}

func itemKind(x *glsl.Symbol) int {
	switch x.Kind {
	case glsl.SymbolFunction:
		return itemFunction
	case glsl.SymbolStruct:
		return itemStruct
	case glsl.SymbolBlock:
		return itemModule
	case glsl.SymbolMember:
		return itemField
	case glsl.SymbolMacro:
		return itemConstant
	}
	return itemVariable
}

// language lists the words of the language.
func language() (items []completionItem) {
	for _, kind := range []glsl.WordKind{glsl.WordType, glsl.WordQualifier, glsl.WordStatement} {
		for _, w := range glsl.Words(kind) {
			items = append(items, completionItem{Label: w, Kind: itemKeyword, SortText: sortLanguage})
		}
	}
	for _, w := range glsl.Words(glsl.WordFunction) {
		item := completionItem{Label: w, Kind: itemFunction, SortText: sortLanguage, Documentation: &markup{"markdown", wordDocs[w]}}
		if b := tree.LookupBuiltin(w); b != nil {
			item.Detail, item.Documentation.Value = b.Generic[0], builtinDoc(b)
		}
		items = append(items, item)
	}
	return items
}
