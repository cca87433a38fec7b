package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"vyretop/engine/fault"
	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/command"
	"vyretop/megakernel/layout"
	"vyretop/megakernel/words"
	"vyretop/tasks"
	"vyretop/tui/cells"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// edit is a change of one word, sent as a compare-and-swap: it happens only while the word holds what
// was seen.
type edit struct {
	at       pane.WordAt
	task     uint32 // whose word it is, for words of the ring
	old, new uint32
}

func (e *edit) command() megakernel.Command {
	c := megakernel.Command{Op: megakernel.OpEditControl, Arg: uint32(e.at.Index), Expected: e.old, Desired: e.new}
	if e.at.Buffer == pane.RingBuffer {
		c.Op, c.Task = megakernel.OpEditTask, e.task
		c.Slot, c.Arg = uint32(e.at.Index/tasks.SlotWords), uint32(e.at.Index%tasks.SlotWords)
	}
	if own := e.at.Buffer.Other(); own != nil {
		c.Op, c.Slot = megakernel.OpEditBuffer, own.Binding
	}
	return c
}

func (e *edit) String() string {
	name := e.at.Name()
	if e.at.Buffer == pane.RingBuffer {
		name = fmt.Sprintf("%s of task %s", tasks.WordNames[e.at.Index%tasks.SlotWords], megakernel.TaskName(e.task))
	}
	if own := e.at.Buffer.Other(); own != nil {
		return fmt.Sprintf("edit %s.%s from %s to %s", own.Name, name, e.text(e.old), e.text(e.new))
	}
	return fmt.Sprintf("edit %s from %d to %d", name, e.old, e.new)
}

// text writes a value in the type of the word.
func (e *edit) text(v uint32) string {
	kind := layout.None
	if own := e.at.Buffer.Other(); own != nil {
		_, kind = words.OwnName(own, e.at.Index)
	}
	return string(layout.AppendValue(nil, kind, v))
}

// editor changes words of the target.
type editor struct {
	*shared

	shell *model
}

// editable says why a word cannot be edited, or nothing.
func (ed *editor) editable(at pane.WordAt) error {
	word := at.Index % tasks.SlotWords
	switch {
	case at.Buffer.Other() != nil && at.Buffer.Other().Binding < megakernel.FirstUserBinding:
		return misuse("edit", "the words of "+at.Buffer.String()+" are the kernel's own, only the control buffer, buffers of the workload and operands of tasks can be edited")
	case at.Buffer == pane.WorkerBuffer:
		return misuse("edit", "the device writes the worker table without reading it")
	case at.Buffer == pane.ControlBuffer:
		return command.Kept(at.Index)
	case at.Buffer == pane.RingBuffer && !command.Editable(word):
		return misuse("edit", "the scheduler goes by "+tasks.WordNames[word]+", only operands and the continuation can be edited")
	}
	return nil
}

// openEdit types the new value of the selected word, or of an operand of the selected task.
func (ed *editor) openEdit() {
	edits := ed.shell.shown().Spec().Edit
	if edits == nil {
		return
	}
	e, ok := edits()
	if !ok {
		ed.say(theme.Warning, "nothing is selected: move with the arrows first")
		return
	}
	text := e.Line
	if text == "" && e.Word != (pane.WordAt{}) {
		if err := ed.editable(e.Word); err != nil {
			ed.fail(err)
			return
		}
		text = ed.editLine(e.Word)
	}
	ed.shell.commands.typeAs(text)
}

// editLine is the command that changes a word, with what it holds now.
func (ed *editor) editLine(at pane.WordAt) string {
	v, _ := ed.frame().Word(at)
	e := edit{at: at}
	if own := at.Buffer.Other(); own != nil && own.Layout != nil {
		return fmt.Sprintf("edit %s.%s %s", at.Buffer, at.Name(), e.text(v))
	}
	return fmt.Sprintf("edit %s %s", at, e.text(v))
}

// typedEdit finds the word, and asks before it writes.
func (ed *editor) typedEdit(p *command.Place) (tea.Cmd, error) {
	e, err := ed.typedPlace(p)
	if err == nil {
		err = ed.editable(e.at)
	}
	if err != nil {
		return nil, err
	}
	if own := e.at.Buffer.Other(); own != nil {
		return ed.typedOwn(e, p)
	}
	e.old, _ = ed.frame().Word(e.at)
	e.new = p.Value
	if p.Word != "" {
		e.new, err = p.ValueAs(layout.Uint)
	}
	if err != nil {
		return nil, &fault.Error{Kind: ErrCommand, Subject: ":edit", Cause: err}
	}
	return ed.askEdit(e), nil
}

