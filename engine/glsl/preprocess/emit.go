package preprocess

import (
	"strconv"
	"strings"

	"vyretop/engine/glsl/source"
)

// EmitOptions says how Emit renders.
type EmitOptions struct {
	Version     int      // replaces the version of the text when not 0
	ExtraHeader []string // texts of whole lines to put after #version and #extension
}

// ourExtensions are the extensions that are about #include, which the emitted text has none of.
var ourExtensions = map[string]bool{
	"GL_GOOGLE_include_directive":        true,
	"GL_GOOGLE_cpp_style_line_directive": true,
	"GL_ARB_shading_language_include":    true,
	"GL_EXT_shader_include_directive":    true,
	"GL_NV_shading_language_include":     true,
}

// Emit renders the tokens as GLSL for a driver: #version, the #extension lines, the extra header,
// then one line for each line of the source that has tokens. A debugf call becomes
//
//	vt_debugf(FORMATu, COUNTu, vt_bits(a), vt_bits(b), 0u, 0u)
//
// with always four values. lines maps the lines of text back. A text without #version gets none
// unless o has one.
func (r *Result) Emit(o EmitOptions) (text string, lines LineMap) {
	e := &emitter{}
	e.header(r, o)
	rewrite := debugfRewriter{put: e.token}
	pragmas := r.Pragmas
	for i := range r.Tokens {
		for len(pragmas) > 0 && pragmas[0].before == i {
			e.line(pragmas[0].Pos, "#pragma "+pragmas[0].Text)
			pragmas = pragmas[1:]
		}
		if r.Tokens[i].Kind != source.EOF {
			rewrite.token(r, i)
		}
	}
	e.endLine()
	return e.text.String(), e.lines
}

// emitter lays tokens out in lines.
type emitter struct {
	text  strings.Builder
	lines LineMap
	begin int          // offset in text of the current line
	marks []mark       // of the current line
	prev  source.Token // the last token of the current line; Kind EOF at its start
	place source.Pos   // the source line of the last token
}

// header writes what stands before the first token.
func (e *emitter) header(r *Result, o EmitOptions) {
	version := r.Version
	if o.Version != 0 {
		version = o.Version
	}
	if version != 0 {
		e.line(r.VersionPos, strings.TrimSpace("#version "+strconv.Itoa(version)+" "+r.Profile))
	}
	for _, x := range r.Extensions {
		if !ourExtensions[x.Name] {
			e.line(x.Pos, "#extension "+x.Name+" : "+x.Behavior)
		}
	}
	for _, text := range o.ExtraHeader {
		for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
			e.line(source.Pos{}, line)
		}
	}
}

// line writes a line of its own.
func (e *emitter) line(pos source.Pos, text string) {
	e.endLine()
	e.mark(pos)
	e.text.WriteString(text)
	e.blankLine()
	e.place = pos
}

// endLine ends the current line if it has text.
func (e *emitter) endLine() {
	if e.prev.Kind != source.EOF {
		e.blankLine()
	}
}

// blankLine ends the current line.
func (e *emitter) blankLine() {
	e.text.WriteByte('\n')
	e.lines.marks = append(e.lines.marks, e.marks)
	e.begin, e.marks, e.prev = e.text.Len(), nil, source.Token{}
}

// mark notes that the text from here on comes from pos.
func (e *emitter) mark(pos source.Pos) {
	e.marks = append(e.marks, mark{col: e.text.Len() - e.begin + 1, pos: pos})
}

// maxIndent bounds the blanks that Emit begins a line with.
const maxIndent = 40

// token writes a token, on a new line when it comes from another source line than the last.
func (e *emitter) token(t source.Token) {
	if t.Pos.File != e.place.File || t.Pos.Line != e.place.Line {
		gap := e.place.File == t.Pos.File && t.Pos.Line > e.place.Line+1
		e.endLine()
		if gap {
			e.blankLine()
		}
	}
	if e.prev.Kind == source.EOF {
		e.text.WriteString(strings.Repeat(" ", min(t.Pos.Col-1, maxIndent)))
	} else if spaced(e.prev, t) {
		e.text.WriteByte(' ')
	}
	e.mark(t.Pos)
	e.text.WriteString(t.Text)
	e.prev, e.place = t, t.Pos
}

