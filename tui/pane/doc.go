// Package pane owns what the panels of the dashboard show. Each panel is a function or small type
// that draws a Frame, which is data of one point in time, and a little state of the user's (selection,
// sorting, filter) into an area of the canvas. Drawing changes nothing: the same frame, state and
// area give the same cells. A Table keeps the rows, filter, order and selection of its view.
package pane

import (
	"bytes"
	"strconv"
	"time"
	"unicode/utf8"

	"vyretop/megakernel"
	"vyretop/megakernel/recommend"
	"vyretop/megakernel/stats"
	"vyretop/tasks"
	"vyretop/tui/cells"
	"vyretop/tui/history"
	"vyretop/tui/theme"
)

// Frame is the data of one point in time, ready to draw. It does not change until its memory is given to a later
// one: a frozen view keeps its own.
type Frame struct {
	Target     *megakernel.Target
	Snap       *megakernel.Snapshot // nil before the first
	Workers    []megakernel.Worker
	Beats      []time.Duration   // by worker: since its heartbeat last changed
	SlotCounts *stats.SlotCounts // of the slots; empty before the first snapshot
	Backlog    int               // tasks waiting in the inbox
	Queued     int               // tasks waiting to be claimed, in the ring and in the inbox
	Stats      history.Stats
	Served     history.Served

	Occupancy *stats.Occupancy // of the newest window of time; nil at the beginning

	Advice              recommend.Advice // the shape that is recommended; the zero value where nothing is known
	Advised, AdviceNote string           // AdviceTexts of it

	ControlAges []time.Duration // by control word: since it last changed, or history.Never
	Log         []megakernel.LogRecord
	LogAt       []time.Duration // by record: when it was read
	LogSkipped  uint64          // records that came faster than they could be shown
	Extracts    []Extract       // of buffers that no snapshot holds
	Events      []Event
	Violations  int // of the protocol, found so far
	Pulse       Pulse
	Outcome     Outcome
}

// Renew decodes a snapshot, which may be nil, into the memory of f, adds it to the history, and returns f.
func (f *Frame) Renew(t *megakernel.Target, s *megakernel.Snapshot, h *history.History) *Frame {
	*f = Frame{Target: t, Snap: s, Workers: f.Workers[:0], Beats: f.Beats[:0], SlotCounts: f.SlotCounts, ControlAges: f.ControlAges[:0]}
	if f.SlotCounts == nil {
		f.SlotCounts = new(stats.SlotCounts)
	}
	if s == nil {
		f.SlotCounts.Take(nil)
		return f
	}
	f.Workers = s.AppendWorkers(f.Workers)
	f.SlotCounts.Take(s.Slots)
	f.Backlog = backlog(s)
	f.Queued = f.State(tasks.Ready) + f.State(tasks.Yielded) + f.State(tasks.Requeued) + f.Backlog
	h.Add(s, f.Workers, f.Queued)
	f.Beats = h.BeatAges(f.Beats, len(f.Workers))
	f.Stats, f.Served, f.Occupancy = h.Stats(), h.Served(), f.occupy(h)
	f.ControlAges = h.ControlAges(f.ControlAges)
	return f
}

// State is the number of slots in a state.
func (f *Frame) State(s tasks.State) int { return f.SlotCounts.States[s] }

// backlog is the number of tasks that wait in the inbox. Submitted is read by the host and InboxTaken
// from the device, at slightly different times; a device that seems to be ahead has no backlog.
func backlog(s *megakernel.Snapshot) int {
	if n := int32(uint32(s.Submitted) - s.InboxTaken); n > 0 {
		return int(n)
	}
	return 0
}

// PausedWorkers counts the workers that are paused.
func (f *Frame) PausedWorkers() int {
	n := 0
	for i := range f.Workers {
		if f.Workers[i].State == megakernel.WorkerPaused {
			n++
		}
	}
	return n
}

// Worker is the record of worker id, or nil.
func (f *Frame) Worker(id int) *megakernel.Worker {
	if id < 0 || id >= len(f.Workers) {
		return nil
	}
	return &f.Workers[id]
}

