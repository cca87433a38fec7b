package preprocess

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vyretop/engine/glsl/source"
)

// directives gives what carries out each directive, with the position of its name and the rest of
// its line. #if and its like are in conditionals, #include reads its line itself.
var directives map[string]func(p *processor, at source.Pos, line []token)

func init() { // a plain initializer would refer to itself through the functions
	directives = map[string]func(*processor, source.Pos, []token){
		"define":    (*processor).defineDirective,
		"undef":     (*processor).undefDirective,
		"version":   (*processor).versionDirective,
		"extension": (*processor).extensionDirective,
		"pragma":    (*processor).pragmaDirective,
		"error":     (*processor).errorDirective,
		"line":      (*processor).lineDirective,
	}
}

// next gives the next token of the text after carrying out the directives before it.
func (p *processor) next() token {
	for {
		t := p.raw()
		switch {
		case t.Kind == source.EOF:
			if p.stopped || !p.leave() {
				return t
			}
		case t.bol && t.is("#"):
			p.directive()
		case p.skipping():
			p.lex().rest()
		default:
			p.began = true
			return t
		}
	}
}

// raw gives the next token of the current file; EOF again and again at its end.
func (p *processor) raw() token {
	if n := len(p.held); n > 0 {
		t := p.held[n-1]
		p.held = p.held[:n-1]
		return t
	}
	if p.stopped {
		return token{Token: source.Token{Kind: source.EOF}}
	}
	t := p.lex().next()
	p.spend(1, t.Pos)
	return t
}

// unraw gives the last raw token back.
func (p *processor) unraw(t token) { p.held = append(p.held, t) }

func (p *processor) frame() *frame { return p.frames[len(p.frames)-1] }
func (p *processor) lex() *lexer   { return p.frame().lex }

// directive carries out the directive whose # was just read.
func (p *processor) directive() {
	name, ok := p.lex().nextInLine()
	if !ok {
		return // the null directive
	}
	if name.Text != "version" {
		p.began = true
	}
	if handle, ok := conditionals[name.Text]; ok {
		handle(p, name.Pos, p.lex().rest())
		return
	}
	if p.skipping() {
		p.lex().rest()
		return
	}
	if name.Text == "include" {
		p.includeDirective(name.Pos)
		return
	}
	line := p.lex().rest()
	p.spend(len(line), name.Pos)
	handle, ok := directives[name.Text]
	if !ok {
		p.errorf(name.Pos, "#", "remove the line", "%s is not a directive", quoteShort("#"+name.Text))
		return
	}
	handle(p, name.Pos, line)
}

// lineEnds reports the first token of line, which should be empty.
func (p *processor) lineEnds(directive string, line []token) {
	if len(line) > 0 {
		p.errorf(line[0].Pos, directive, "remove the rest of the line",
			"%s is followed by %s, which does not belong to it", directive, quoteShort(line[0].Text))
	}
}

// versionDirective carries out #version NUMBER [PROFILE].
func (p *processor) versionDirective(at source.Pos, line []token) {
	const fix = "begin the kernel with #version 450"
	late := p.began
	p.began = true
	switch {
	case late:
		p.errorf(at, "#version", "move it to the first line of the kernel", "#version must stand before anything but comments")
		return
	case len(line) == 0 || line[0].Kind != source.IntLit:
		p.errorf(at, "#version", fix, "#version needs a number")
		return
	}
	version, ok := parseInt(line[0].Text)
	if !ok || line[0].problem != nil || version <= 0 {
		p.errorf(line[0].Pos, "#version", fix, "%s is not a version", quoteShort(line[0].Text))
		return
	}
	p.res.Version, p.res.VersionPos = int(version), at
	if len(line) > 1 {
		p.res.Profile = line[1].Text
		p.lineEnds("#version", line[2:])
	}
	p.defineProfile(line)
}

// defineProfile defines the macro that tells the profile of the text.
func (p *processor) defineProfile(line []token) {
	macros := map[string]string{
		"": "GL_core_profile", "core": "GL_core_profile", "compatibility": "GL_compatibility_profile", "es": "GL_ES",
	}
	name, ok := macros[p.res.Profile]
	if !ok {
		p.errorf(line[1].Pos, "#version", "use core or leave it out", "the profile %s is unknown", quoteShort(p.res.Profile))
		return
	}
	p.macros[name] = one(name)
}

// one is a macro that stands for 1.
func one(name string) *macro {
	text := token{Token: source.Token{Kind: source.IntLit, Text: "1"}}
	return &macro{name: name, body: []bodyToken{{text, -1}}}
}

