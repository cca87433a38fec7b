package repl

import (
	"fmt"
	"slices"
	"strconv"

	"vyretop/engine/debugger"
)

// maxDisplayed bounds the expressions that each stop prints.
const maxDisplayed = 32

// Displayed is an expression that is shown at each stop, and its value there.
type Displayed struct {
	Expr  string
	Value debugger.Value
	Err   error // why it has none there: a name that is not in scope
}

// String is the value, or why there is none.
func (d *Displayed) String() string {
	if d.Err != nil {
		return "no value here"
	}
	return d.Value.String()
}

// Displays evaluates the displayed expressions for the selected lane.
func (r *REPL) Displays() []Displayed {
	list := make([]Displayed, len(r.shown))
	for i, expr := range r.shown {
		list[i].Expr = expr
		list[i].Value, list[i].Err = r.Session.Eval(expr)
	}
	return list
}

// display adds an expression. One without a value here, such as a variable that is declared further down, is shown where it has one.
func (r *REPL) display(expr string) error {
	switch {
	case expr == "" && len(r.shown) == 0:
		return usage("no expression is displayed", "write: display EXPR")
	case expr == "":
		r.displayAll()
		return nil
	case len(r.shown) == maxDisplayed:
		return usage(fmt.Sprintf("%d expressions are displayed already", maxDisplayed), "remove one with undisplay N")
	}
	if !slices.Contains(r.shown, expr) {
		if err := r.Session.Check(expr); err != nil {
			return pointed(expr, err)
		}
		r.shown = append(r.shown, expr)
		if r.Quiet { // it is shown elsewhere
			return nil
		}
		if _, err := r.Session.Eval(expr); err != nil {
			r.print("note", fmt.Sprintf("it has no value here: %v", pointed(expr, err)), nil)
		}
	}
	r.displayed(slices.Index(r.shown, expr))
	return nil
}

func (r *REPL) undisplay(arg string) error {
	if arg == "all" {
		r.shown = nil
		return nil
	}
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 || n > len(r.shown) {
		return usage(fmt.Sprintf("no displayed expression has the number %q", arg), "display lists them")
	}
	r.shown = slices.Delete(r.shown, n-1, n)
	return nil
}

func (r *REPL) displayAll() {
	for i := range r.shown {
		r.displayed(i)
	}
}

// displayed prints one of the expressions.
func (r *REPL) displayed(i int) {
	d := r.Displays()[i]
	fields := map[string]any{"number": i + 1, "expr": d.Expr}
	if d.Err == nil {
		fields["type"], fields["words"] = d.Value.Type.String(), d.Value.Words
	}
	r.print("display", fmt.Sprintf("%d: %s = %s", i+1, d.Expr, &d), fields)
}