// FindTask is megakernel.Snapshot.FindTask of the frame's snapshot, if it has one.
func (f *Frame) FindTask(id uint32, hint int) (slot int, ok bool) {
	if f.Snap == nil {
		return 0, false
	}
	return f.Snap.FindTask(id, hint)
}

// appendTask writes the id of a task: one that a handler spawned as "+" and its number.
func appendTask(dst []byte, id uint32) []byte {
	return megakernel.AppendTaskName(dst, id)
}

// OpcodeName names an opcode of the target: the workload's handler or the protocol's operation.
func (f *Frame) OpcodeName(op uint32) string {
	if name, ok := f.Target.Opcodes[op]; ok {
		return name
	}
	name, _ := megakernel.OpcodeName(op)
	return name
}

// Look is how views draw: the theme and the user's choice of number base. It also has the memory that
// views work in, so that a frame needs none of its own; it is for one goroutine.
type Look struct {
	*theme.Theme
	Hex  bool // words in hexadecimal
	Wrap bool // long texts are broken into lines instead of cut

	cell    [256]byte           // text of one cell of a table
	note    [256]byte           // text of one note beside a title
	values  [maxColumns]float64 // of one chart
	columns [maxPlaced]placed   // of one table
	times   []history.Column    // of one line of time
}

// Note is empty memory for the note of one heading.
func (l *Look) Note() []byte { return l.note[:0] }

// Heading is what stands above a table, and what to say when it has no row at all.
type Heading struct {
	Name string
	Note []byte
	Hint string
}

// DrawPanel draws a table with its heading.
func (l *Look) DrawPanel(a cells.Area, h Heading, r Rows, o *Order, s *TableState) {
	l.DrawTable(l.DrawHeading(a, h), r, o, s, h.Hint)
}

// DrawHeading draws a heading and returns the rest of the area.
func (l *Look) DrawHeading(a cells.Area, h Heading) cells.Area {
	return l.titled(a, h.Name, nil, h.Note)
}

// title draws the heading of a panel in the first row of the area: its name, then what qualifies
// it. It returns the rest of the area.
func (l *Look) title(a cells.Area, name, note string) cells.Area {
	head, rest := a.SplitTop(1)
	x := head.Text(0, 0, name, theme.Title)
	head.Text(x+2, 0, note, theme.Dim)
	if x+2+utf8.RuneCountInString(note) > head.W {
		head.Set(head.W-1, 0, l.Glyphs.Ellipsis, theme.Dim)
	}
	return rest
}

// titled is title for texts that change with every frame.
func (l *Look) titled(a cells.Area, name string, number, note []byte) cells.Area {
	head, rest := a.SplitTop(1)
	x := head.Text(0, 0, name, theme.Title)
	x = head.Bytes(x, 0, number, theme.Title)
	head.Fit(x+2, 0, head.W-x-2, bytes.TrimRight(note, " "), false, l.Glyphs.Ellipsis, theme.Dim)
	return rest
}

// DrawMore says at the end of a title how many rows there are above and below what is in sight.
func (l *Look) DrawMore(title cells.Area, above, below int) {
	if above <= 0 && below <= 0 {
		return
	}
	text := l.Note()
	if above > 0 {
		text = strconv.AppendInt(utf8.AppendRune(append(text, ' '), l.Glyphs.Ascending), int64(above), 10)
	}
	if below > 0 {
		text = strconv.AppendInt(utf8.AppendRune(append(text, ' '), l.Glyphs.Descending), int64(below), 10)
		text = append(text, " more"...)
	}
	w := min(utf8.RuneCount(text)+1, title.W)
	end := title.Sub(cells.Rect{X: title.W - w, W: w, H: 1})
	end.Fill(' ', theme.Plain)
	end.Bytes(0, 0, text, theme.Key)
}

// empty draws what to do where there is nothing to show, wrapped to the area, and returns the number of rows that
// it takes.
func (l *Look) empty(a cells.Area, text string) int { return Wrap(sub(a), text, theme.Dim) }
