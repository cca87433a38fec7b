package filter

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/units"
)

// Restrict says which texts a column can have, where they are few. To compare it with another one is a mistake: the
// filter would match nothing, or everything, without a word. The error is a *SyntaxError; numbers and patterns
// are free.
func (e *Expr) Restrict(column int, name string, texts []string) error {
	if e == nil || e.root == nil {
		return nil
	}
	return restrict(e.root, column, name, texts)
}

func restrict(n node, column int, name string, texts []string) error {
	switch n := n.(type) {
	case not:
		return restrict(n.of, column, name, texts)
	case and:
		return restrictBoth(n.a, n.b, column, name, texts)
	case or:
		return restrictBoth(n.a, n.b, column, name, texts)
	case test:
		if n.column == column && n.comparesText() && !slices.ContainsFunc(texts, func(s string) bool { return strings.EqualFold(s, n.value.text) }) {
			return &SyntaxError{At: n.value.at, Detail: fmt.Sprintf("%q is not a %s", n.value.text, name), Fix: "use one of " + strings.Join(texts, ", ")}
		}
	}
	return nil
}

func restrictBoth(a, b node, column int, name string, texts []string) error {
	if err := restrict(a, column, name, texts); err != nil {
		return err
	}
	return restrict(b, column, name, texts)
}

// comparesText reports whether the test is for equality with a text that is not a number.
func (t test) comparesText() bool {
	switch t.operator.text {
	case "=", "==", "!=":
		_, err := units.Parse(t.value.text, 64)
		return err != nil
	}
	return false
}
