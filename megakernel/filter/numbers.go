package filter

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/units"
)

// noNumber are the texts of columns of numbers and IDs where there is none.
var noNumber = []string{"", "-", "none"}

// CheckNumbers refuses a filter that compares a column of numbers with a text for equality: it would match nothing, or everything,
// without a word. Fields are the names that the filter was parsed with. The error is a *SyntaxError.
func (e *Expr) CheckNumbers(fields []string) error {
	if e == nil || e.root == nil {
		return nil
	}
	return checkNumbers(e.root, fields)
}

func checkNumbers(n node, fields []string) error {
	switch n := n.(type) {
	case not:
		return checkNumbers(n.of, fields)
	case and:
		return checkBoth(n.a, n.b, fields)
	case or:
		return checkBoth(n.a, n.b, fields)
	case test:
		if n.comparesText() && !slices.Contains(noNumber, n.value.text) {
			return n.checkNumber(fields[n.column])
		}
	}
	return nil
}

func checkBoth(a, b node, fields []string) error {
	if err := checkNumbers(a, fields); err != nil {
		return err
	}
	return checkNumbers(b, fields)
}

// checkNumber checks the value of a test, which is a text.
func (t test) checkNumber(column string) error {
	switch {
	case types[column] == Number:
		return &SyntaxError{At: t.value.at, Detail: fmt.Sprintf("%s: %q is not a number", column, t.value.text), Fix: "compare with a number such as 100 or 0x1f"}
	case types[column] == ID && !isTaskID(t.value.text):
		return &SyntaxError{At: t.value.at, Detail: fmt.Sprintf("%s: %q is not an ID", column, t.value.text), Fix: "compare with one such as 17, +3 for a spawned task, or i3 for one that was added"}
	}
	return nil
}

// isTaskID reports whether a text has the form of the ID of a task.
func isTaskID(text string) bool {
	text = strings.TrimPrefix(text, "#")
	for _, prefix := range []string{"+", "i"} {
		if rest, ok := strings.CutPrefix(text, prefix); ok {
			text = rest
			break
		}
	}
	_, err := units.Parse(text, 32)
	return err == nil
}
