package preprocess

import (
	"strings"
	"unicode/utf8"

	"vyretop/engine/glsl/source"
)

// token is a token on its way through the preprocessor.
type token struct {
	source.Token
	bol      bool // first on its line
	space    bool // blanks or a comment before it
	noexpand bool // a macro name met inside its own expansion: never expanded again
	guard    bool // its file wants loop guards
	line     int  // what __LINE__ is in its place, when a macro call over several lines made it; else 0
	// problem is what is wrong with the text of the token. It is reported only when the token is
	// used, because a skipped group and an #error line may hold anything.
	problem *source.Diagnostic
}

// is reports whether t is the punctuation or identifier text, and well formed.
func (t token) is(text string) bool { return t.problem == nil && t.Token.Is(text) }

// lexer cuts one file into tokens. Its text has continued lines joined and every line ended by
// one LF (section 3.1 and 3.2); starts remembers where the lines of the file begin in it.
type lexer struct {
	text   string
	starts []int // offset in text of each line of the file
	off    int
	line   int    // index in starts of the last position asked for
	shift  int    // added to line numbers: #line
	name   string // file name in positions
	guard  bool
	report func(source.Diagnostic) // for problems that belong to no token
}

func newLexer(f *source.File, report func(source.Diagnostic)) *lexer {
	l := &lexer{name: f.Name, report: report}
	l.text, l.starts = joinLines(strings.TrimPrefix(f.Text, "\uFEFF"))
	return l
}

// joinLines removes backslash-newline pairs and writes CR, CR LF and LF CR as LF. starts holds the offset in
// the result at which each line of s begins.
func joinLines(s string) (text string, starts []int) {
	starts = append(make([]int, 0, 1+strings.Count(s, "\n")), 0)
	if !strings.ContainsRune(s, '\r') && !strings.Contains(s, "\\\n") {
		for i := 0; i < len(s); i++ {
			if s[i] == '\n' {
				starts = append(starts, i+1)
			}
		}
		return s, starts
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		joined := s[i] == '\\'
		n := newlineLen(s, i)
		if joined {
			n = newlineLen(s, i+1)
		}
		if n == 0 {
			b.WriteByte(s[i])
			i++
			continue
		}
		i += n
		if joined {
			i++
		} else {
			b.WriteByte('\n')
		}
		starts = append(starts, b.Len())
	}
	return b.String(), starts
}

// newlineLen is the length of the line end at s[i:], or 0.
func newlineLen(s string, i int) int {
	if i >= len(s) || s[i] != '\n' && s[i] != '\r' {
		return 0
	}
	if i+1 < len(s) && s[i] != s[i+1] && (s[i+1] == '\n' || s[i+1] == '\r') {
		return 2
	}
	return 1
}

// pos is the position of a text offset. Offsets must not decrease from call to call.
func (l *lexer) pos(off int) source.Pos {
	for l.line+1 < len(l.starts) && l.starts[l.line+1] <= off {
		l.line++
	}
	return source.Pos{File: l.name, Line: max(1, l.line+1+l.shift), Col: off - l.starts[l.line] + 1}
}

// next reads the next token, on this line or a later one; EOF at the end.
func (l *lexer) next() token {
	bol, space := l.skipBlank(true)
	t := l.scan()
	t.bol, t.space = bol, space
	return t
}

// nextInLine reads the next token of the current line; false at the end of the line, which is
// left unread.
func (l *lexer) nextInLine() (token, bool) {
	_, space := l.skipBlank(false)
	if l.off >= len(l.text) || l.text[l.off] == '\n' {
		return token{}, false
	}
	t := l.scan()
	t.space = space
	return t, true
}

// rest reads the remaining tokens of the current line.
func (l *lexer) rest() []token {
	var line []token
	for {
		t, ok := l.nextInLine()
		if !ok {
			return line
		}
		line = append(line, t)
	}
}

