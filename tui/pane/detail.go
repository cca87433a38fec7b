package pane

import (
	"fmt"
	"slices"
	"strconv"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/tasks"
	"vyretop/tui/cells"
	"vyretop/tui/history"
	"vyretop/tui/theme"
)

// workerColumn is the width of the fields of a worker where its last step stands beside them.
const workerColumn = 48

// The details of whatever is selected are drawn by functions that return the number of rows which everything
// takes: where that is more than the area has, the rest is cut off, and can be scrolled to.

// DrawWorkerDetail draws everything known of one worker: its fields, its last step and its last
// activations, side by side where the area is wide.
func (l *Look) DrawWorkerDetail(a cells.Area, f *Frame, id int) int {
	w := f.Worker(id)
	if w == nil {
		return 1 + l.empty(l.title(a, "Worker", ""), "No worker is selected. Move with the arrows.")
	}
	var number [8]byte
	rest := l.titled(a, "Worker ", strconv.AppendInt(number[:0], int64(id), 10), append(l.Note(), theme.OfWorker(w.State).Word...))
	wide := rest.W >= workerColumn+wordSecond+units.HexWidth
	left := rest
	if wide {
		left = rest.Sub(cells.Rect{W: workerColumn - 1, H: rest.H})
	}
	rows := l.drawWorkerFields(left, f, w) + 1
	if wide {
		step := rest.Sub(cells.Rect{X: workerColumn, W: rest.W - workerColumn, H: rest.H})
		rows = max(l.DrawStep(step, f, id, true)+1, rows)
	} else {
		_, step := rest.SplitTop(rows)
		rows += l.DrawStep(step, f, id, false) + 1
	}
	_, below := rest.SplitTop(rows)
	return 1 + rows + l.DrawActivations(below, f, id)
}

// fieldColumn is the width of what a worker does, where its counters stand beside that.
const fieldColumn = 44

// drawWorkerFields draws the fields of a worker, in two columns where there is room beside each other, and
// returns the number of rows.
func (l *Look) drawWorkerFields(a cells.Area, f *Frame, w *megakernel.Worker) int {
	fields, counters := workerFields, 5
	if f.Target.Clock != "" {
		fields, counters = timedFields, 8
	}
	columns, width := [...][]workerField{fields, nil}, a.W
	if a.W >= fieldColumn+20 {
		columns, width = [...][]workerField{fields[:counters], fields[counters:]}, fieldColumn-1
	}
	for i, column := range columns {
		part := a.Sub(cells.Rect{X: i * fieldColumn, W: width, H: a.H})
		for y, field := range column {
			l.field(part.Line(y), field.name, field.append(l.cell[:0], f, w), theme.Plain)
		}
	}
	return max(len(columns[0]), len(columns[1]))
}

// workerField is one line of the details of a worker.
type workerField struct {
	name   string
	append func(dst []byte, f *Frame, w *megakernel.Worker) []byte
}

var workerFields = []workerField{
	ofTask("task", func(dst []byte, _ *Frame, w *megakernel.Worker) []byte { return appendTask(dst, w.TaskID) }),
	ofTask("slot", func(dst []byte, _ *Frame, w *megakernel.Worker) []byte {
		return strconv.AppendUint(dst, uint64(w.Slot), 10)
	}),
	ofTask("op", func(dst []byte, f *Frame, w *megakernel.Worker) []byte {
		return append(strconv.AppendUint(append(f.appendOpcode(dst, w.Opcode), " ("...), uint64(w.Opcode), 10), ')')
	}),
	ofTask("pc", func(dst []byte, _ *Frame, w *megakernel.Worker) []byte {
		return strconv.AppendUint(dst, uint64(w.PC), 10)
	}),
	{"heartbeat", func(dst []byte, f *Frame, w *megakernel.Worker) []byte {
		dst = strconv.AppendUint(dst, uint64(w.Heartbeat), 10)
		if f.Beats[w.ID] == history.Never {
			return dst
		}
		dst = append(dst, "  "...)
		return append(units.AppendAge(dst, f.Beats[w.ID]), " ago"...)
	}},
	counted("activations", func(w *megakernel.Worker) uint32 { return w.Activations }),
	counted("claims", func(w *megakernel.Worker) uint32 { return w.Claims }),
	counted("done", func(w *megakernel.Worker) uint32 { return w.Done }),
	counted("faulted", func(w *megakernel.Worker) uint32 { return w.Faulted }),
	counted("yields", func(w *megakernel.Worker) uint32 { return w.Yields }),
	counted("requeues", func(w *megakernel.Worker) uint32 { return w.Requeues }),
	counted("pauses", func(w *megakernel.Worker) uint32 { return w.Pauses }),
	counted("idle passes", func(w *megakernel.Worker) uint32 { return w.IdlePasses }),
	counted("slices", func(w *megakernel.Worker) uint32 { return w.Slices }),
}

