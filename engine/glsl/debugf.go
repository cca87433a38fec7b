package glsl

import (
	"fmt"
	"strings"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// The names through which a debugf reaches the debug log; "vyretop/log.glsl" defines the last two.
const (
	debugfName = "debugf"
	logName    = "vt_debugf"
	bitsName   = "vt_bits"
	logHeader  = `add #include "vyretop/log.glsl" before the first debugf`
	maxLogArgs = 4 // of one record; package preprocess refuses more
)

// debugf parses debugf("format", a, b, …). It becomes the call that the emitted text shows:
// vt_debugf(format id, count, vt_bits(a), vt_bits(b), 0u, 0u).
func (p *parser) debugf() tree.Expr {
	name := p.next()
	p.expect("(")
	format := p.next()
	if format.Kind != source.String {
		p.syntax(format.Pos, debugfName, "the first argument of debugf must be a text in quotes")
		return broken(name.Pos)
	}
	var args []tree.Expr
	for p.accept(",") {
		args = append(args, p.assignment())
	}
	p.expect(")")
	id, known := p.pre.FormatID(format.Text)
	if p.recovering || anyBroken(args...) || !known || !p.checkFormat(format.Pos, p.pre.Formats[id], args) {
		return broken(name.Pos)
	}
	return p.logCall(name, id, args)
}

// logCall builds the call of vt_debugf.
func (p *parser) logCall(name source.Token, id int, args []tree.Expr) tree.Expr {
	log, bits := p.logFunction(logName), p.logFunction(bitsName)
	if log == nil || bits == nil {
		p.malformed(name.Pos, debugfName, logHeader, "debugf needs the functions %s and %s, which nothing declares", logName, bitsName)
		return broken(name.Pos)
	}
	list := []tree.Expr{unsigned(id, name.Pos), unsigned(len(args), name.Pos)}
	for _, a := range args {
		list = append(list, p.callUser(source.Token{Text: bitsName, Pos: a.Pos()}, bits, []tree.Expr{a}))
	}
	for range maxLogArgs - len(args) {
		list = append(list, unsigned(0, name.Pos))
	}
	return p.callUser(source.Token{Text: logName, Pos: name.Pos}, log, list)
}

func (p *parser) logFunction(name string) []*overload {
	s := p.lookup(name)
	if s == nil || s.kind != symFunction {
		return nil
	}
	return s.overloads
}

func unsigned(n int, at source.Pos) tree.Expr {
	return &tree.Const{Node: tree.Node{T: tree.Uint, At: at}, Bits: []uint32{uint32(n)}}
}

// checkFormat checks the directives of a format against the arguments.
func (p *parser) checkFormat(at source.Pos, format string, args []tree.Expr) bool {
	verbs, bad := formatVerbs(format)
	if bad != "" {
		p.malformed(at, debugfName, "use %u, %d, %x, %f or %%", "the format has the unknown directive %q", bad)
		return false
	}
	if len(verbs) != len(args) {
		p.malformed(at, debugfName, "give one value for each directive", "the format has %d directive(s) and there are %d value(s)", len(verbs), len(args))
		return false
	}
	for i, a := range args {
		if !verbTakes(verbs[i], a) {
			p.malformed(a.Pos(), debugfName, fmt.Sprintf("use %s, or convert the value", verbKinds[verbs[i]]), "the directive %%%c does not take %s", verbs[i], a.Type())
			return false
		}
	}
	return true
}

var verbKinds = map[byte]string{'u': "a uint or bool", 'd': "an int", 'x': "a uint or int", 'f': "a float"}

// formatVerbs lists the directives of a format; bad is the first unknown one.
func formatVerbs(format string) (verbs []byte, bad string) {
	for {
		_, after, found := strings.Cut(format, "%")
		switch {
		case !found:
			return verbs, ""
		case after == "":
			return nil, "%"
		case after[0] == '%':
		case verbKinds[after[0]] == "":
			return nil, "%" + after[:1]
		default:
			verbs = append(verbs, after[0])
		}
		format = after[1:]
	}
}

// verbTakes reports whether a directive prints values of this type. A constant int is good for %u
// when it is not negative.
func verbTakes(verb byte, e tree.Expr) bool {
	t := e.Type()
	if !t.IsScalar() {
		return false
	}
	switch verb {
	case 'u':
		c := constant(e)
		return t == tree.Uint || t == tree.Bool || t == tree.Int && c != nil && int32(c.Bits[0]) >= 0
	case 'd':
		return t == tree.Int
	case 'x':
		return t == tree.Uint || t == tree.Int
	default:
		return t == tree.Float
	}
}
