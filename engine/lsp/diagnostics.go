package lsp

import (
	"errors"
	"fmt"
	"strings"

	"vyretop/engine/fault"
	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
)

// Severities of the protocol.
const (
	severityError   = 1
	severityWarning = 2
)

// kindNames are the codes of diagnostics.
var kindNames = map[source.Kind]string{source.Malformed: "malformed", source.OutsideSubset: "outside-subset", source.Suspicious: "suspicious"}

// errLarge is the problem of a text that is not read.
var errLarge = &fault.Error{Kind: ErrMessage, Detail: fmt.Sprintf("the text has more than %d bytes and is not read", preprocess.DefaultBytes), Fix: "split it into several files"}

// diagnostics lists what is wrong with a text, and with what it is compiled with as far as it names it.
func (s *server) diagnostics(d *document) []diagnostic {
	if d.large {
		return []diagnostic{whole(errLarge)}
	}
	s.analyze(d)
	found := d.analysis.Diagnostics
	list := []diagnostic{}
	if d.unit.Problem != nil {
		list = append(list, whole(d.unit.Problem))
	}
	if p := d.analysis.Program; p != nil && d.unit.Check != nil {
		err := d.unit.Check(p)
		if more, ok := errors.AsType[source.Diagnostics](err); ok {
			found = append(found[:len(found):len(found)], more...)
		} else if err != nil {
			list = append(list, whole(err))
		}
	}
	for _, x := range found {
		if at, ok := s.placeOf(d, x); ok {
			list = append(list, at)
		}
	}
	return list
}

// whole is a diagnostic about all of a text.
func whole(err error) diagnostic {
	return diagnostic{Severity: severityError, Source: "vyretop", Message: err.Error()}
}

// placeOf places a diagnostic in a text. One of a file that the text includes is at the #include; one of the generated text, which
// is about a handler that is missing or has other parameters, at the beginning. One of another file is that one's.
func (s *server) placeOf(d *document, x source.Diagnostic) (out diagnostic, ok bool) {
	out = diagnostic{Severity: severityError, Code: kindNames[x.Kind], Source: "vyretop", Message: message1(x)}
	if x.Severity == source.Warning {
		out.Severity = severityWarning
	}
	switch line, included := d.analysis.IncludedAt(d.unit.Name, x.Pos.File); {
	case x.Pos.File == d.unit.Name:
		out.Range = s.encoding.rangeOf(d.text, d.lines, x.Pos, s.width(d, x))
	case included:
		out.Range = s.encoding.rangeOf(d.text, d.lines, source.Pos{Line: line, Col: 1}, len(d.text))
		out.Message = x.Pos.String() + ": " + out.Message
	case strings.HasSuffix(x.Pos.File, "(generated)"):
	default:
		return out, false
	}
	return out, true
}

// message1 is a diagnostic as one text: what is wrong, and what to do.
func message1(x source.Diagnostic) string {
	if x.Fix == "" {
		return x.Message
	}
	return x.Message + ". Fix: " + x.Fix
}

// width is the number of bytes that a diagnostic marks: the word or the text in quotes at its place, or one.
func (s *server) width(d *document, x source.Diagnostic) int {
	l := line(d.text, d.lines, x.Pos.Line-1)
	at := min(max(x.Pos.Col-1, 0), len(l))
	return max(1, wordLen(l[at:]), quotedLen(l[at:]))
}

// quotedLen is the number of bytes of the text in quotes that a line begins with, or of the line where no quote closes it.
func quotedLen(line string) int {
	if !strings.HasPrefix(line, `"`) {
		return 0
	}
	for i := 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(strings.TrimRight(line, "\r"))
}

// wordLen is the number of letters, digits and underscores that a text begins with.
func wordLen(text string) int {
	n := 0
	for n < len(text) && isWord(text[n]) {
		n++
	}
	return n
}

func isWord(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= '0' && c <= '9'
}