// timedFields are those of a worker that counts its time.
var timedFields = slices.Concat(workerFields[:5], []workerField{{"busy", appendBusy}, {"idle", appendIdle}, {"lanes", appendLanes}}, workerFields[5:])

// ofTask makes a field that means something only while the worker has a task.
func ofTask(name string, write func([]byte, *Frame, *megakernel.Worker) []byte) workerField {
	return workerField{name, func(dst []byte, f *Frame, w *megakernel.Worker) []byte {
		if w.Slot == megakernel.NoSlot {
			return append(dst, '-')
		}
		return write(dst, f, w)
	}}
}

// counted makes a field of a plain number.
func counted(name string, of func(*megakernel.Worker) uint32) workerField {
	return workerField{name, func(dst []byte, _ *Frame, w *megakernel.Worker) []byte {
		return strconv.AppendUint(dst, uint64(of(w)), 10)
	}}
}

// DrawStep draws what the last stepped activation of a worker did to its slot: all words, or those that changed. It
// returns the number of rows.
func (l *Look) DrawStep(a cells.Area, f *Frame, id int, all bool) int {
	w := f.Worker(id)
	rest := l.title(a, "Step", "")
	text := sub(rest)
	switch {
	case w.Step == nil && w.State == megakernel.WorkerPaused:
		return 1 + Wrap(text, "Paused and not stepped yet. Press s to run exactly one activation.", theme.Dim)
	case w.Step == nil:
		return 1 + Wrap(text, "Not stepped yet. Pause the worker with p, then press s to run exactly one activation.", theme.Dim)
	}
	l.title(a, "Step", fmt.Sprintf("slot %d  %d words changed", w.Step.Slot, changedWords(w.Step)))
	return 1 + l.drawStepWords(rest, f, w.Step, all)
}

// sub is the area without its first and last column.
func sub(a cells.Area) cells.Area { return a.Sub(cells.Rect{X: 1, W: a.W - 2, H: a.H}) }

// drawStepWords lists the words of a step and returns the number of rows.
func (l *Look) drawStepWords(a cells.Area, f *Frame, s *megakernel.Step, all bool) int {
	head, body := a.SplitTop(1)
	names := []string{"word", "before", "after", "meaning"}
	if !meaningFits(a.W) {
		names = names[:3]
	}
	l.drawWordColumns(head, names...)
	y := 0
	for i := range tasks.SlotWords {
		if all || s.Before[i] != s.After[i] {
			l.drawStepWord(body.Line(y), f, s, i)
			y++
		}
	}
	return 1 + y
}

func changedWords(s *megakernel.Step) int {
	n := 0
	for i := range s.Before {
		if s.Before[i] != s.After[i] {
			n++
		}
	}
	return n
}

// Columns of a list of slot words.
const (
	wordName    = 1
	wordFirst   = 19
	wordArrow   = 30
	wordSecond  = 32
	wordMeaning = 44
)

// meaningFits reports whether the last column of a step has a useful width.
func meaningFits(width int) bool { return width >= wordMeaning+12 }