// skipBlank skips blanks and comments, and line ends if asked. bol: the next token is the first
// on its line. A comment counts as one blank, even over several lines.
func (l *lexer) skipBlank(lines bool) (bol, space bool) {
	bol = l.off == 0
	for l.off < len(l.text) {
		switch c := l.text[l.off]; {
		case c == '\n' && !lines:
			return bol, space
		case c == '\n':
			bol = true
			l.off++
		case c == ' ' || c == '\t' || c == '\v' || c == '\f':
			l.off++
		case strings.HasPrefix(l.text[l.off:], "//"):
			l.skipTo("\n", 0)
		case strings.HasPrefix(l.text[l.off:], "/*"):
			l.skipComment()
		default:
			return bol, space
		}
		space = true
	}
	return bol, space
}

func (l *lexer) skipComment() {
	start := l.off
	l.off += len("/*")
	if l.skipTo("*/", len("*/")) {
		return
	}
	l.report(source.Diagnostic{
		Pos: l.pos(start), Construct: "comment",
		Message: "the comment that starts here never ends", Fix: "close it with */",
	})
}

// skipTo moves to the next occurrence of mark and past its first n bytes, or to the end.
func (l *lexer) skipTo(mark string, n int) bool {
	i := strings.Index(l.text[l.off:], mark)
	if i < 0 {
		l.off = len(l.text)
		return false
	}
	l.off += i + n
	return true
}

// scan reads the token that starts at off.
func (l *lexer) scan() token {
	if l.off >= len(l.text) {
		return token{Token: source.Token{Kind: source.EOF, Pos: l.pos(l.off)}, guard: l.guard}
	}
	s := l.text[l.off:]
	kind, n, wrong := scanToken(s)
	t := token{Token: source.Token{Kind: kind, Text: s[:n], Pos: l.pos(l.off)}, guard: l.guard}
	if wrong != nil {
		wrong.Pos = t.Pos
		t.problem = wrong
	}
	l.off += n
	return t
}

// scanToken finds the kind and length of the token at the start of s, which is not empty and
// starts with no blank. wrong says what is malformed about it, without a position.
func scanToken(s string) (kind source.TokenKind, n int, wrong *source.Diagnostic) {
	c := s[0]
	switch {
	case isLetter(c):
		return scanIdent(s)
	case isDigit(c) || c == '.' && len(s) > 1 && isDigit(s[1]):
		return scanNumber(s)
	case c == '"':
		return scanString(s)
	}
	for _, op := range operators[c] {
		if strings.HasPrefix(s, op) {
			return source.Punct, len(op), nil
		}
	}
	n = strayLen(s)
	return source.Punct, n, &source.Diagnostic{
		Construct: "character", Message: strayMessage(s[:n]), Fix: "remove it; outside comments GLSL text is ASCII",
	}
}

// maxNameBytes is the length of the longest name (section 3.7).
const maxNameBytes = 1024

func scanIdent(s string) (kind source.TokenKind, n int, wrong *source.Diagnostic) {
	if n = identLen(s); n > maxNameBytes {
		wrong = &source.Diagnostic{
			Construct: "name", Message: "the name " + quoteShort(s[:n]) + " is longer than 1024 characters", Fix: "use a shorter name",
		}
	}
	return source.Ident, n, wrong
}

// strayLen is the length of one stray ASCII character or of a run of others.
func strayLen(s string) int {
	n := 1
	for s[0] >= utf8.RuneSelf && n < len(s) && s[n] >= utf8.RuneSelf {
		n++
	}
	return n
}

func strayMessage(s string) string {
	if s == "\x00" {
		return "a NUL byte is not part of GLSL"
	}
	return "the character " + quoteShort(s) + " is not part of GLSL"
}

// identLen is the length of the identifier characters at the start of s.
func identLen(s string) int {
	n := 0
	for n < len(s) && (isLetter(s[n]) || isDigit(s[n])) {
		n++
	}
	return n
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// ScanToken finds the kind and the length of the token at the start of s, which is not empty and starts with neither a blank
// nor a comment. What GLSL does not have counts as punctuation.
func ScanToken(s string) (kind source.TokenKind, n int) {
	kind, n, _ = scanToken(s)
	return kind, n
}
