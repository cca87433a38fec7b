package glsl

import (
	"cmp"
	"slices"
	"strings"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// Analysis is what is known of a text that may have errors: the names that it declares, and where they are used.
type Analysis struct {
	Diagnostics source.Diagnostics // of the preprocessor only when it found errors, else of the whole front end
	Files       []string           // every file that contributed, the kernel's own first
	Symbols     []*Symbol          // in the order of their declarations; macros last
	Program     *tree.Program      // nil when there are errors

	uses     map[string][]Use // by file, in the order of the text
	includes []preprocess.Include
	dots     map[source.Pos]dotted
	toks     []source.Token
}

// Analyze preprocesses, parses and checks f as Compile does, and continues after errors as far as it can: what follows a statement
// or declaration with an error is known as well.
func Analyze(f *source.File, o Options) *Analysis {
	o.Record = true
	pre, diags, ok := preprocessed(f, o.Options)
	p := newParser(pre, o)
	p.names = newIndexer()
	p.names.inputs(p.scopes[0])
	p.diags, p.errors = slices.Clone(diags), len(diags.Errors())
	p.run(f.Name)
	a := &Analysis{Diagnostics: p.diags, Files: pre.Files, Symbols: p.names.symbols, dots: p.names.dots, toks: p.toks, includes: pre.Record.Includes}
	if !ok {
		a.Diagnostics = diags // what the parser says of the rest is of no text that anybody wrote
	}
	if len(a.Diagnostics.Errors()) == 0 {
		a.Program = p.prog
	}
	a.uses = usesByFile(append(p.names.uses, a.macros(pre.Record)...))
	return a
}

// macros makes symbols of macros and lists where they are used.
func (a *Analysis) macros(r *preprocess.Record) (list []Use) {
	made := map[*preprocess.Definition]*Symbol{}
	for _, u := range r.Uses {
		d := u.Definition
		if made[d] == nil {
			made[d] = &Symbol{Kind: SymbolMacro, Name: d.Name, Pos: d.Pos, Macro: d.Text}
			a.Symbols = append(a.Symbols, made[d])
		}
		list = append(list, Use{Pos: u.Pos, Symbol: made[d], Declares: u.Defines})
	}
	return list
}

// usesByFile sorts uses by their places. A declaration comes before a use at the same place.
func usesByFile(list []Use) map[string][]Use {
	byFile := map[string][]Use{}
	for _, u := range list {
		byFile[u.Pos.File] = append(byFile[u.Pos.File], u)
	}
	for file, uses := range byFile {
		slices.SortStableFunc(uses, func(a, b Use) int { return comparePlaces(a.Pos, b.Pos) })
		byFile[file] = slices.CompactFunc(uses, func(a, b Use) bool { return a.Pos == b.Pos && a.Symbol == b.Symbol })
	}
	return byFile
}

// comparePlaces compares two places of one file.
func comparePlaces(a, b source.Pos) int {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
}

// UseAt finds the name at a place, or that ends there.
func (a *Analysis) UseAt(at source.Pos) (u Use, ok bool) {
	uses := a.uses[at.File]
	i, _ := slices.BinarySearchFunc(uses, at, func(u Use, at source.Pos) int { return cmp.Or(comparePlaces(u.Pos, at), -1) })
	for i--; i >= 0 && uses[i].Pos.Line == at.Line && at.Col <= uses[i].Pos.Col+len(uses[i].Symbol.Name); i-- {
		u, ok = uses[i], true
	}
	return u, ok
}

// Uses lists the places that name a symbol, file by file.
func (a *Analysis) Uses(s *Symbol) (list []Use) {
	for _, file := range a.Files {
		for _, u := range a.uses[file] {
			if u.Symbol == s {
				list = append(list, u)
			}
		}
	}
	return list
}

// IncludeAt names the file that the #include in a line reads.
func (a *Analysis) IncludeAt(file string, line int) (included string, ok bool) {
	for _, i := range a.includes {
		if i.Pos.File == file && i.Pos.Line == line {
			return i.File, true
		}
	}
	return "", false
}

// Dotted tells what stands before the dot at a place: a value of a type, or a block. Both are nil when it is not known.
func (a *Analysis) Dotted(dot source.Pos) (value *tree.Type, block *tree.Struct) {
	d := a.dots[dot]
	return d.value, d.block
}

// Visible lists the symbols that can be named at a place, inner ones first; members of structures and of named blocks cannot.
func (a *Analysis) Visible(at source.Pos) (list []*Symbol) {
	token := a.tokenAt(at)
	seen := map[string]bool{}
	for _, s := range slices.Backward(a.Symbols) {
		if !seen[s.Name] && a.visible(s, at, token) {
			seen[s.Name] = true
			list = append(list, s)
		}
	}
	return list
}

func (a *Analysis) visible(s *Symbol, at source.Pos, token int) bool {
	if s.token > token {
		return false
	}
	switch s.Kind {
	case SymbolMember:
		return s.Buffer != nil && s.Buffer.Instance == ""
	case SymbolBlock:
		return s.Struct == nil // the name of the block itself stands for nothing
	case SymbolVariable:
		v := s.Variable
		return !v.Local() || v.Pos.File == at.File && comparePlaces(v.Scope.Start, at) <= 0 && comparePlaces(at, v.Scope.End) <= 0
	}
	return s.Kind != SymbolBuiltin
}

// tokenAt is the index of the first token at a place of a file or behind it; that of the end when there is none.
func (a *Analysis) tokenAt(at source.Pos) int {
	last := len(a.toks)
	for i := range a.toks {
		if t := &a.toks[i]; t.Pos.File == at.File {
			if comparePlaces(t.Pos, at) >= 0 {
				return i
			}
			last = i + 1
		}
	}
	return last
}

// Declared lists the symbols that a file declares, in the order of the text.
func (a *Analysis) Declared(file string) (list []Use) {
	for _, u := range a.uses[file] {
		if u.Declares {
			list = append(list, u)
		}
	}
	return list
}

// Words lists the words of the language by what they are to a reader.
func Words(kind WordKind) (list []string) {
	switch kind {
	case WordType:
		for w := range typeWords {
			list = append(list, w)
		}
	case WordQualifier:
		list = strings.Fields("const in out inout uniform buffer shared precise layout coherent volatile restrict readonly writeonly")
	case WordStatement:
		list = strings.Fields("break continue do for while switch case default if else true false return struct")
	case WordFunction:
		for i := range tree.Builtins {
			list = append(list, tree.Builtins[i].Name)
		}
		list = append(list, "debugf", "breakpoint")
	}
	slices.Sort(list)
	return list
}

// TypeWord is the type that a word of the language names, or nil.
func TypeWord(word string) *tree.Type { return typeWords[word] }

// IncludedAt is the line of a file that includes another one directly.
func (a *Analysis) IncludedAt(file, included string) (line int, ok bool) {
	for _, i := range a.includes {
		if i.Pos.File == file && i.File == included {
			return i.Pos.Line, true
		}
	}
	return 0, false
}
