package filter

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/fault"
	"vyretop/engine/units"
)

// Restrict says which texts a column can have, where they are few. To compare it with another one is a mistake: the
// filter would match nothing, or everything, without a word. The error is a *SyntaxError; numbers and patterns
// are free. A column can have those of more, too, which the error does not list.
func (e *Expr) Restrict(column int, name string, texts []string, more ...string) error {
	if e == nil || e.root == nil {
		return nil
	}
	return restriction{column, name, texts, more}.check(e.root)
}

// restriction is which texts a column can have.
type restriction struct {
	column      int
	name        string
	texts, more []string
}

func (r restriction) check(n node) error {
	switch n := n.(type) {
	case not:
		return r.check(n.of)
	case and:
		return r.checkBoth(n.a, n.b)
	case or:
		return r.checkBoth(n.a, n.b)
	case test:
		if n.column == r.column && n.comparesText() && !r.has(n.value.text) {
			return &SyntaxError{At: n.value.at, Detail: fmt.Sprintf("%q is not %s", n.value.text, withArticle(r.name)), Fix: fault.Use(n.value.text, r.texts)}
		}
	}
	return nil
}

func (r restriction) checkBoth(a, b node) error {
	if err := r.check(a); err != nil {
		return err
	}
	return r.check(b)
}

// has reports whether the column can have a text.
func (r restriction) has(text string) bool {
	same := func(s string) bool { return strings.EqualFold(s, text) }
	return slices.ContainsFunc(r.texts, same) || slices.ContainsFunc(r.more, same)
}

func withArticle(name string) string {
	if strings.ContainsRune("aeiou", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
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