// askEdit asks before an edit is sent; a script is not asked.
func (ed *editor) askEdit(e edit) tea.Cmd {
	if ed.shell.control.script.running {
		return ed.write(e)
	}
	ed.modal = &editDialog{edit: e}
	return nil
}

// ownRead is the word of a buffer of the workload that an edit is for, as it is.
type ownRead struct {
	edit edit
	err  error
}

func (msg ownRead) route(m *model) tea.Cmd { return m.editor.onOwnRead(msg) }

// typedOwn reads a word of the workload's before it asks: what is on the screen may be older, or another part.
func (ed *editor) typedOwn(e edit, p *command.Place) (tea.Cmd, error) {
	own := e.at.Buffer.Other()
	name, kind := words.OwnName(own, e.at.Index)
	var err error
	switch e.new, err = p.ValueAs(kind); {
	case err != nil:
		return nil, &fault.Error{Kind: ErrCommand, Subject: ":edit", Cause: err}
	case ed.sink == nil:
		return nil, misuse("edit", own.Name+"."+name+" can be edited in a live run only, by the one that steers it")
	}
	reader, parent := ed.shell.memory.Reader, ed.ctx
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, pane.ReadingLimit)
		defer cancel()
		var word [1]uint32
		err := reader.ReadBuffer(ctx, own.Name, e.at.Index, word[:])
		e.old = word[0]
		return ownRead{e, err}
	}, nil
}

// onOwnRead continues with an edit whose word is known.
func (ed *editor) onOwnRead(msg ownRead) tea.Cmd {
	if msg.err != nil {
		ed.fail(msg.err)
		return nil
	}
	return ed.askEdit(msg.edit)
}

// typedPlace finds which word is meant, and whose.
func (ed *editor) typedPlace(p *command.Place) (edit, error) {
	if p.Word == "" {
		s, err := ed.shell.control.typedTask("edit", p.Task)
		_, slot := pane.SplitTaskKey(s.key)
		return edit{at: pane.WordAt{Buffer: pane.RingBuffer, Index: slot*tasks.SlotWords + p.Index}, task: p.Task}, err
	}
	at, err := ed.shell.memory.FindWord(p.Word)
	e := edit{at: at}
	if err != nil {
		return e, &fault.Error{Kind: ErrCommand, Subject: ":edit", Cause: err}
	}
	if at.Buffer == pane.RingBuffer {
		e.task, _ = ed.frame().Word(pane.WordAt{Buffer: at.Buffer, Index: at.Index - at.Index%tasks.SlotWords + tasks.WordTaskID})
	}
	return e, nil
}

// write sends an edit.
func (ed *editor) write(e edit) tea.Cmd {
	s := subject{key: noSubject}
	if e.at.Buffer == pane.RingBuffer {
		s = subject{task: true, key: pane.TaskKey(e.task, e.at.Index/tasks.SlotWords)}
	}
	return ed.shell.control.sendThen(e.command(), s, "editing", e.String(), func(m *model) {
		m.control.undo = append(m.control.undo, func(m *model) tea.Cmd { return m.editor.unwrite(e) })
	})
}

// unwrite takes an edit back, if the word still holds what was written.
func (ed *editor) unwrite(e edit) tea.Cmd {
	e.old, e.new = e.new, e.old
	return ed.shell.control.send(e.command(), subject{key: noSubject}, "undoing", "undo: "+e.String())
}

// undoLast takes the last edit or change of settings back.
func (ct *control) undoLast() tea.Cmd {
	n := len(ct.undo)
	if n == 0 {
		ct.say(theme.Plain, "nothing was edited or set from here yet")
		return nil
	}
	last := ct.undo[n-1]
	ct.undo = ct.undo[:n-1]
	return last(ct.shell)
}

// editDialog shows what an edit does before it is sent. Enter cancels: a stray Enter writes nothing.
type editDialog struct{ edit edit }

func (d *editDialog) key(m *model, msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "y":
		m.modal = nil
		return m.editor.write(d.edit)
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
		{"holds", fmt.Sprintf("%s  %s", units.AppendHex(nil, e.old), e.text(e.old))},
		{"will get", fmt.Sprintf("%s  %s", units.AppendHex(nil, e.new), e.text(e.new))},
		{"written by", e.at.Owner() + "; it may overwrite this again"},
		{"sent as", "compare and swap: not written if the value has changed"},
	}
	if e.at.Buffer == pane.RingBuffer {
		lines[3][1] = fmt.Sprintf("the handler of task %s: the edit waits for its activation", megakernel.TaskName(e.task))
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
