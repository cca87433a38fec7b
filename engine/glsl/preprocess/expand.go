package preprocess

import (
	"cmp"

	"vyretop/engine/glsl/source"
)

// tokenSource is what an expander reads below the expansions it has begun.
type tokenSource interface {
	next() token   // the next token, directives carried out
	raw() token    // the next token as it stands; EOF again and again at the end
	unraw(t token) // gives the last raw token back
}

// listSource is a tokenSource over the tokens of an argument or of a directive.
type listSource struct {
	toks []token
	at   int        // index of the next token
	end  source.Pos // position of the EOF after the last
}

func (s *listSource) next() token { return s.raw() }

func (s *listSource) raw() token {
	if s.at == len(s.toks) {
		return token{Token: source.Token{Kind: source.EOF, Pos: s.end}}
	}
	s.at++
	return s.toks[s.at-1]
}

func (s *listSource) unraw(t token) {
	if t.Kind != source.EOF {
		s.at--
	}
}

// expander replaces macros in the tokens of a source (section 3.3, C11 6.10.3). An expansion is
// pushed on a stack and read before the source continues, so that a macro call may begin in an
// expansion and end after it. A macro is disabled while its own expansion is read.
type expander struct {
	p     *processor
	src   tokenSource
	stack []expansion // innermost last
}

// expansion is what is left to read of one macro's replacement.
type expansion struct {
	toks []token
	of   *macro
}

// next gives the next token that is not a macro call; EOF at the end.
func (e *expander) next() token {
	for {
		t := e.read(tokenSource.next)
		if t.Kind != source.Ident || t.noexpand {
			return t
		}
		m := e.p.macros[t.Text]
		if m == nil {
			return t
		}
		if m.disabled {
			t.noexpand = true
			return t
		}
		if !e.expand(m, t) {
			return t
		}
		e.p.res.Record.use(m, t)
	}
}

// read takes the next token from the innermost expansion, or else from the source in the given way.
func (e *expander) read(from func(tokenSource) token) token {
	if top := e.top(); top != nil {
		return top.take()
	}
	return from(e.src)
}

// top is the innermost expansion with tokens left to read; nil when none is. Macros whose
// expansions were read to their end are enabled again.
func (e *expander) top() *expansion {
	for n := len(e.stack) - 1; n >= 0; n-- {
		if top := &e.stack[n]; len(top.toks) > 0 {
			return top
		}
		e.stack[n].of.disabled = false
		e.stack = e.stack[:n]
	}
	return nil
}

// take reads the next token of the expansion.
func (x *expansion) take() token {
	t := x.toks[0]
	x.toks = x.toks[1:]
	return t
}

// push begins to read toks as the expansion of m.
func (e *expander) push(m *macro, toks []token) {
	m.disabled = true
	e.stack = append(e.stack, expansion{toks, m})
}

// expand begins the expansion of m at the name t; false when m takes arguments and none follow.
func (e *expander) expand(m *macro, t token) bool {
	if m.builtin != nil {
		lit := token{Token: source.Token{Kind: source.IntLit, Text: m.builtin(e.p, t)}}
		e.push(m, []token{m.relocate(lit, t)})
		return true
	}
	var args [][]token
	if m.function {
		if !e.open() {
			return false
		}
		var ok bool
		var last int
		if args, last, ok = e.arguments(m, t); !ok {
			return true // reported; the malformed call expands to nothing
		}
		t.line = cmp.Or(t.line, last)
	}
	e.push(m, e.p.substitute(m, t, args))
	return true
}

// open consumes the next token if it is "(".
func (e *expander) open() bool {
	if top := e.top(); top != nil {
		if !top.toks[0].is("(") {
			return false
		}
		top.take()
		return true
	}
	t := e.src.raw()
	if !t.is("(") {
		e.src.unraw(t)
		return false
	}
	return true
}
