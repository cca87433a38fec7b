package pane

import (
	"strings"

	"vyretop/megakernel/filter"
	"vyretop/tui/cells"
)

// SetFilter puts a filter on the table; an error leaves the last good one in force. The selection stays as it is: while
// a filter is typed, the selected row may be hidden and come back. Very many tasks are filtered outside of the
// dashboard's goroutine, so that the next key need not wait.
func (t *Table) SetFilter(text string) error {
	e, err := filter.Parse(text, t.Fields())
	if err != nil {
		return err
	}
	if err := e.CheckNumbers(t.Fields()); err != nil {
		return err
	}
	if t.Chips != nil {
		if err := t.allChips().Restrict(e); err != nil {
			return err
		}
	}
	text = strings.TrimSpace(text)
	if _, many := t.showsMany(); many && t.Filter != nil && t.FilterText == text {
		return nil // shown as wanted already, or will be
	}
	t.Filter, t.FilterText, t.Top = e, text, 0
	t.Rearrange()
	return nil
}

// KeepFilter sets a filter for good: it is what n and N look for, and what is selected is visible.
func (t *Table) KeepFilter(text string) error {
	if err := t.SetFilter(text); err != nil {
		return err
	}
	if t.FilterText == "" {
		return nil
	}
	t.Sought, t.SoughtText = t.Filter, t.FilterText
	if t.many.choose = t.SortsSoon(); t.many.choose {
		return nil
	}
	t.selectVisible()
	return nil
}

// ClearFilter shows all rows.
func (t *Table) ClearFilter() {
	t.Filter, t.FilterText = nil, ""
	t.Rearrange()
}

// selectVisible moves the selection off a row that the filter hides, to the nearest one it shows.
// Only a filter of the user's does so. When the data changes under a filter the selection stays, so
// that no key press reaches a row that came under the cursor by itself.
func (t *Table) selectVisible() {
	a := t.Arrange()
	if _, ok := a.Order.Position(a.Rows, &t.TableState); ok || len(a.Order.Rows) == 0 {
		return
	}
	if !t.HasSelected {
		if t.Many {
			t.SelectAt(0) // a filter on tasks says which ones are meant
		}
		return
	}
	if _, many := t.showsMany(); many {
		t.SelectAt(min(a.Order.Behind(a.Rows, &t.TableState), len(a.Order.Rows)-1))
		return
	}
	unfiltered := t.TableState
	unfiltered.Filter = nil
	all := Arrange(a.Rows, &unfiltered, nil) // hidden rows have no kept ranks
	row, ok := a.Order.Nearest(a.Rows, &all, t.Selected)
	if !ok {
		row = int(a.Order.Rows[0]) // what was selected has ended
	}
	t.Selected = a.Rows.Key(row)
}

// FindMatch selects the next row in direction step that the filter kept last matches, from the selected one, or where
// none is from the first, or the last when step is negative or fromEnd is set. It reports false where there is none.
func (t *Table) FindMatch(step int, fromEnd bool) bool {
	a := t.Arrange()
	at, ok := a.Order.Position(a.Rows, &t.TableState)
	switch {
	case ok:
		at += step
	case step < 0:
		at = len(a.Order.Rows) - 1
	case t.Following() && fromEnd:
		at = len(a.Order.Rows)
	}
	if at, ok = a.Order.Match(a.Rows, t.Sought, at, step); ok {
		t.SelectAt(at)
	}
	return ok
}

// Fields are the names of the columns.
func (t *Table) Fields() []string { return FieldNames(t.Arrange().Rows.Columns()) }

// chipsFrom is how high a panel is that has a line for chips.
const chipsFrom = 6

// ChipsIn are the chips of the table, of what it shows now; nil where it has none, or the place has no room for them. Chosen is
// the one under the cursor.
func (t *Table) ChipsIn(place cells.Rect, chosen int) *Chips {
	if t.Chips == nil || place.H < chipsFrom {
		return nil
	}
	c := t.allChips()
	c.Follow(t.Frame(), &t.TableState)
	if len(c.Places(place.W, chosen)) == 0 {
		return nil
	}
	return c
}

// allChips are the chips of a table that has some, seen or not.
func (t *Table) allChips() *Chips {
	if t.chips == nil {
		t.chips = t.Chips(t.Target)
	}
	return t.chips
}