// spaced reports whether a blank belongs between two tokens of a line: as in the source where both
// come straight from it, else by habit, and always where they would read as something else.
func spaced(a, b source.Token) bool {
	end := a.Pos.Col + len(a.Text)
	direct := a.Pos.Macro == "" && b.Pos.Macro == "" && b.Pos.Col >= end
	switch {
	case merges(a, b):
		return true
	case direct && b.Pos.Col == end, tight(a, b):
		return false
	case direct:
		return true
	}
	return !b.Is("(") || a.Kind != source.Ident
}

// tight reports whether habit puts no blank between a and b.
func tight(a, b source.Token) bool {
	return a.Kind == source.Punct && strings.Contains("([.!~", a.Text) ||
		b.Kind == source.Punct && (strings.Contains(")].,;[", b.Text) || b.Text == "++" || b.Text == "--")
}

// merges reports whether a and b written together might not be read as a and b.
func merges(a, b source.Token) bool {
	first := b.Text[0]
	word := isLetter(first) || isDigit(first)
	switch {
	case a.Kind == source.Ident:
		return word
	case a.Kind != source.Punct:
		return word || first == '.'
	case a.Text == ".":
		return isDigit(first)
	case a.Text == "/" && (first == '*' || first == '/'):
		return true
	}
	for _, op := range operators[a.Text[0]] {
		if len(op) > len(a.Text) && strings.HasPrefix(op, a.Text) && op[len(a.Text)] == first {
			return true
		}
	}
	return false
}

// debugfRewriter turns debugf calls into calls of vt_debugf and passes everything on to put.
type debugfRewriter struct {
	put   func(source.Token)
	depth []callState // open brackets, innermost last
}

// callState says what an open bracket belongs to.
type callState struct {
	debugf bool
	values int // of the debugf call, so far
}

// token handles token i of the result.
func (w *debugfRewriter) token(r *Result, i int) {
	t := r.Tokens[i]
	inner := len(w.depth) - 1
	inCall := inner >= 0 && w.depth[inner].debugf
	switch {
	case isDebugf(r.Tokens, i):
		w.insert(t.Pos, "vt_debugf")
	case t.Kind == source.String && i >= 2 && isDebugf(r.Tokens, i-2):
		w.depth[inner].debugf = true
		w.insert(t.Pos, unsigned(r.formatIDs[t.Text]), ",", unsigned(debugfValues(r.Tokens, i-2)))
	case t.Is("("), t.Is("["):
		w.depth = append(w.depth, callState{})
		w.put(t)
	case inCall && t.Is(","):
		w.value(t.Pos, &w.depth[inner])
	case t.Is(")"), t.Is("]"):
		if inCall {
			w.pad(t.Pos, w.depth[inner].values)
		}
		w.depth = w.depth[:max(0, inner)]
		w.put(t)
	default:
		w.put(t)
	}
}

// value begins the next value of a debugf call at its comma.
func (w *debugfRewriter) value(pos source.Pos, c *callState) {
	if c.values > 0 {
		w.insert(pos, ")")
	}
	c.values++
	w.insert(pos, ",", "vt_bits", "(")
}

// pad ends the last value of a debugf call and adds those that are missing.
func (w *debugfRewriter) pad(pos source.Pos, values int) {
	if values > 0 {
		w.insert(pos, ")")
	}
	for ; values < maxDebugfValues; values++ {
		w.insert(pos, ",", "0u")
	}
}

// insert puts tokens that the source does not have.
func (w *debugfRewriter) insert(pos source.Pos, texts ...string) {
	for _, text := range texts {
		kind, _, _ := scanToken(text)
		w.put(source.Token{Kind: kind, Text: text, Pos: pos})
	}
}

func unsigned(n int) string { return strconv.Itoa(n) + "u" }
