package tui

import (
	"fmt"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/command"
	"vyretop/tui/cells"
	"vyretop/tui/keymap"
	"vyretop/tui/theme"
)

// breakList shows the breakpoints with their hits, and changes them. It acts on the breakpoint that is
// selected by its number, whatever comes or goes in the meantime.
type breakList struct{ id int }

func (bp *breakpoints) openBreaks() {
	if bp.can.breaks == nil {
		bp.fail(bp.unchangeable())
		return
	}
	x := &breakList{}
	if len(bp.list) > 0 {
		x.id = bp.list[0].ID
	}
	bp.look()
	bp.modal = x
}

// row is where the selected breakpoint stands in a list.
func (x *breakList) row(list []breakpoint.Status) int {
	for i := range list {
		if list[i].ID >= x.id {
			return i
		}
	}
	return len(list) - 1
}

func (x *breakList) key(m *model, msg tea.KeyPressMsg) tea.Cmd {
	list := m.breaks.list
	row := x.row(list)
	switch key := msg.String(); key {
	case "esc", "q":
		m.modal = nil
	case "n":
		m.commands.openCommand()
		m.modal.(*input).line.Set("bp ")
	case "c":
		if m.breaks.breaker() == nil {
			return nil
		}
		return m.breaks.release(m.breaks.held())
	case "up", "k", "down", "j":
		if row < 0 {
			return nil
		}
		if key == "up" || key == "k" {
			row--
		} else {
			row++
		}
		x.id = list[min(max(row, 0), len(list)-1)].ID
	case "space", "d", "delete", "D":
		if row < 0 {
			return nil
		}
		return x.change(m, key, &list[row])
	default:
		if m.chrome.means(key, keymap.Breaks) {
			m.modal = nil
		}
	}
	return nil
}

// change switches or removes a breakpoint; D removes all.
func (x *breakList) change(m *model, key string, b *breakpoint.Status) tea.Cmd {
	o := &command.BreakOrder{Do: command.BreakDelete, ID: b.ID}
	switch {
	case key == "D":
		o.ID = 0
	case key == "space" && b.Enabled:
		o.Do = command.BreakDisable
	case key == "space":
		o.Do = command.BreakEnable
	}
	return m.breaks.rebreak(o)
}

func (x *breakList) paste(*model, string) tea.Cmd { return nil }

// Columns of the list of breakpoints.
const (
	breakID        = 1
	breakOn        = 4
	breakHits      = 18
	breakAction    = 25
	breakCondition = 34
	breakHead      = 1 // row above the list
	breakDetails   = 3 // rows below it
)

func (x *breakList) draw(m *model, screen, footer cells.Area) {
	list := m.breaks.list
	inner := m.box(screen, middle(screen.Rect, helpWidth, max(len(list), 1)+2+breakHead+breakDetails), "Breakpoints", theme.Dim)
	footer.Fill(' ', theme.Plain)
	footer.Text(1, 0, m.breaks.listKeys(), theme.Dim)
	row := x.row(list)
	if row < 0 {
		inner.Text(1, 0, "No breakpoint is set. b on a task, or :bp op=7 && tenant==2 hit>100 log", theme.Dim)
		inner.Text(1, 2, "Held before an activation; :bp FILE:LINE holds behind one that came there.", theme.Dim)
		return
	}
	m.drawBreakHead(inner.Line(0))
	_, inner = inner.SplitTop(breakHead)
	rows := max(inner.H-breakDetails, 1)
	first := max(row-rows+1, 0)
	for i := first; i < min(first+rows, len(list)); i++ {
		m.drawBreak(inner.Line(i-first), &list[i])
		if i == row {
			inner.Line(i - first).Highlight()
		}
	}
	_, below := inner.SplitTop(min(rows, len(list)))
	m.drawBreakDetails(below, &list[row])
}

// listKeys says what the keys do in the list.
func (bp *breakpoints) listKeys() string {
	if bp.breaker() == nil {
		return "read-only   Esc closes"
	}
	return "Space on/off   d removes   D all   n new   c continues held tasks   Esc closes"
}

// drawBreakHead names the columns.
func (s *shared) drawBreakHead(line cells.Area) {
	for at, name := range map[int]string{breakID: "#", breakOn: "state", breakAction - len(" hits"): "hits", breakAction: "action", breakCondition: "condition"} {
		line.Text(at, 0, name, theme.Dim)
	}
}

func (s *shared) drawBreak(line cells.Area, b *breakpoint.Status) {
	line.Text(breakID, 0, strconv.Itoa(b.ID), theme.Strong)
	text, style := "off", theme.Dim
	switch {
	case b.Compiling:
		text, style = "compiling "+units.Age(b.Latency), theme.Warning
	case b.Pending:
		text, style = "pending "+units.Age(b.Latency), theme.Warning
	case b.Enabled:
		text, style = "armed", theme.Good
	}
	line.Fit(breakOn, 0, breakHits-breakOn-1, []byte(text), false, s.look.Glyphs.Ellipsis, style)
	hits := theme.Dim
	if b.Hits > 0 {
		hits = theme.Strong
	}
	line.Fit(breakHits, 0, breakAction-breakHits-1, []byte(units.Count(b.Hits)), true, s.look.Glyphs.Ellipsis, hits)
	line.Text(breakAction, 0, b.Action.String(), theme.Plain)
	line.Fit(breakCondition, 0, line.W-breakCondition-1, []byte(b.Condition), false, s.look.Glyphs.Ellipsis, theme.Plain)
}

// drawBreakDetails says what the row of a breakpoint has no room for.
func (s *shared) drawBreakDetails(a cells.Area, b *breakpoint.Status) {
	note := "in force " + units.Duration(b.Latency) + " after it was asked for"
	if b.Compiling {
		note = "the kernel variant with breakpoints is being compiled, " + units.Age(b.Latency) + " so far"
	} else if b.Pending {
		note = "not acknowledged yet: no worker boundary for " + units.Age(b.Latency)
	}
	if b.After > 0 {
		note += fmt.Sprintf("; acts from hit %d on", uint64(b.After)+1)
	}
	if b.Every > 0 {
		note += fmt.Sprintf("; at every %d", b.Every)
	}
	a.Fit(1, 1, a.W-2, []byte(note), false, s.look.Glyphs.Ellipsis, theme.Dim)
	if b.Hits == 0 {
		a.Text(1, 2, "no hit yet", theme.Dim)
		return
	}
	text := "hits"
	for _, w := range b.Workers {
		text += fmt.Sprintf(" w%d:%d", w.Worker, w.Hits)
	}
	text += ", lately by task " + megakernel.TaskName(b.Task)
	a.Fit(1, 2, a.W-2, []byte(text), false, s.look.Glyphs.Ellipsis, theme.Plain)
}
