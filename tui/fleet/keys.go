package fleet

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"vyretop/engine/units"
	"vyretop/megakernel/targets"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// binding is an action of the screen. Its keys are those that the user's key map has for the action of that ID.
type binding struct {
	id    string
	short string // for the footer; "" where it is not shown
	help  string
	keys  []string // where the map has no such action
	run   func(m *model) tea.Cmd
}

// do makes an action that leads to nothing else.
func do(f func(m *model)) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		f(m)
		m.dirty = true
		return nil
	}
}

// bindings are the actions, in the order of the help.
var bindings []binding

func init() {
	bindings = []binding{
		{id: keymap.Details, short: "open", help: "open the selected target; of a group, its targets", run: (*model).enter},
		{id: keymap.Command, short: "command", help: "command for the marked, else the filtered, else the selected targets", run: do((*model).openCommand)},
		{id: keymap.PauseAll, help: "pause all workers of these targets", run: func(m *model) tea.Cmd { return m.ask("pause all") }},
		{id: keymap.ContinueAll, help: "resume all workers of these targets", run: func(m *model) tea.Cmd { return m.ask("resume all") }},
		{id: keymap.Filter, short: "filter", help: "filter: word, state=lost, tasks_per_s<10, and or ! ( )", run: do((*model).openFilter)},
		{id: keymap.Unfilter, help: "clear the filter", run: do(func(m *model) { _ = m.setFilter(""); m.arrange() })},
		{id: keymap.Tree, keys: []string{"t"}, short: "group", help: "group by " + strings.Join(targets.GroupColumns, ", ") + "; or not", run: do((*model).nextGroup)},
		{id: keymap.SortNext, short: "sort", help: "sort by the column to the right", run: do(func(m *model) { m.sortBy(1) })},
		{id: keymap.SortPrev, help: "sort by the column to the left", run: do(func(m *model) { m.sortBy(-1) })},
		{id: keymap.Reverse, help: "reverse the order", run: do(func(m *model) { s := m.state(); s.Descending = !s.Descending; m.arrange() })},
		{id: keymap.Mark, short: "mark", help: "mark the row; commands apply to all marked rows", run: do(func(m *model) { m.mark() })},
		{id: keymap.Unmark, help: "remove all marks", run: do(func(m *model) { clear(m.place.state.Marks) })},
		{id: keymap.Freeze, short: "freeze", help: "freeze the view; the targets continue", run: do((*model).freeze)},
		{id: keymap.Alerts, help: "mark the targets that have an alert", run: do((*model).markAlerts)},
		{id: keymap.Up, help: "previous row", run: do(func(m *model) { m.move(-1) })},
		{id: keymap.Down, help: "next row", run: do(func(m *model) { m.move(1) })},
		{id: keymap.HalfUp, help: "half a page up", run: do(func(m *model) { m.move(-max(m.page()/2, 1)) })},
		{id: keymap.HalfDown, help: "half a page down", run: do(func(m *model) { m.move(max(m.page()/2, 1)) })},
		{id: keymap.PageUp, help: "a page up", run: do(func(m *model) { m.move(-m.page()) })},
		{id: keymap.PageDown, help: "a page down", run: do(func(m *model) { m.move(m.page()) })},
		{id: keymap.Top, help: "first row", run: do(func(m *model) { m.selectAt(0) })},
		{id: keymap.Bottom, help: "last row", run: do(func(m *model) { m.selectAt(len(m.arranged.Rows)) })},
		{id: keymap.Top + "-home", help: "first row", run: do(func(m *model) { m.selectAt(0) })},
		{id: keymap.Bottom + "-end", help: "last row", run: do(func(m *model) { m.selectAt(len(m.arranged.Rows)) })},
		{id: keymap.Mouse, help: "mouse on or off; off lets the terminal select text", run: do(func(m *model) { m.o.NoMouse = !m.o.NoMouse })},
		{id: keymap.Redraw, help: "draw the screen afresh", run: func(*model) tea.Cmd { return tea.ClearScreen }},
		{id: keymap.Back, help: "one level back: message, group, filter", run: do((*model).back)},
		{id: keymap.Help, short: "help", help: "list of keys", run: do(func(m *model) { m.modal = &page{title: "keys", lines: m.helpLines()} })},
		{id: keymap.Quit, short: "quit", help: "leave", run: func(*model) tea.Cmd { return tea.Quit }},
	}
}

