package lsp

import (
	"strings"

	"vyretop/engine/glsl/preprocess"
)

// gap says what blanks belong between two tokens.
type gap uint8

const (
	asWritten gap = iota
	none
	one // or more, where the author has aligned something
)

// spaced joins the tokens of a line with the blanks that belong between them.
func spaced(toks []token) string {
	var b strings.Builder
	unary := false // the last token is an operator with one operand, before it
	for i, t := range toks {
		if i > 0 {
			g := between(toks, i, unary)
			if g == none && t.gap != "" && joins(toks[i-1], t) {
				g = asWritten
			}
			b.WriteString(blanks(g, t.gap))
		}
		b.WriteString(t.text)
		unary = t.kind == punctToken && isPrefix(toks, i)
	}
	return b.String()
}

func blanks(g gap, written string) string {
	switch {
	case g == none:
		return ""
	case g == one && written == "":
		return " "
	case g == one && len(written) < 2:
		return " "
	}
	return written
}

// prefixOperators can have one operand, behind them.
const prefixOperators = " + - ! ~ ++ -- "

// isPrefix reports whether token i is an operator whose only operand stands behind it.
func isPrefix(toks []token, i int) bool {
	if !strings.Contains(prefixOperators, " "+toks[i].text+" ") {
		return false
	}
	if toks[i].text == "!" || toks[i].text == "~" {
		return true
	}
	if toks[i].text == "++" || toks[i].text == "--" {
		return i == 0 || !toks[i-1].operand()
	}
	return i > 0 && !toks[i-1].operand() && toks[i-1].kind != commentToken
}

// operators stand between two operands.
const operators = " = += -= *= /= %= <<= >>= &= ^= |= || ^^ && | ^ & == != < > <= >= << >> + - * / % ? : "

func isOperator(t token) bool {
	return t.kind == punctToken && strings.Contains(operators, " "+t.text+" ")
}

// between says what blanks belong before token i. unary: the token before is an operator with one operand.
func between(toks []token, i int, unary bool) gap {
	a, b := toks[i-1], toks[i]
	switch {
	case a.kind == commentToken || b.kind == commentToken:
		return one
	case a.kind != punctToken && b.kind != punctToken:
		return one
	case b.text == ";" || b.text == ",":
		return none
	case (a.text == "," || a.text == ";") && b.text != ")" && b.text != "]":
		return one
	case b.text == ")" || b.text == "]" || a.text == "(" || a.text == "[" || b.text == "." || a.text == ".":
		return none
	case unary:
		return none
	case b.text == "{" && a.text != "{":
		return one
	case a.text == "{" && declares(toks[i:]):
		return one
	case a.text == "{" || b.text == "}":
		return asWritten
	case a.text == "}":
		return one
	}
	return aroundOperators(toks, i)
}

// mostValues is how many tokens behind a brace are looked at: a line may have no end but braces.
const mostValues = 256

// declares reports whether the tokens behind a brace are declarations or statements, not the values of a list: one blank is on both
// sides of them then.
func declares(toks []token) bool {
	for _, t := range toks[:min(len(toks), mostValues)] {
		if t.kind == punctToken && (t.text == ";" || t.text == "}") {
			return t.text == ";"
		}
	}
	return false
}

// joins reports whether two tokens would become others without blanks between them.
func joins(a, b token) bool {
	_, n := preprocess.ScanToken(a.text + b.text)
	return n != len(a.text)
}

// aroundOperators is between, for what is left: operators, and opening brackets.
func aroundOperators(toks []token, i int) gap {
	a, b := toks[i-1], toks[i]
	switch {
	case (b.text == "++" || b.text == "--") && a.operand():
		return none
	case b.text == ":" && labels(toks):
		return none
	case isOperator(a) || isOperator(b):
		return one
	case b.text == "(" && a.kind == wordToken:
		if heads[a.text] {
			return one
		}
		return none
	case b.text == "(" && a.operand(), b.text == "[" && a.operand():
		return none
	case a.text == ")":
		return one
	}
	return asWritten
}

// heads are the words with a blank before their parenthesis.
var heads = map[string]bool{"if": true, "for": true, "while": true, "switch": true, "return": true, "else": true, "do": true, "case": true}

// labels reports whether a line begins with a label of a switch.
func labels(toks []token) bool { return toks[0].text == "case" || toks[0].text == "default" }
