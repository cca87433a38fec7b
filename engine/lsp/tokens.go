package lsp

import (
	"strings"

	"vyretop/engine/glsl"
	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
)

// tokenKind is what a token is for the blanks around it.
type tokenKind uint8

const (
	wordToken    tokenKind = iota // a name or a word of the language
	valueToken                    // a number or a text
	punctToken                    // an operator or a bracket
	commentToken                  // a comment, or the part of one in this line
)

// token is a token of a line, with the blanks before it.
type token struct {
	kind tokenKind
	text string
	gap  string
	open bool // a comment that the next line continues
}

// tokens cuts a line into tokens; inside: it begins in a comment.
func tokens(l string, inside bool) (list []token) {
	for l != "" {
		rest := strings.TrimLeft(l, " \t\v\f")
		if inside {
			rest = l
		}
		if rest == "" {
			break
		}
		t := token{gap: l[:len(l)-len(rest)]}
		n := t.scan(rest, inside)
		inside = false
		t.text = rest[:n]
		list = append(list, t)
		l = rest[n:]
	}
	return list
}

// scan finds the kind and the length of the token at the beginning of s.
func (t *token) scan(s string, inside bool) int {
	skip := 0
	switch {
	case inside:
	case strings.HasPrefix(s, "//"):
		t.kind = commentToken
		return len(s)
	case strings.HasPrefix(s, "/*"):
		skip = 2
	default:
		kind, n := preprocess.ScanToken(s)
		t.kind = map[source.TokenKind]tokenKind{source.Ident: wordToken, source.Punct: punctToken}[kind]
		if kind != source.Ident && kind != source.Punct {
			t.kind = valueToken
		}
		return n
	}
	t.kind = commentToken
	if i := strings.Index(s[skip:], "*/"); i >= 0 {
		return skip + i + 2
	}
	t.open = true
	return len(s)
}

// operand reports whether a value can end with the token, so that a sign behind it has two operands.
func (t token) operand() bool {
	switch t.kind {
	case wordToken:
		return glsl.KindOf(t.text) != glsl.WordStatement || t.text == "true" || t.text == "false"
	case valueToken:
		return true
	}
	return t.text == ")" || t.text == "]"
}
