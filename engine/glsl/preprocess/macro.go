package preprocess

import (
	"cmp"
	"strconv"
	"strings"

	"vyretop/engine/glsl/source"
)

// macro is one definition. Exactly one of builtin and body is in use.
type macro struct {
	name     string
	function bool // takes an argument list, perhaps an empty one
	params   []string
	body     []bodyToken
	builtin  func(*processor, token) string // text of the integer it expands to
	disabled bool                           // its expansion is being read
	def      *Definition                    // with Options.Record
}

// bodyToken is one token of a replacement list.
type bodyToken struct {
	token
	param int // index of the parameter that it names, or -1
}

// paste reports whether the token is the ## operator.
func (t bodyToken) paste() bool { return t.is("##") }

// predefine defines the macros of Options.Defines. Their positions are in a file "<defines>",
// one line each.
func (p *processor) predefine() {
	for _, name := range p.o.Supported {
		p.macros[name] = one(name)
	}
	for i, d := range p.o.Defines {
		text := d.Name + " " + d.Body
		lex := newLexer(&source.File{Name: "<defines>", Text: text}, p.report)
		lex.shift = i
		line := lex.rest()
		p.spend(len(line), source.Pos{})
		if lex.off < len(lex.text) {
			p.errorf(lex.pos(lex.off), "#define", "join its lines",
				"the macro %s has more than one line", quoteShort(d.Name))
			continue
		}
		p.define(line, source.Pos{File: lex.name, Line: i + 1, Col: 1}, true)
	}
}

// defineDirective carries out #define.
func (p *processor) defineDirective(at source.Pos, line []token) { p.define(line, at, false) }

// define defines the macro that line describes: name, parameters if "(" follows at once, body.
// predefined allows names that a text may not define.
func (p *processor) define(line []token, at source.Pos, predefined bool) {
	name, ok := p.macroName("#define", at, line)
	if !ok || !predefined && !p.definable("#define", name) {
		return
	}
	m := &macro{name: name.Text}
	body := line[1:]
	if len(body) > 0 && body[0].is("(") && !body[0].space {
		m.function = true
		if body, ok = p.parameters(m, name.Pos, body[1:]); !ok {
			return
		}
	}
	for _, t := range body {
		m.body = append(m.body, bodyToken{t, m.param(t)})
	}
	if n := len(m.body); n > 0 && (m.body[0].paste() || m.body[n-1].paste()) {
		p.errorf(name.Pos, "##", "give ## a left and a right operand",
			"## begins or ends the body of the macro %q", m.name)
		return
	}
	if old := p.macros[m.name]; old != nil && !old.same(m) {
		p.errorf(name.Pos, "#define", "#undef it first, or use another name",
			"the macro %q is already defined differently", m.name)
		return
	}
	p.macros[m.name] = m
	p.res.Record.define(m, name, line)
}

// parameters reads a parameter list after its "(" and returns what follows the ")".
func (p *processor) parameters(m *macro, at source.Pos, line []token) (rest []token, ok bool) {
	const fix = "write it as #define NAME(a, b) body"
	if len(line) > 0 && line[0].is(")") {
		return line[1:], true
	}
	for len(line) >= 2 && line[0].Kind == source.Ident {
		t, end := line[0], line[1]
		if m.param(t) >= 0 {
			p.errorf(t.Pos, "#define", "rename one of them", "the macro %q has two parameters %q", m.name, t.Text)
			return nil, false
		}
		m.params = append(m.params, t.Text)
		line = line[2:]
		if end.is(")") {
			return line, true
		}
		if !end.is(",") {
			at = end.Pos
			break
		}
	}
	p.errorf(at, "#define", fix, "the parameter list of the macro %q is malformed", m.name)
	return nil, false
}

// param is the index of the parameter that t names, or -1.
func (m *macro) param(t token) int {
	if t.Kind == source.Ident {
		for i, name := range m.params {
			if name == t.Text {
				return i
			}
		}
	}
	return -1
}

// same reports whether two definitions are equal: same parameters, same tokens, blanks at the
// same places.
func (m *macro) same(o *macro) bool {
	if m.builtin != nil || m.function != o.function || len(m.params) != len(o.params) || len(m.body) != len(o.body) {
		return false
	}
	for i := range m.params {
		if m.params[i] != o.params[i] {
			return false
		}
	}
	for i := range m.body {
		if m.body[i].Text != o.body[i].Text || i > 0 && m.body[i].space != o.body[i].space {
			return false
		}
	}
	return true
}

// undefDirective carries out #undef.
func (p *processor) undefDirective(at source.Pos, line []token) {
	name, ok := p.macroName("#undef", at, line)
	if !ok {
		return
	}
	p.res.Record.use(p.macros[name.Text], name)
	if m := p.macros[name.Text]; m != nil && m.builtin != nil && p.res.Profile != "es" {
		p.warnf(name.Pos, "#undef", "leave it defined", "%s is predefined; here it ends, other compilers may refuse that", name.Text)
	} else if !p.definable("#undef", name) {
		return
	}
	p.lineEnds("#undef", line[1:])
	delete(p.macros, name.Text)
}

// macroName is the name that a directive about macros starts with.
func (p *processor) macroName(directive string, at source.Pos, line []token) (token, bool) {
	if len(line) > 0 && line[0].Kind == source.Ident {
		return line[0], true
	}
	if len(line) > 0 {
		at = line[0].Pos
	}
	p.errorf(at, directive, "name a macro after it", "%s needs the name of a macro", directive)
	return token{}, false
}

// definable reports whether a text may define or undefine name (section 3.3; like glslang, "__"
// is only warned about).
func (p *processor) definable(directive string, name token) bool {
	old := p.macros[name.Text]
	switch {
	case name.Text == "defined", strings.HasPrefix(name.Text, "GL_"), old != nil && old.builtin != nil:
		p.errorf(name.Pos, directive, "use another name", "the macro name %q is reserved by GLSL", name.Text)
		return false
	case strings.Contains(name.Text, "__"):
		p.warnf(name.Pos, directive, "use another name",
			"names with two underscores in a row, such as %q, are reserved", name.Text)
	}
	return true
}

// lineMacro gives the line of t. In the body of a macro whose call takes several lines it is the last of them, as in
// other compilers.
func (p *processor) lineMacro(t token) string { return strconv.Itoa(cmp.Or(t.line, t.Pos.Line)) }

// fileMacro numbers files in the order of Result.Files: 0 is the main file. A file that #line
// names by another number is that number.
func (p *processor) fileMacro(t token) string {
	if i, known := p.files[t.Pos.File]; known {
		return strconv.Itoa(i)
	}
	return t.Pos.File
}

// versionMacro gives the version; a text without #version has version 110.
func (p *processor) versionMacro(token) string {
	if p.res.Version == 0 {
		return "110"
	}
	return strconv.Itoa(p.res.Version)
}