// keysOf are the keys of a binding.
func (m *model) keysOf(b *binding) []string {
	if b.keys != nil {
		return b.keys
	}
	if k := m.o.Keys.ByID(b.id); k != nil {
		return k.Keys
	}
	return nil
}

// writes reports whether a binding gives commands to targets.
func (b *binding) writes() bool {
	return b.id == keymap.Command || b.id == keymap.PauseAll || b.id == keymap.ContinueAll
}

// key hands a key to what is open, or starts the action that is bound to it.
func (m *model) key(msg tea.KeyPressMsg) tea.Cmd {
	m.dirty = true
	key := msg.String()
	if key == "ctrl+c" {
		return tea.Quit
	}
	if m.modal != nil {
		return m.modal.key(m, msg)
	}
	m.message = ""
	for i := range bindings {
		if b := &bindings[i]; slices.Contains(m.keysOf(b), key) {
			if b.writes() && m.o.Command == nil {
				m.say(theme.Warning, "this screen only watches. Fix: leave out --readonly")
				return nil
			}
			return b.run(m)
		}
	}
	return nil
}

// enter opens what is selected.
func (m *model) enter() tea.Cmd {
	if m.place.group != "" {
		m.openGroup()
		return nil
	}
	t := m.selected()
	switch {
	case t == nil:
		return nil
	case t.Lost || t.Ended:
		m.say(theme.Warning, t.Title()+" is "+t.State()+": there is nothing to open")
		return nil
	}
	m.opened = t.Whole()
	return tea.Quit
}

// openGroup shows the targets of the selected group.
func (m *model) openGroup() {
	at, ok := m.arranged.Position(&m.groups, &m.place.groups)
	if !ok {
		return
	}
	group := m.groups.list[m.arranged.Rows[at]]
	text := fmt.Sprintf("%s=%q", m.place.group, group.Key)
	if old := m.place.state.FilterText; old != "" {
		text = "(" + old + ") and " + text
	}
	m.place.group = ""
	if err := m.setFilter(text); err != nil {
		m.say(theme.Danger, err.Error())
	}
	m.arrange()
	m.selectAt(0)
}

// nextGroup groups by the next column, and behind the last one not at all.
func (m *model) nextGroup() {
	names := append([]string{""}, targets.GroupColumns...)
	m.place.group = names[(slices.Index(names, m.place.group)+1)%len(names)]
	m.place.groups = pane.TableState{Marks: map[uint64]bool{}}
	m.arrange()
}

func (m *model) freeze() {
	if m.place.frozen == nil {
		m.place.frozen = m.rows.list
		return
	}
	m.place.frozen = nil
	m.refresh()
}

// markAlerts marks the targets that have an alert now.
func (m *model) markAlerts() {
	s := &m.place.state
	n := 0
	clear(s.Marks)
	for i, t := range m.rows.list {
		if len(t.Alerts) > 0 {
			s.Marks[m.rows.Key(i)] = true
			n++
		}
	}
	if n == 0 {
		m.say(theme.Good, "no target has an alert")
		return
	}
	m.say(theme.Warning, units.Plural(n, "target")+" with an alert marked; U removes the marks")
}

// back goes one level back; it never leaves.
func (m *model) back() {
	switch {
	case m.place.group != "":
		m.place.group = ""
	case m.place.state.FilterText != "":
		_ = m.setFilter("") // an empty filter can be read
	case m.place.frozen != nil:
		m.freeze()
	}
	m.arrange()
}
