package preprocess

import (
	"strings"

	"vyretop/engine/glsl/source"
)

// Record is what a reader of the text asks about macros and includes: see Options.Record.
type Record struct {
	Macros   []*Definition // in the order of their definitions
	Uses     []MacroUse    // names of macros as the text writes them, those of directives too
	Includes []Include
}

// Definition is a #define of a text. A macro that is not defined in a text has the zero Pos.
type Definition struct {
	Name string
	Pos  source.Pos // of the name
	Text string     // the line behind #define, one blank between words
}

// MacroUse is a name of a macro in the text. Definition is the one in force.
type MacroUse struct {
	Pos        source.Pos
	Definition *Definition
	Defines    bool // it is the name of the definition itself
}

// Include is an #include that was found.
type Include struct {
	Pos  source.Pos // of the word include
	File string     // source.File.Name of what was read
}

// define notes the macro that line defines. It does nothing when r is nil, as the others.
func (r *Record) define(m *macro, name token, line []token) {
	if r == nil {
		return
	}
	m.def = &Definition{Name: m.name, Pos: name.Pos, Text: lineText(line)}
	r.Macros = append(r.Macros, m.def)
	r.Uses = append(r.Uses, MacroUse{Pos: name.Pos, Definition: m.def, Defines: true})
}

// use notes a name in the text that stands for m, or does not when m is nil. A name out of another macro is not in the text.
func (r *Record) use(m *macro, name token) {
	if r == nil || m == nil || name.Pos.Macro != "" || strings.HasPrefix(name.Pos.File, "<") {
		return
	}
	if m.def == nil {
		m.def = &Definition{Name: m.name, Text: m.name}
	}
	r.Uses = append(r.Uses, MacroUse{Pos: name.Pos, Definition: m.def})
}

// include notes a file that an #include names.
func (r *Record) include(at source.Pos, file string) {
	if r != nil {
		r.Includes = append(r.Includes, Include{Pos: at, File: file})
	}
}
