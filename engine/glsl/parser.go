package glsl

import (
	"fmt"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// Bounds that keep any input cheap. They lie far beyond hand-written kernels.
const (
	maxErrors      = 50      // diagnostics of severity error before the parser gives up
	maxWarnings    = 100     // warnings kept beside the errors
	maxNesting     = 500     // expressions or statements inside one another
	maxDimensions  = 8       // of one array type
	maxOperators   = 10_000  // operators in one statement
	maxTypeBytes   = 1 << 30 // of one buffer block or array
	maxLocalBytes  = 1 << 17 // of one variable that is not in a buffer: half of the registers of the reference backend
	maxSharedBytes = 1 << 15 // of all shared variables: what every OpenGL 4.5 device offers
)

// parser turns tokens into a checked tree in one pass: GLSL declares names before their use, so
// types are known as soon as an expression has been read.
//
// A syntax error sets recovering; from then on the parser sees only EOF, so every function unwinds,
// until the statement or declaration that contains the error skips to its end. A type error gives
// a broken expression (see isBroken), which later checks accept silently.
type parser struct {
	opts       Options
	pre        *preprocess.Result
	toks       []source.Token // ends with EOF
	at         int            // index of the current token
	diags      source.Diagnostics
	errors     int
	recovering bool
	failed     bool               // too many errors: recovering for good
	skipped    bool               // a declaration was lost to a syntax error
	foreign    bool               // an extension outside the subset is enabled
	int64      bool               // an extension with integers of 64 bits is enabled
	inspecting bool               // an expression of a debugger, which cannot call functions
	narrow     map[tree.Kind]bool // kinds of 8 and 16 bits that extensions add

	prog      *tree.Program
	scopes    []*scope // innermost last; scopes[0] holds the inputs, scopes[1] the module
	functions []*overload
	layout    layoutState

	fn        *overload  // being defined, or nil
	body      source.Pos // of the brace that opens its body
	loops     int        // loops around the current statement
	switches  []switchState
	nesting   int
	operators int

	noted noted
	names *indexer // nil unless the text is analyzed
}

// tok is the current token.
func (p *parser) tok() source.Token { return p.peek(0) }

// peek looks n tokens ahead.
func (p *parser) peek(n int) source.Token {
	last := len(p.toks) - 1
	if p.recovering || p.at+n > last {
		return source.Token{Kind: source.EOF, Pos: p.toks[min(p.at, last)].Pos}
	}
	return p.toks[p.at+n]
}

func (p *parser) pos() source.Pos { return p.tok().Pos }

// prev is the position of the last token consumed.
func (p *parser) prev() source.Pos { return p.toks[max(p.at-1, 0)].Pos }

func (p *parser) eof() bool { return p.tok().Kind == source.EOF }

// next consumes the current token.
func (p *parser) next() source.Token {
	t := p.tok()
	if t.Kind != source.EOF {
		p.at++
	}
	return t
}

func (p *parser) is(text string) bool { return p.tok().Is(text) }

// accept consumes the current token if it is text.
func (p *parser) accept(text string) bool {
	if !p.is(text) {
		return false
	}
	p.at++
	return true
}

// expect consumes the token text or reports a syntax error; it returns the token's position.
func (p *parser) expect(text string) source.Pos {
	t := p.tok()
	if !p.accept(text) {
		p.syntax(t.Pos, text, "expected %q before %s", text, describe(t))
	}
	return t.Pos
}

// ident consumes an identifier that is not a keyword.
func (p *parser) ident(what string) source.Token {
	t := p.tok()
	if t.Kind != source.Ident {
		p.syntax(t.Pos, what, "expected %s before %s", what, describe(t))
		return source.Token{Pos: t.Pos}
	}
	if isKeyword(t.Text) {
		p.syntax(t.Pos, t.Text, "%q is a keyword and cannot be %s", t.Text, what)
		return source.Token{Pos: t.Pos}
	}
	return p.next()
}

func describe(t source.Token) string {
	if t.Kind == source.EOF {
		return "the end of the text"
	}
	return fmt.Sprintf("%q", t.Text)
}

// enter counts one level of nesting; a text nested too deeply is an error.
func (p *parser) enter() bool {
	p.nesting++
	if p.nesting > maxNesting && !p.recovering {
		p.outside(p.pos(), "nesting", "split it into several functions or statements",
			"this is nested more than %d levels deep", maxNesting)
		p.recovering = true
	}
	return !p.recovering
}

func (p *parser) leave() { p.nesting-- }

// resync ends recovery after a syntax error in the statement or declaration that began at token
// start: it skips to that one's semicolon or closing brace. A brace that closes an outer block is
// left alone, unless there is none (top).
func (p *parser) resync(start int, top bool) {
	if p.failed {
		return
	}
	p.recovering = false
	broken := p.at
	p.at = start
	for {
		p.skipStatement(broken, top)
		if !p.is("else") {
			return
		}
		broken = p.at + 1
	}
}

// endsDeclaration reports whether names that belong to a broken structure or block follow its
// closing brace, which was just passed: "… } name;". The loop of skipStatement then looks on.
func (p *parser) endsDeclaration() bool {
	after := p.peek(1)
	named := p.tok().Kind == source.Ident && !isKeyword(p.tok().Text)
	return named && (after.Is(";") || after.Is("[") || after.Is(",") || after.Is("="))
}

// skipStatement moves past the statement at p.at, whose end is looked for from token broken on.
func (p *parser) skipStatement(broken int, top bool) {
	loop := p.is("for")
	braces, parens := 0, 0
	for ; !p.eof(); p.at++ {
		switch p.tok().Text {
		case "(":
			parens++
		case ")":
			parens--
		case "{":
			braces++
		case "}":
			if braces--; braces < 0 && !top {
				return
			}
			if braces <= 0 && p.at >= broken {
				p.at++
				if top && p.endsDeclaration() {
					continue
				}
				p.accept(";")
				return
			}
		case ";":
			if braces <= 0 && p.at >= broken && (parens <= 0 || !loop) {
				p.at++
				return
			}
		}
	}
}
