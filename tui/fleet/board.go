package fleet

import (
	"vyretop/megakernel/filter"
	"vyretop/megakernel/targets"
	"vyretop/tui/pane"
)

// board is the table on the screen, of targets or of groups, and what the user did to it.
type board struct {
	w, h     int // of the screen
	rows     rows
	groups   groupRows
	place    Place
	arranged pane.Order
	arranger pane.Arranger
	dirty    bool // something has changed since the last frame
}

// setFilter changes the filter; with an error the last one stays.
func (b *board) setFilter(text string) error {
	e, err := filter.Parse(text, fields)
	if err != nil {
		return err
	}
	b.place.state.Filter, b.place.state.FilterText, b.place.state.Top = e, text, 0
	if text == "" {
		b.place.state.Filter = nil
	}
	b.arrange()
	if _, ok := b.arranged.Position(b.shown(), b.state()); !ok {
		b.selectAt(0) // or there would be nothing to open
	}
	return nil
}

// state is that of the table on the screen.
func (b *board) state() *pane.TableState {
	if b.place.group != "" {
		return &b.place.groups
	}
	return &b.place.state
}

// shown are the rows on the screen.
func (b *board) shown() pane.Rows {
	if b.place.group != "" {
		return &b.groups
	}
	return &b.rows
}

// arrange orders the rows, and keeps the selection on one of them.
func (b *board) arrange() {
	if b.place.group != "" {
		q := targets.Query{Filter: b.place.state.Filter}
		b.groups.list = targets.Groups(q.Choose(b.rows.list, b.rows.now), b.place.group, b.rows.now)
	}
	s := b.state()
	b.arranged = b.arranger.Arrange(b.shown(), s, nil)
	if _, ok := b.arranged.Position(b.shown(), s); !ok && len(b.arranged.Rows) > 0 && !s.HasSelected {
		b.selectAt(0)
	}
	b.dirty = true
}

// selectAt selects the row at a position.
func (b *board) selectAt(position int) {
	if len(b.arranged.Rows) == 0 {
		return
	}
	position = min(max(position, 0), len(b.arranged.Rows)-1)
	s := b.state()
	s.Selected, s.HasSelected = b.shown().Key(int(b.arranged.Rows[position])), true
	page := b.page()
	s.Top = min(max(s.Top, position-page+1), position)
	b.dirty = true
}

// move moves the selection.
func (b *board) move(by int) {
	at, ok := b.arranged.Position(b.shown(), b.state())
	if !ok {
		by = 0
	}
	b.selectAt(at + by)
}

// selected is the selected target, nil for none on the screen.
func (b *board) selected() *targets.Target {
	at, ok := b.arranged.Position(&b.rows, &b.place.state)
	if b.place.group != "" || !ok {
		return nil
	}
	return b.rows.list[b.arranged.Rows[at]]
}

// meant are the targets that a command is for: the marked ones, else all that the filter passes where there is one, else the selected one.
func (b *board) meant() (list []*targets.Target) {
	s := &b.place.state
	for i, t := range b.rows.list {
		if s.Marks[b.rows.Key(i)] {
			list = append(list, t)
		}
	}
	switch {
	case len(list) > 0:
	case s.Filter != nil || b.place.group != "":
		list = (&targets.Query{Filter: s.Filter}).Choose(b.rows.list, b.rows.now)
	default:
		if t := b.selected(); t != nil {
			list = append(list, t)
		}
	}
	return targets.Reachable(list)
}

// tableWidth is the width of the table.
func (b *board) tableWidth() int {
	if b.w >= wide {
		return b.w * 64 / 100
	}
	return b.w
}

// page is how many rows of the table fit.
func (b *board) page() int { return max(b.h-headerRows-footerRows-tableHead, 1) }

// sortBy moves the sort column to the next one on the screen.
func (b *board) sortBy(step int) {
	s, all := b.state(), b.shown().Columns()
	for {
		s.Sort = (s.Sort + step + len(all)) % len(all)
		if !all[s.Sort].Off {
			break
		}
	}
	b.arrange()
}

func (b *board) mark() {
	s := &b.place.state
	if b.place.group != "" || !s.HasSelected {
		return
	}
	if s.Marks[s.Selected] {
		delete(s.Marks, s.Selected)
	} else {
		s.Marks[s.Selected] = true
	}
	b.move(1)
}
