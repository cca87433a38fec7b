package view

import (
	"fmt"
	"strconv"
	"strings"

	"vyretop/megakernel"
	"vyretop/tasks"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
	"vyretop/tui/units"
)

// DrawWorkerDetail draws everything known of one worker, and its last step where there is room.
func (l *Look) DrawWorkerDetail(a cells.Area, f *Frame, id int) {
	w := f.Worker(id)
	if w == nil {
		l.empty(l.title(a, "Worker", ""), "No worker is selected. Move with the arrows.")
		return
	}
	legend := theme.OfWorker(w.State)
	rest := l.title(a, "Worker "+strconv.Itoa(id), legend.Word)
	fields, more := rest.SplitTop(min(len(workerFields), rest.H))
	for i, field := range workerFields {
		l.field(fields.Line(i), field.name, strconv.AppendUint(nil, uint64(field.of(w)), 10), theme.Plain)
	}
	if f.Beats[id] > 0 {
		fields.Text(28, 4, units.Age(f.Beats[id])+" ago", theme.Dim)
	}
	_, more = more.SplitTop(1)
	if w.Step != nil || more.H > 2 {
		l.DrawStep(more, f, id)
	}
}

var workerFields = []struct {
	name string
	of   func(*megakernel.Worker) uint32
}{
	{"task", func(w *megakernel.Worker) uint32 { return w.TaskID }},
	{"slot", func(w *megakernel.Worker) uint32 { return w.Slot }},
	{"opcode", func(w *megakernel.Worker) uint32 { return w.Opcode }},
	{"pc", func(w *megakernel.Worker) uint32 { return w.PC }},
	{"heartbeat", func(w *megakernel.Worker) uint32 { return w.Heartbeat }},
	{"activations", func(w *megakernel.Worker) uint32 { return w.Activations }},
	{"claims", func(w *megakernel.Worker) uint32 { return w.Claims }},
	{"done", func(w *megakernel.Worker) uint32 { return w.Done }},
	{"faulted", func(w *megakernel.Worker) uint32 { return w.Faulted }},
	{"yields", func(w *megakernel.Worker) uint32 { return w.Yields }},
	{"requeues", func(w *megakernel.Worker) uint32 { return w.Requeues }},
	{"pauses", func(w *megakernel.Worker) uint32 { return w.Pauses }},
	{"idle passes", func(w *megakernel.Worker) uint32 { return w.IdlePasses }},
	{"slices", func(w *megakernel.Worker) uint32 { return w.Slices }},
}

// DrawStep draws what the last stepped activation of a worker did to its slot, word by word.
func (l *Look) DrawStep(a cells.Area, f *Frame, id int) {
	w := f.Worker(id)
	switch {
	case w == nil:
		l.empty(l.title(a, "Step", ""), "No worker is selected. Choose one in view 2 with the arrows.")
		return
	case w.Step == nil && w.State == megakernel.WorkerPaused:
		l.empty(l.title(a, "Step", "worker "+strconv.Itoa(id)), "Paused and not stepped yet. Press s to run exactly one activation.")
		return
	case w.Step == nil:
		l.empty(l.title(a, "Step", "worker "+strconv.Itoa(id)), "Not stepped yet. Pause the worker with p, then press s to run exactly one activation.")
		return
	}
	note := fmt.Sprintf("worker %d  slot %d  %d words changed", id, w.Step.Slot, changedWords(w.Step))
	rest := l.title(a, "Step", note)
	head, body := rest.SplitTop(1)
	l.drawWordColumns(head, "word", "before", "after", "meaning")
	for i := range tasks.SlotWords {
		l.drawStepWord(body.Line(i), f, w.Step, i)
	}
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
	wordName    = 2
	wordFirst   = 21
	wordSecond  = 34
	wordMeaning = 46
)

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
		a.Set(wordSecond-2, 0, l.Glyphs.Arrow, theme.Changed)
	}
	a.Text(wordName, 0, tasks.WordNames[i], theme.Plain)
	l.drawWord(a, wordFirst, before, theme.Dim)
	l.drawWord(a, wordSecond, after, style)
	a.Fit(wordMeaning, 0, a.W-wordMeaning, []byte(f.meaning(&s.After, i)), false, l.Glyphs.Ellipsis, style)
}

func (l *Look) drawWord(a cells.Area, x int, v uint32, s cells.Style) {
	var scratch [16]byte
	a.Fit(x, 0, units.HexWidth, units.AppendWord(scratch[:0], v, l.Hex), true, l.Glyphs.Ellipsis, s)
}

// DrawTaskDetail draws the sixteen words of the slot that holds the task with the given key.
func (l *Look) DrawTaskDetail(a cells.Area, f *Frame, key uint64, selected bool) {
	if !selected {
		l.empty(l.title(a, "Task", ""), "No task is selected. Move with the arrows.")
		return
	}
	id, hint := SplitTaskKey(key)
	slot, ok := f.FindTask(id, hint)
	if !ok {
		l.empty(l.title(a, "Task "+strconv.FormatUint(uint64(id), 10), ""), "It has ended and its slot is free or used again. Move with the arrows to select another.")
		return
	}
	words := f.Snap.Slot(slot)
	rest := l.title(a, fmt.Sprintf("Task %d", id), fmt.Sprintf("slot %d", slot))
	head, body := rest.SplitTop(1)
	head.Text(wordName, 0, "word", theme.Strong)
	head.Text(wordFirst, 0, "value", theme.Strong)
	head.Text(wordSecond, 0, "meaning", theme.Strong)
	for i := range tasks.SlotWords {
		line := body.Line(i)
		line.Text(wordName, 0, tasks.WordNames[i], theme.Plain)
		l.drawWord(line, wordFirst, words[i], theme.Plain)
		line.Fit(wordSecond, 0, line.W-wordSecond, []byte(f.meaning(words, i)), false, l.Glyphs.Ellipsis, theme.Dim)
	}
}

// meaning says in words what slot word i holds, or nothing when the number says it all.
func (f *Frame) meaning(words *[tasks.SlotWords]uint32, i int) string {
	v := words[i]
	switch i {
	case tasks.WordState:
		return tasks.State(v).String()
	case tasks.WordOpcode:
		return f.OpcodeName(v)
	case tasks.WordPriority:
		return tasks.Priority(v).String()
	case tasks.WordContinuationData:
		if tasks.State(words[tasks.WordState]) == tasks.Faulted {
			return "fault: " + megakernel.FaultCode(v).String()
		}
	case tasks.WordFlags:
		return flagNames(v)
	}
	return ""
}

var flags = []struct {
	bit  uint32
	name string
}{
	{tasks.FlagPaused, "PAUSED"}, {tasks.FlagYielded, "YIELDED"},
	{tasks.FlagRequeueRequested, "REQUEUE"}, {tasks.FlagResumeReady, "RESUME_READY"},
}

func flagNames(v uint32) string {
	var names []string
	for _, f := range flags {
		if v&f.bit != 0 {
			names = append(names, f.name)
			v &^= f.bit
		}
	}
	if v != 0 {
		names = append(names, fmt.Sprintf("0x%x", v))
	}
	return strings.Join(names, " ")
}

// DrawText draws a long text under a title, for the details of a log record or an event.
func (l *Look) DrawText(a cells.Area, name, text string) {
	Wrap(l.title(a, name, "").Sub(cells.Rect{X: 1, W: a.W - 2, H: a.H}), text, theme.Plain)
}
