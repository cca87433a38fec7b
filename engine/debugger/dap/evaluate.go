package dap

import (
	"regexp"
	"strings"

	"github.com/google/go-dap"

	"vyretop/engine/debugger"
)

// assignment is PLACE = EXPRESSION; neither a comparison nor a compound assignment is one.
var assignment = regexp.MustCompile(`^([^=<>!+\-*/%&|^]+)=([^=].*)$`)

// maxExpression bounds the text of an expression.
const maxExpression = 4096

// evaluate evaluates an expression of the kernel language in a frame. In the console PLACE = EXPRESSION sets a variable,
// as does the debugger's command set.
func evaluate(s *server, a dap.EvaluateArguments) (any, error) {
	in, err := s.frame(a.FrameId)
	if err != nil {
		return nil, err
	}
	text := strings.TrimSpace(a.Expression)
	if text == "" || len(text) > maxExpression {
		return nil, invalid("the expression is empty or longer than 4096 bytes", "write an expression of the kernel language, such as i + 1u")
	}
	var x shown
	if m := assignment.FindStringSubmatch(strings.TrimPrefix(text, "set ")); m != nil && a.Context == "repl" {
		x, err = s.set(in, strings.TrimSpace(m[1]), strings.TrimSpace(m[2]))
	} else {
		err = debugger.In(s.program.Session, in, func() (err error) {
			x, err = s.sliceOrValue(in, text)
			return err
		})
	}
	if err != nil {
		return nil, err
	}
	return dap.EvaluateResponseBody{Result: x.text, Type: x.kind, VariablesReference: x.ref, NamedVariables: x.named, IndexedVariables: x.indexed}, nil
}

// sliceOrValue evaluates ARRAY[FROM:TO] or an expression.
func (s *view) sliceOrValue(in debugger.Context, text string) (shown, error) {
	session := s.program.Session
	array, from, to, slice, err := session.Slice(text)
	if err != nil || !slice {
		if err == nil {
			return s.value(in, text)
		}
		return shown{}, err
	}
	e, err := session.Elements(array, from, min(to-from, maxShown))
	if err != nil {
		return shown{}, err
	}
	n := min(to, e.Total) - from
	e.Total = from + n
	x := shown{text: listed(e), indexed: n}
	if n > 0 {
		x.ref = s.refs.id(node{kind: rangeNode, in: in, expr: array, from: from, n: n})
	}
	return x, nil
}

// completions lists the names that begin with the word before the cursor.
func completions(s *server, a dap.CompletionsArguments) (any, error) {
	in, err := s.frame(a.FrameId)
	if err != nil {
		return nil, err
	}
	text, column := a.Text, a.Column
	if s.client.ColumnsStartAt1 {
		column--
	}
	column = min(max(column, 0), len(text))
	text = text[:column]
	word := text[strings.LastIndexFunc(text, notInName)+1:]
	body := dap.CompletionsResponseBody{Targets: []dap.CompletionItem{}}
	err = debugger.In(s.program.Session, in, func() error {
		seen := map[string]bool{}
		for _, name := range s.program.Session.Names() {
			if strings.HasPrefix(name, word) && !seen[name] {
				seen[name] = true
				body.Targets = append(body.Targets, dap.CompletionItem{Label: name, Type: "variable", Start: column - len(word), Length: len(word)})
			}
		}
		return nil
	})
	return body, err
}

func notInName(c rune) bool {
	return c != '_' && c != '.' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
}
