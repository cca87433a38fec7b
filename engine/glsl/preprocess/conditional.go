package preprocess

import (
	"slices"
	"strings"

	"vyretop/engine/glsl/source"
)

// conditional is one #if that has not met its #endif.
type conditional struct {
	at       source.Pos
	outer    bool // the group around it is read, not skipped
	active   bool // its current group is read
	taken    bool // one of its groups was read
	elseSeen bool
}

// conditionals gives what carries out the directives that also count in skipped groups.
var conditionals map[string]func(p *processor, at source.Pos, line []token)

func init() { // a plain initializer would refer to itself through the functions
	conditionals = map[string]func(*processor, source.Pos, []token){
		"if":     (*processor).ifDirective,
		"ifdef":  func(p *processor, at source.Pos, line []token) { p.ifdef("#ifdef", true, at, line) },
		"ifndef": func(p *processor, at source.Pos, line []token) { p.ifdef("#ifndef", false, at, line) },
		"elif":   (*processor).elifDirective,
		"else":   (*processor).elseDirective,
		"endif":  (*processor).endifDirective,
	}
}

// skipping reports whether the text at hand is in a group that is not taken.
func (p *processor) skipping() bool {
	conds := p.frame().conds
	return len(conds) > 0 && !conds[len(conds)-1].active
}

// begin opens a conditional; holds is evaluated unless the whole is skipped.
func (p *processor) begin(at source.Pos, holds func() bool) {
	c := conditional{at: at, outer: !p.skipping()}
	c.active = c.outer && holds()
	c.taken = c.active
	f := p.frame()
	f.conds = append(f.conds, c)
}

func (p *processor) ifDirective(at source.Pos, line []token) {
	p.begin(at, func() bool { return p.condition("#if", at, line) })
}

func (p *processor) ifdef(directive string, want bool, at source.Pos, line []token) {
	p.begin(at, func() bool {
		name, ok := p.macroName(directive, at, line)
		if !ok {
			return false
		}
		p.lineEnds(directive, line[1:])
		p.res.Record.use(p.macros[name.Text], name)
		return isDefined(p, name.Text) == want
	})
}

// isDefined reports whether name is a macro, and notes when it would be one if the compiler had an extension.
func isDefined(p *processor, name string) bool {
	if p.macros[name] != nil {
		return true
	}
	if isExtension(name) && !slices.Contains(p.res.Asked, name) {
		p.res.Asked = append(p.res.Asked, name)
	}
	return false
}

// isExtension reports whether name is formed as those of extensions are: GL_, a vendor in capitals, and a name.
func isExtension(name string) bool {
	vendor, rest, ok := strings.Cut(strings.TrimPrefix(name, "GL_"), "_")
	return ok && strings.HasPrefix(name, "GL_") && vendor == strings.ToUpper(vendor) && strings.ToUpper(rest) != rest
}

// current is the innermost conditional, for a directive that needs one before its #else.
func (p *processor) current(directive string, at source.Pos) *conditional {
	conds := p.frame().conds
	if len(conds) == 0 {
		p.errorf(at, directive, "remove it, or add the #if before it", "%s has no #if in this file", directive)
		return nil
	}
	c := &conds[len(conds)-1]
	if c.elseSeen && directive != "#endif" {
		p.errorf(at, directive, "end the #if first", "%s follows the #else of the #if in line %d", directive, c.at.Line)
		return nil
	}
	return c
}

// elifDirective takes its group if no group before it was; its condition is evaluated only then.
func (p *processor) elifDirective(at source.Pos, line []token) {
	c := p.current("#elif", at)
	if c == nil {
		return
	}
	c.active = c.outer && !c.taken && p.condition("#elif", at, line)
	c.taken = c.taken || c.active
}

func (p *processor) elseDirective(at source.Pos, line []token) {
	c := p.current("#else", at)
	if c == nil {
		return
	}
	if c.outer {
		p.lineEnds("#else", line)
	}
	c.active = c.outer && !c.taken
	c.taken, c.elseSeen = true, true
}

func (p *processor) endifDirective(at source.Pos, line []token) {
	c := p.current("#endif", at)
	if c == nil {
		return
	}
	if c.outer {
		p.lineEnds("#endif", line)
	}
	f := p.frame()
	f.conds = f.conds[:len(f.conds)-1]
}

// condition evaluates the expression of #if or #elif.
func (p *processor) condition(directive string, at source.Pos, line []token) bool {
	p.spend(len(line), at)
	x := p.newExpression(directive, at, line)
	value := x.binary(0)
	if x.ok() && !x.atEnd() {
		x.fail(x.peek().Pos, "remove the rest of the line", "%s does not belong to the expression", quoteShort(x.peek().Text))
	}
	return x.ok() && value != 0
}