func (l *Look) drawWordColumns(a cells.Area, names ...string) {
	for i, x := range []int{wordName, wordFirst, wordSecond, wordMeaning}[:len(names)] {
		a.Text(x, 0, names[i], theme.Strong)
	}
}

func (l *Look) drawStepWord(a cells.Area, f *Frame, s *megakernel.Step, i int) {
	before, after := s.Before[i], s.After[i]
	style := theme.Dim
	if before != after {
		style = theme.Changed
		a.Set(0, 0, l.Glyphs.Mark, theme.Changed)
		a.Set(wordArrow, 0, l.Glyphs.Arrow, theme.Changed)
	}
	a.Text(wordName, 0, tasks.WordNames[i], theme.Plain)
	l.drawWord(a, wordFirst, before, theme.Dim)
	l.drawWord(a, wordSecond, after, style)
	if meaningFits(a.W) {
		a.Fit(wordMeaning, 0, a.W-wordMeaning, []byte(f.meaning(&s.After, i)), false, l.Glyphs.Ellipsis, style)
	}
}

func (l *Look) drawWord(a cells.Area, x int, v uint32, s cells.Style) {
	var scratch [16]byte
	a.Fit(x, 0, units.HexWidth, units.AppendWord(scratch[:0], v, l.Hex), true, l.Glyphs.Ellipsis, s)
}

// DrawTaskDetail draws the sixteen words of the slot that holds the task with the given key.
func (l *Look) DrawTaskDetail(a cells.Area, f *Frame, key uint64, selected bool) int {
	if !selected {
		return 1 + l.empty(l.title(a, "Task", ""), "No task is selected. Move with the arrows.")
	}
	id, hint := SplitTaskKey(key)
	slot, ok := f.FindTask(id, hint)
	if !ok {
		return 1 + l.empty(l.title(a, "Task "+megakernel.TaskName(id), ""), "It has ended and its slot is free or used again. Move with the arrows to select another.")
	}
	var name [16]byte
	note := strconv.AppendInt(append(l.Note(), "slot "...), int64(slot), 10)
	return 1 + l.drawSlotWords(l.titled(a, "Task ", appendTask(name[:0], id), note), f, f.Snap.Slot(slot))
}

// meaning says in words what slot word i holds, or nothing when the number says it all.
func (f *Frame) meaning(words *[tasks.SlotWords]uint32, i int) string {
	v := words[i]
	switch i {
	case tasks.WordState:
		return tasks.State(v).String()
	case tasks.WordOpcode:
		if megakernel.Ending(words) {
			return megakernel.EndingName
		}
		return f.OpcodeName(v)
	case tasks.WordPriority:
		return tasks.Priority(v).String()
	case tasks.WordTaskID, tasks.WordParentTaskID:
		if v >= megakernel.SpawnedIDBase {
			return megakernel.TaskName(v) + ", spawned"
		}
	case tasks.WordContinuationData:
		if tasks.State(words[tasks.WordState]) == tasks.Faulted {
			return "fault: " + megakernel.FaultCode(v).String()
		}
	case tasks.WordFlags:
		return flagNames(v)
	}
	return ""
}

// DrawText draws a long text under a title, for the details of a log record or an event.
func (l *Look) DrawText(a cells.Area, name, text string) int {
	return 1 + Wrap(sub(l.title(a, name, "")), text, theme.Plain)
}

// DrawRow draws a row of a table in full, one column below the other.
func (l *Look) DrawRow(a cells.Area, name string, r Rows, row int) int {
	rest := l.title(a, name, "")
	var scratch [128]byte
	for i, c := range r.Columns() {
		text, cell := r.Append(scratch[:0], row, i)
		if c.Grow {
			_, below := rest.SplitTop(i + 1)
			return i + 2 + Wrap(sub(below), string(text), cell.Style)
		}
		l.field(rest.Line(i), c.Title, text, theme.Plain)
	}
	return 1 + len(r.Columns())
}
