package preprocess

import (
	"cmp"

	"vyretop/engine/glsl/source"
)

// maxTokenBytes bounds the length of a token that ## makes.
const maxTokenBytes = 1024

// arguments reads the arguments of a call of m up to its closing parenthesis. ok is false, and the
// problem reported, when the call is malformed.
// last is the line of that parenthesis.
func (e *expander) arguments(m *macro, name token) (args [][]token, last int, ok bool) {
	arg, depth := []token(nil), 0
	for {
		t := e.read(tokenSource.raw)
		switch {
		case t.Kind == source.EOF:
			if !e.p.stopped {
				e.p.errorf(name.Pos, m.name, "add the missing )",
					"the call of the macro %q has no closing parenthesis", m.name)
			}
			return nil, 0, false
		case t.bol && t.is("#"):
			e.p.errorf(t.Pos, "#", "move the directive out of the macro call",
				"a directive stands inside a call of the macro %q", m.name)
			e.src.unraw(t)
			return nil, 0, false
		case t.is("("):
			depth++
		case t.is(")") && depth == 0:
			args = append(args, arg)
			return args, cmp.Or(t.line, t.Pos.Line), e.p.argumentCount(m, name, args)
		case t.is(")"):
			depth--
		case t.is(",") && depth == 0:
			args, arg = append(args, arg), nil
			continue
		}
		if cur := e.p.macros[t.Text]; t.Kind == source.Ident && cur != nil && cur.disabled {
			t.noexpand = true
		}
		arg = append(arg, t)
	}
}

// argumentCount checks the number of arguments; a macro without parameters has one empty one.
func (p *processor) argumentCount(m *macro, name token, args [][]token) bool {
	n := len(args)
	if len(m.params) == 0 && n == 1 && len(args[0]) == 0 {
		n = 0
	}
	if n == len(m.params) {
		return true
	}
	p.errorf(name.Pos, m.name, "give each parameter one argument",
		"the macro %q takes %d arguments but gets %d", m.name, len(m.params), n)
	return false
}

// relocate gives a token of m's body the place of the macro's name in the text.
func (m *macro) relocate(t, name token) token {
	t.Pos = name.Pos
	if t.Pos.Macro == "" {
		t.Pos.Macro = m.name
	}
	t.guard, t.line = name.guard, name.line
	return t
}

// substitution builds the expansion of one macro call.
type substitution struct {
	p        *processor
	m        *macro
	name     token
	args     [][]token
	expanded [][]token // args fully expanded, each when first needed
	out      []token
}

// substitute replaces the parameters in m's body by the arguments and carries out ##.
func (p *processor) substitute(m *macro, name token, args [][]token) []token {
	s := &substitution{p: p, m: m, name: name, args: args, expanded: make([][]token, len(args))}
	for i := 0; i < len(m.body) && !p.stopped; i++ {
		if i+1 == len(m.body) || !m.body[i+1].paste() {
			s.add(s.full(m.body[i]))
			continue
		}
		left := s.plain(m.body[i])
		for !p.stopped && i+2 < len(m.body) && m.body[i+1].paste() {
			left = s.paste(left, s.plain(m.body[i+2]))
			i += 2
		}
		s.add(left)
	}
	return s.out
}

// add appends to the expansion, counting the work.
func (s *substitution) add(toks []token) {
	if s.p.spend(len(toks), s.name.Pos); !s.p.stopped {
		s.out = append(s.out, toks...)
	}
}

// full is what a body token stands for outside ##: an argument is expanded first.
func (s *substitution) full(t bodyToken) []token {
	if t.param < 0 || len(s.args[t.param]) == 0 {
		return s.plain(t)
	}
	if s.expanded[t.param] == nil {
		s.expanded[t.param] = s.p.expandList(s.args[t.param], s.name.Pos)
	}
	return s.expanded[t.param]
}

// plain is what a body token stands for beside ##: an argument as written.
func (s *substitution) plain(t bodyToken) []token {
	if t.param >= 0 {
		return s.args[t.param]
	}
	return []token{s.m.relocate(t.token, s.name)}
}

// paste joins the last token of left and the first of right. An empty side leaves the other.
func (s *substitution) paste(left, right []token) []token {
	s.p.spend(len(left)+len(right), s.name.Pos)
	if len(left) == 0 || len(right) == 0 {
		return append(left[:len(left):len(left)], right...)
	}
	l, r := left[len(left)-1], right[0]
	t := s.m.relocate(token{Token: source.Token{Text: l.Text + r.Text}, space: l.space}, s.name)
	kind, n, wrong := scanToken(t.Text)
	comment := t.Text[0] == '/' && (t.Text[1] == '/' || t.Text[1] == '*')
	if n != len(t.Text) || n > maxTokenBytes || comment || wrong != nil || kind == source.String {
		s.p.errorf(t.Pos, "##", "paste two parts of one identifier, number or operator",
			"## makes no token of %s and %s", quoteShort(l.Text), quoteShort(r.Text))
		return left
	}
	t.Kind = kind
	joined := append(left[:len(left)-1:len(left)-1], t)
	return append(joined, right[1:]...)
}

// expandList expands the tokens of an argument or a directive on their own.
func (p *processor) expandList(toks []token, at source.Pos) []token {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxNesting {
		p.errorf(at, LimitNesting, "nest macro calls less deeply", "macro arguments are nested more than %d deep", maxNesting)
		p.stopped = true
		return nil
	}
	p.spend(len(toks), at)
	e := &expander{p: p, src: &listSource{toks: toks, end: at}}
	out := make([]token, 0, len(toks))
	for {
		t := e.next()
		if t.Kind == source.EOF {
			return out
		}
		if p.stopped {
			return out
		}
		out = append(out, t)
	}
}