// extensionDirective carries out #extension NAME : BEHAVIOR.
func (p *processor) extensionDirective(at source.Pos, line []token) {
	const fix = "write it as #extension GL_NAME : require (or enable, warn, disable)"
	if len(line) < 3 || line[0].Kind != source.Ident || !line[1].is(":") {
		p.errorf(at, "#extension", fix, "the #extension line is malformed")
		return
	}
	name, behavior := line[0].Text, line[2].Text
	switch {
	case behavior != "require" && behavior != "enable" && behavior != "warn" && behavior != "disable":
		p.errorf(line[2].Pos, "#extension", fix, "%s is not an extension behavior", quoteShort(behavior))
		return
	case name == "all" && (behavior == "require" || behavior == "enable"):
		p.errorf(line[2].Pos, "#extension", "name each extension", `"all" can only be used with warn or disable`)
		return
	}
	p.lineEnds("#extension", line[3:])
	p.res.Extensions = append(p.res.Extensions, Extension{Name: name, Behavior: behavior, Pos: at})
	if behavior == "require" || behavior == "enable" {
		p.macros[name] = one(name)
	}
}

// pragmaDirective keeps a #pragma for the driver, and carries out #pragma once.
func (p *processor) pragmaDirective(at source.Pos, line []token) {
	if len(line) == 1 && line[0].is("once") {
		p.once[p.frame().file.Name] = true
		return
	}
	for _, t := range line {
		if t.problem != nil { // a pragma that no compiler here knows, and what it says does not matter
			p.warnf(t.Pos, "#pragma", "correct or remove it", "the #pragma is ignored: %s", t.problem.Message)
			return
		}
	}
	p.res.Pragmas = append(p.res.Pragmas, Pragma{Text: lineText(line), Pos: at, before: len(p.res.Tokens)})
}

// errorDirective carries out #error: its text is the message.
func (p *processor) errorDirective(at source.Pos, line []token) {
	text := lineText(line)
	if text == "" {
		text = "#error"
	}
	if n := len(p.res.Asked); n > 0 {
		name := p.res.Asked[n-1]
		p.report(source.Diagnostic{Pos: at, Kind: source.OutsideSubset, Construct: name, Fix: "write the kernel without it",
			Message: fmt.Sprintf("%s (the extension %s, which the text asks for, is outside the kernel language)", text, name)})
		return
	}
	p.errorf(at, "#error", "meet the condition that the kernel asks for here", "%s", text)
}

// lineText joins tokens as written, with one blank for blanks and comments.
func lineText(line []token) string {
	var b strings.Builder
	for i, t := range line {
		if i > 0 && t.space {
			b.WriteByte(' ')
		}
		b.WriteString(t.Text)
	}
	return b.String()
}

// lineDirective carries out #line NUMBER [FILE]: the next line has that number. FILE is a
// string, or a number of Result.Files; another number is a name by itself.
func (p *processor) lineDirective(at source.Pos, line []token) {
	const fix = `write it as #line 10 or #line 10 "file"`
	lex, file := p.lex(), ""
	if n := len(line); n > 1 && line[n-1].Kind == source.String && p.sound(line[n-1]) {
		if !namesLines(p) {
			p.errorf(line[n-1].Pos, "#line", "add #extension GL_GOOGLE_cpp_style_line_directive : enable, or give a number", "a name in #line needs the extension GL_GOOGLE_cpp_style_line_directive")
			return
		}
		file, line = strings.Trim(line[n-1].Text, `"`), line[:n-1]
		p.fileIndex(file)
	}
	x := p.newExpression("#line", at, line)
	number := x.binary(0)
	if file == "" && x.ok() && !x.atEnd() {
		file = p.numberedFile(x.binary(0))
	}
	if x.ok() && (!x.atEnd() || number < 0) {
		x.fail(at, fix, "#line needs a line number and perhaps a file")
	}
	if !x.ok() {
		return
	}
	lex.pos(lex.off) // lex.line is now the line that the directive ends on
	lex.shift = int(number) - (lex.line + 2)
	if file != "" {
		lex.name = file
	}
}

// namesLines reports whether an extension is enabled that lets #line name files.
func namesLines(p *processor) bool {
	return slices.ContainsFunc(p.res.Extensions, func(x Extension) bool { return ourExtensions[x.Name] && x.Behavior != "disable" })
}

// numberedFile is the name of file number n of Result.Files, or the number itself.
func (p *processor) numberedFile(n int32) string {
	if n >= 0 && int(n) < len(p.res.Files) {
		return p.res.Files[n]
	}
	return strconv.Itoa(int(n))
}
