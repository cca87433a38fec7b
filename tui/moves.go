package tui

import (
	"strconv"

	"vyretop/tui/keymap"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// toggleWrap breaks long texts into lines, in tables and in the log below them, or cuts them.
func (s *shared) toggleWrap() {
	s.look.Wrap = !s.look.Wrap
	if s.look.Wrap {
		s.say(theme.Plain, "long lines are wrapped")
	} else {
		s.say(theme.Plain, "long lines are cut")
	}
}

// showLogOf shows what the selected worker or task wrote to the log; in the log itself, what the task
// of the selected record did.
func (vs *views) showLogOf() {
	key, row, ok := vs.table().Selection()
	if !ok {
		vs.say(theme.Warning, "nothing is selected: move with the arrows first")
		return
	}
	text := "worker=" + strconv.FormatUint(key, 10)
	if of := vs.shown().Spec().LogOf; of != nil {
		text = of(key, row)
	}
	vs.showTab(keymap.Log)
	vs.table().HasSelected = false
	if err := vs.table().KeepFilter(text); err != nil {
		vs.fail(err)
	}
}

// pageRows is the number of rows of the current view that fit on the screen.
func (vs *views) pageRows() int {
	main := vs.layout().Main
	if vs.shell.details.reading() {
		return max(main.H-1, 1) // their title stays
	}
	return pane.PageOf(vs.shown(), main)
}

// turn moves by that many rows where pages are turned: in details that take the whole panel, else in the table.
func (vs *views) turn(by int) {
	if vs.shell.details.reading() {
		vs.shell.details.scrollDetails(by)
		return
	}
	vs.shown().Move(0, by)
}

// jump selects the first or the last row, or shows the start or the end of details.
func (vs *views) jump(last bool) {
	switch d := &vs.shell.details; {
	case d.reading() && last:
		d.scrollDetails(d.rows)
	case d.reading():
		d.scrollDetails(-d.rows)
	default:
		vs.shown().Jump(last)
	}
}

// vary shows the same in another way.
func (vs *views) vary() {
	vs.forgetRows()
	if vary := vs.shown().Spec().Vary; vary != nil {
		vary()
	}
}

// enter goes into what is selected: from its details, too, where source is behind them.
func (vs *views) enter() {
	if spec := vs.shown().Spec(); vs.expanded && spec.Source != nil && spec.Source() {
		vs.expanded = false
	}
	if vs.expanded || !vs.shown().Enter() {
		vs.expanded = !vs.expanded
	}
}
