package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/tasks"
	"vyretop/tui/cells"
	"vyretop/tui/keymap"
	"vyretop/tui/steer"
	"vyretop/tui/theme"
	"vyretop/tui/units"
	"vyretop/tui/view"
)

// edit is a change of one word, sent as a compare-and-swap: it happens only while the word holds what
// was seen.
type edit struct {
	at       view.WordAt
	task     uint32 // whose word it is, for words of the ring
	old, new uint32
}

func (e *edit) command() megakernel.Command {
	c := megakernel.Command{Op: megakernel.OpEditControl, Arg: uint32(e.at.Index), Expected: e.old, Desired: e.new}
	if e.at.Buffer == view.RingBuffer {
		c.Op, c.Task = megakernel.OpEditTask, e.task
		c.Slot, c.Arg = uint32(e.at.Index/tasks.SlotWords), uint32(e.at.Index%tasks.SlotWords)
	}
	return c
}

func (e *edit) String() string {
	name := e.at.Name()
	if e.at.Buffer == view.RingBuffer {
		name = fmt.Sprintf("%s of task %s", tasks.WordNames[e.at.Index%tasks.SlotWords], view.TaskName(e.task))
	}
	return fmt.Sprintf("edit %s from %d to %d", name, e.old, e.new)
}

// editable says why a word cannot be edited, or nothing.
func (m *model) editable(at view.WordAt) error {
	word := at.Index % tasks.SlotWords
	switch {
	case at.Buffer.Other() != nil:
		return misuse("edit", "the words of "+at.Buffer.String()+" are the kernel's own, only the control buffer and operands of tasks can be edited")
	case at.Buffer == view.WorkerBuffer:
		return misuse("edit", "the device writes the worker table without reading it")
	case at.Buffer == view.RingBuffer && !steer.Editable(word):
		return misuse("edit", "the scheduler goes by "+tasks.WordNames[word]+", only operands and the continuation can be edited")
	}
	return nil
}

// openEdit types the new value of the selected word, or of an operand of the selected task.
func (m *model) openEdit() {
	text := ""
	switch key, _, ok := m.selection(); {
	case !ok:
		m.say(theme.Warning, "nothing is selected: move with the arrows first")
		return
	case m.tab == keymap.Tasks:
		id, slot := view.SplitTaskKey(key)
		v, _ := m.frame().Word(view.WordAt{Buffer: view.RingBuffer, Index: slot*tasks.SlotWords + tasks.WordParam})
		text = fmt.Sprintf("edit task %s param %d", view.TaskName(id), v)
	case m.tab == keymap.Fairness:
		if t, ok := m.sink.(Tuner); ok && key < megakernel.Tenants {
			now := t.Settings()
			text = fmt.Sprintf("set tenant-quota.%d=%d", key, now.TenantQuota[key])
		}
	default:
		at, _ := m.word()
		if err := m.editable(at); err != nil {
			m.fail(err)
			return
		}
		v, _ := m.frame().Word(at)
		text = fmt.Sprintf("edit %s %d", at, v)
	}
	m.openCommand()
	if in, ok := m.modal.(*input); ok {
		in.line.Set(text)
	}
}

// typedEdit asks before it writes; a script is not asked.
func (m *model) typedEdit(p *steer.Place) (tea.Cmd, error) {
	e, err := m.typedPlace(p)
	if err == nil {
		err = m.editable(e.at)
	}
	if err != nil {
		return nil, err
	}
	e.old, _ = m.frame().Word(e.at)
	e.new = p.Value
	if m.script.running {
		return m.write(e), nil
	}
	m.modal = &editDialog{edit: e}
	return nil, nil
}

// typedPlace finds which word is meant, and whose.
func (m *model) typedPlace(p *steer.Place) (edit, error) {
	if p.Word == "" {
		s, err := m.typedTask("edit", p.Task)
		_, slot := view.SplitTaskKey(s.key)
		return edit{at: view.WordAt{Buffer: view.RingBuffer, Index: slot*tasks.SlotWords + p.Index}, task: p.Task}, err
	}
	at, err := m.typedWord("edit", p.Word)
	e := edit{at: at}
	if err == nil && at.Buffer == view.RingBuffer {
		e.task, _ = m.frame().Word(view.WordAt{Buffer: at.Buffer, Index: at.Index - at.Index%tasks.SlotWords + tasks.WordTaskID})
	}
	return e, err
}

// write sends an edit.
func (m *model) write(e edit) tea.Cmd {
	s := subject{key: noSubject}
	if e.at.Buffer == view.RingBuffer {
		s = subject{task: true, key: view.TaskKey(e.task, e.at.Index/tasks.SlotWords)}
	}
	return m.sendThen(e.command(), s, "editing", e.String(), func(m *model) {
		m.undo = append(m.undo, func(m *model) tea.Cmd { return m.unwrite(e) })
	})
}

// unwrite takes an edit back, if the word still holds what was written.
func (m *model) unwrite(e edit) tea.Cmd {
	e.old, e.new = e.new, e.old
	return m.send(e.command(), subject{key: noSubject}, "undoing", "undo: "+e.String())
}

// undoLast takes the last edit or change of settings back.
func (m *model) undoLast() tea.Cmd {
	n := len(m.undo)
	if n == 0 {
		m.say(theme.Plain, "nothing was edited or set from here yet")
		return nil
	}
	last := m.undo[n-1]
	m.undo = m.undo[:n-1]
	return last(m)
}

// editDialog shows what an edit does before it is sent. Enter cancels: a stray Enter writes nothing.
type editDialog struct{ edit edit }

func (d *editDialog) key(m *model, msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "ctrl+c":
		return tea.Quit
	case "y":
		m.modal = nil
		return m.write(d.edit)
	case "n", "esc", "enter", "q":
		m.modal = nil
	}
	return nil
}

func (d *editDialog) paste(*model, string) tea.Cmd { return nil }

// The box of the dialog.
const (
	editWidth = 66
	editLabel = 12
)

func (d *editDialog) draw(m *model, screen, footer cells.Area) {
	e := &d.edit
	lines := [][2]string{
		{"word", e.at.String() + "  " + e.at.Name()},
		{"holds", fmt.Sprintf("%s  %d", units.AppendHex(nil, e.old), e.old)},
		{"will get", fmt.Sprintf("%s  %d", units.AppendHex(nil, e.new), e.new)},
		{"written by", e.at.Owner() + "; it may overwrite this again"},
		{"sent as", "compare and swap: nothing is written if it changes meanwhile"},
	}
	if e.at.Buffer == view.RingBuffer {
		lines[3][1] = fmt.Sprintf("the handler of task %s: the edit waits for its activation", view.TaskName(e.task))
	}
	inner := m.box(screen, middle(screen.Rect, editWidth+editLabel, len(lines)+2), "Edit", theme.Warning)
	for y, l := range lines {
		style := theme.Plain
		if l[0] == "will get" {
			style = theme.Changed
		}
		inner.Text(1, y, l[0], theme.Dim)
		inner.Fit(editLabel+1, y, inner.W-editLabel-2, []byte(l[1]), false, m.look.Glyphs.Ellipsis, style)
	}
	(&confirm{question: "write it?", choices: []choice{{"n", "no", nil}, {"y", "yes", nil}}}).draw(m, screen, footer)
}
