package filter

import "strings"

type tokenKind uint8

const (
	tokEnd tokenKind = iota
	tokWord
	tokQuoted
	tokOperator
	tokNot
	tokOpen
	tokClose
)

type token struct {
	kind tokenKind
	text string
	at   int
}

// operators are the comparisons, longest first.
var operators = []string{"==", "!=", "!~", "<=", ">=", "=", "<", ">", "~"}

type lexer struct {
	in string
	at int
	// raw makes the next word end at a space only: it is a regular expression
	raw bool
}

func (l *lexer) next() (token, error) {
	l.at += len(l.in[l.at:]) - len(strings.TrimLeft(l.in[l.at:], " \t"))
	raw := l.raw
	l.raw = false
	if l.at == len(l.in) {
		return token{kind: tokEnd, at: l.at}, nil
	}
	if l.in[l.at] == '"' {
		return l.quoted()
	}
	if raw {
		return l.take(tokWord, lengthUntil(l.in[l.at:], " \t")), nil
	}
	for _, op := range operators {
		if strings.HasPrefix(l.in[l.at:], op) {
			l.raw = strings.HasSuffix(op, "~")
			return l.take(tokOperator, len(op)), nil
		}
	}
	if connective(l.in[l.at:]) != "" {
		t := l.take(tokWord, 2)
		t.text = connectives[t.text]
		return t, nil
	}
	switch l.in[l.at] {
	case '!':
		return l.take(tokNot, 1), nil
	case '(':
		return l.take(tokOpen, 1), nil
	case ')':
		return l.take(tokClose, 1), nil
	}
	n := lengthUntil(l.in[l.at:], " \t()=!<>~\"")
	for i := range n {
		if connective(l.in[l.at+i:l.at+n]) != "" {
			n = i
			break
		}
	}
	return l.take(tokWord, n), nil
}

// connectives are the signs for words that connect.
var connectives = map[string]string{"&&": "and", "||": "or"}

// connective is the connective that a text begins with, as a word, or "".
func connective(s string) string {
	if len(s) < 2 {
		return ""
	}
	return connectives[s[:2]]
}

func (l *lexer) take(kind tokenKind, n int) token {
	t := token{kind: kind, text: l.in[l.at : l.at+n], at: l.at}
	l.at += n
	return t
}

func (l *lexer) quoted() (token, error) {
	start := l.at
	end := strings.IndexByte(l.in[start+1:], '"')
	if end < 0 {
		return token{}, &SyntaxError{At: start, Detail: "the quote is not closed", Fix: `end the text with "`}
	}
	l.at = start + end + 2
	return token{kind: tokQuoted, text: l.in[start+1 : start+1+end], at: start}, nil
}

// QuoteRegexp writes a regular expression so that a filter takes it whole, whatever is in it.
func QuoteRegexp(pattern string) string {
	return `"` + strings.NewReplacer(`\\`, `\\`, `\"`, `\x22`, `"`, `\x22`).Replace(pattern) + `"`
}

func lengthUntil(s, stops string) int {
	if i := strings.IndexAny(s, stops); i >= 0 {
		return i
	}
	return len(s)
}
