package filter

import (
	"fmt"
	"regexp"
	"regexp/syntax"
)

// maxProgram bounds the instructions of the regular expressions of a filter together. Matching takes as many steps as there are
// instructions for each byte of a text, and a filter is matched with each record of a log: with (.?){999} a log of 1 MB took half
// a minute.
const maxProgram = 250

// regular compiles a regular expression, regardless of case.
func (p *parser) regular(value token) (*regexp.Regexp, error) {
	expression := "(?i)" + value.text
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil, &SyntaxError{At: value.at, Detail: fmt.Sprintf("%q is not a regular expression", value.text), Fix: "quote special characters with \\"}
	}
	if p.program += instructions(parsed); p.program > maxProgram {
		return nil, &SyntaxError{At: value.at, Detail: fmt.Sprintf("matching takes %d steps for each byte, and %d are allowed", p.program, maxProgram), Fix: "use fewer or shorter repetitions"}
	}
	return regexp.Compile(expression)
}

// instructions is about how many instructions an expression is compiled to; far above maxProgram it stops counting.
func instructions(e *syntax.Regexp) int {
	n := 1
	switch e.Op {
	case syntax.OpLiteral:
		n = len(e.Rune)
	case syntax.OpRepeat:
		return min(min(max(e.Max, e.Min, 1), maxProgram+1)*(1+instructions(e.Sub[0])), 1<<20)
	}
	for _, sub := range e.Sub {
		if n += instructions(sub); n > maxProgram {
			break
		}
	}
	return min(n, 1<<20)
}
