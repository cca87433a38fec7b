package tui

import (
	"fmt"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/command"
	"vyretop/tasks"
	"vyretop/tui/cells"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// breakMenu offers breakpoints, each with what it would have hit in the past that is kept.
type breakMenu struct {
	menu
	offers []breakpoint.Breakpoint // by item
	action breakpoint.Action       // of all of them
	trial  *trial
}

// toggleBreak offers breakpoints for what is selected; where there is one, to remove it.
func (bp *breakpoints) toggleBreak() tea.Cmd {
	if bp.breaker() == nil {
		bp.fail(bp.unchangeable())
		return nil
	}
	conditions := bp.conditionsHere()
	if len(conditions) == 0 {
		bp.say(theme.Warning, bp.shell.noSubject("break"))
		return nil
	}
	x := &breakMenu{menu: menu{title: "Break before an activation"}}
	for _, c := range conditions {
		program, err := command.CompileCondition(c.text, bp.opcodes())
		if err != nil {
			bp.fail(err)
			return nil
		}
		x.add(bp.shell, c.key, breakpoint.Breakpoint{Condition: c.text, Program: program})
	}
	return bp.openBreakMenu(x)
}

// condition is what can be broken at, with the key that does.
type condition struct{ key, text string }

// conditionsHere are those for the selected task, or the task of the selected worker.
func (bp *breakpoints) conditionsHere() (out []condition) {
	on, ok := bp.shell.selected()
	if !ok {
		return nil
	}
	f := bp.latest
	slot, worker := uint32(0), -1
	if on.task {
		_, at := pane.SplitTaskKey(on.key)
		slot = uint32(at)
	} else {
		w := f.Worker(int(on.key))
		if w == nil {
			return nil
		}
		slot, worker = w.Slot, w.ID
	}
	if f.Snap != nil && int64(slot) < int64(f.Snap.NumSlots()) {
		w := f.Snap.Slot(int(slot))
		out = append(out, condition{"o", "op=" + bp.opcodeWord(w[tasks.WordOpcode])}, condition{"t", "id=" + megakernel.TaskName(w[tasks.WordTaskID])})
		out = append(out, condition{"n", fmt.Sprintf("tenant=%d", w[tasks.WordTenant])})
	}
	if worker >= 0 {
		out = append(out, condition{"w", fmt.Sprintf("worker=%d", worker)})
	}
	return out
}

// opcodeWord names an opcode so that a condition can be read.
func (bp *breakpoints) opcodeWord(op uint32) string {
	name := bp.target.Opcodes[op]
	if p, err := command.CompileCondition("op="+name, bp.opcodes()); name == "" || err != nil || p[0].Value != op {
		return strconv.FormatUint(uint64(op), 10)
	}
	return name
}

// askBreak shows what a breakpoint would have hit before it is set.
func (bp *breakpoints) askBreak(b breakpoint.Breakpoint) tea.Cmd {
	x := &breakMenu{menu: menu{title: "Break before an activation"}, action: b.Action}
	x.add(bp.shell, "y", b)
	return bp.openBreakMenu(x)
}

func (bp *breakpoints) openBreakMenu(x *breakMenu) tea.Cmd {
	bp.modal = x
	x.trial = bp.newTrial(x.offers)
	return bp.tryOn(x.trial)
}

// add offers a breakpoint, or to remove the one of the same condition.
func (x *breakMenu) add(m *model, key string, b breakpoint.Breakpoint) {
	item := menuItem{key: key, label: b.Condition}
	if old := m.breaks.find(b.Condition); old != nil {
		item.label = "remove " + b.Condition
		id := old.ID
		item.then = func(m *model) tea.Cmd { return m.breaks.rebreak(&command.BreakOrder{Do: command.BreakDelete, ID: id}) }
	} else {
		item.then = func(m *model) tea.Cmd {
			b.Action = x.action
			return m.breaks.rebreak(&command.BreakOrder{Set: b})
		}
	}
	x.items = append(x.items, item)
	x.offers = append(x.offers, b)
}

func (x *breakMenu) key(m *model, msg tea.KeyPressMsg) tea.Cmd {
	if msg.String() == "space" || msg.String() == "tab" {
		x.action = (x.action + 1) % breakpoint.Action(len(breakpoint.Actions()))
		return nil
	}
	return x.menu.key(m, msg)
}

func (x *breakMenu) place(screen cells.Rect) cells.Rect {
	return middle(screen, helpWidth, 2*len(x.items)+4)
}

func (x *breakMenu) draw(m *model, screen, footer cells.Area) {
	inner := m.box(screen, x.place(screen.Rect), x.title, theme.Dim)
	at := 1
	for _, name := range breakpoint.Actions() {
		style := theme.Dim
		if name == x.action.String() {
			style = theme.Strong | cells.Reverse
		}
		at = inner.Text(at, 0, " "+name+" ", style) + 1
	}
	for i, item := range x.items {
		line := inner.Line(2*i + 1)
		line.Text(1, 0, item.key, theme.Key)
		line.Fit(menuLabel, 0, line.W-menuLabel-1, []byte(x.label(i)), false, m.look.Glyphs.Ellipsis, theme.Plain)
		if i == x.selected {
			line.Highlight()
		}
		inner.Fit(menuLabel, 2*i+2, inner.W-menuLabel-1, []byte(x.trial.text(i)), false, m.look.Glyphs.Ellipsis, theme.Dim)
	}
	inner.Fit(menuLabel, 2*len(x.items)+1, inner.W-menuLabel-1, []byte(x.trial.of[0].Basis()), false, m.look.Glyphs.Ellipsis, theme.Dim)
	footer.Fill(' ', theme.Plain)
	footer.Text(1, 0, "a key or Enter chooses   Space another action   Esc closes", theme.Dim)
}

// label is what an item would set, with what its breakpoint says of hits.
func (x *breakMenu) label(i int) string {
	b := x.offers[i]
	b.Action = x.action
	if text := x.items[i].label; text != b.Condition {
		return text
	}
	return b.String()
}

// click chooses what is under the pointer; a click beside the menu closes it.
func (x *breakMenu) click(m *model, at tea.Mouse) tea.Cmd {
	box := x.place(cells.Rect{W: m.width, H: m.height})
	if !box.Contains(at.X, at.Y) {
		m.modal = nil
		return nil
	}
	if row := at.Y - box.Y - 2; row >= 0 && row/2 < len(x.items) {
		return x.choose(m, row/2)
	}
	return nil
}
