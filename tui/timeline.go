package tui

import (
	"context"
	"slices"
	"sort"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/megakernel/span"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
	"vyretop/tui/timeline"
)

// Reader is a Transport whose recording can be gone through as a whole, so that the timeline shows what has not been played.
type Reader interface {
	// Read gives each record batch and each snapshot in the order in which they were recorded, until ctx ends. It may be
	// called from any goroutine, and takes as long as reading takes.
	Read(ctx context.Context, log func([]megakernel.LogRecord), snapshot func(*megakernel.Snapshot)) error
}

// timelinePane is the timeline and what of it is shown.
type timelinePane struct {
	*shared

	shell *model

	pane.Timeline
	last    time.Duration // of the newest snapshot taken in
	reading bool          // a recording is being read, or has been
}

func newTimelinePane() timelinePane {
	return timelinePane{Timeline: pane.Timeline{Lines: &timeline.Lines{}, Span: pane.DefaultSpan}}
}

// take follows what is played or runs. A recording that is read as a whole is not followed.
func (t *timelinePane) take(s *megakernel.Snapshot, records []megakernel.LogRecord) {
	if t.reading || s == nil {
		return
	}
	if s.Taken < t.last {
		t.Lines, t.Selected = &timeline.Lines{}, nil
	}
	if t.last != s.Taken || s.Taken == 0 {
		t.Lines.Log(records)
		t.Lines.Snapshot(s)
	}
	t.last = s.Taken
}

// linesRead is the end of the reading of a recording.
type linesRead struct {
	of    *timelinePane
	lines *timeline.Lines
	err   error
}

func (msg linesRead) route(m *model) tea.Cmd {
	m.timeline.onLinesRead(msg)
	return nil
}

// readTimeline starts to read a recording when its timeline is shown for the first time.
func (tp *timelinePane) readTimeline() tea.Cmd {
	t := tp
	r, ok := tp.transport.(Reader)
	if !ok || t.reading || !tp.showsTimeline() {
		return nil
	}
	t.reading, t.Loading, t.Lines = true, "reading the recording", &timeline.Lines{}
	ctx := tp.ctx
	return func() tea.Msg {
		lines := &timeline.Lines{}
		err := r.Read(ctx, lines.Log, lines.Snapshot)
		return linesRead{t, lines, err}
	}
}

func (tp *timelinePane) onLinesRead(msg linesRead) {
	t := tp
	if msg.of != t {
		return
	}
	t.Lines, t.Loading = msg.lines, ""
	if msg.err != nil {
		tp.fail(msg.err)
	}
}

// zoom makes columns by steps longer, or shorter when that is negative. What is selected, or else the newest or the middle of the screen, stays where it is.
func (t *timelinePane) zoom(by, width int, f *pane.Frame) {
	from, to, now := t.Window(width, f)
	i := sort.Search(len(pane.TimelineSpans), func(i int) bool { return pane.TimelineSpans[i] >= now })
	anchor, follows := from+(to-from)/2, t.End == 0 && !t.Whole
	if s := t.Selected; s != nil {
		anchor, follows = s.Begin+(s.End-s.Begin)/2, false
	}
	t.Span = pane.TimelineSpans[min(max(i+by, 0), len(pane.TimelineSpans)-1)]
	t.Whole = false
	if follows {
		return
	}
	t.pin(anchor+time.Duration(float64(to-from)/2*float64(t.Span)/float64(now)), f)
}

// pin moves the right edge to a time, or has it follow the snapshot where nothing is behind that.
func (t *timelinePane) pin(end time.Duration, f *pane.Frame) {
	now := t.now(f)
	_, to := t.Lines.Reach()
	t.Whole = false
	if t.End = max(end, t.Span); t.End >= max(to, now) {
		if t.End = max(to, now); t.End == now {
			t.End = 0
		}
	}
}

func (t *timelinePane) now(f *pane.Frame) time.Duration {
	if f.Snap == nil {
		return 0
	}
	return f.Snap.Taken
}

// panColumns is how many columns one key moves the timeline.
const panColumns = 10

// pan moves the right edge, to the past when by is negative.
func (t *timelinePane) pan(by, width int, f *pane.Frame) {
	_, to, span := t.Window(width, f)
	if t.Whole {
		t.Span = span
	}
	t.pin(to+time.Duration(panColumns*by)*span, f)
}

// toggleWhole shows all of the run, or what was shown before.
func (t *timelinePane) toggleWhole() { t.Whole = !t.Whole }

// back deselects the span, or else shows the newest again.
func (t *timelinePane) back() bool {
	switch {
	case t.Selected != nil:
		t.Selected = nil
	case t.Whole, t.End > 0:
		t.Whole, t.End = false, 0
	default:
		return false
	}
	return true
}

// selectSpan selects a span of a worker and brings it into sight. The timeline stands still then.
func (t *timelinePane) selectSpan(worker int, s timeline.Span, width int, f *pane.Frame) {
	t.Selected, t.Worker = &s, worker
	from, to, span := t.Window(width, f)
	switch {
	case t.Whole:
	case s.Begin < from, s.Begin >= to:
		t.pin(s.Begin+(to-from)/2, f)
	case t.End == 0:
		t.End = to - span
	}
}

// step selects the next span of a worker, or the one before.
func (t *timelinePane) step(worker, by, width int, f *pane.Frame) bool {
	spans := t.Lines.Spans(worker, 0, maxTime)
	from, to, _ := t.Window(width, f)
	i := sort.Search(len(spans), func(i int) bool { return spans[i].Begin >= from })
	if by < 0 {
		i = sort.Search(len(spans), func(i int) bool { return spans[i].Begin >= to }) - 1
	}
	if s := t.Selected; s != nil && t.Worker == worker {
		i = sort.Search(len(spans), func(i int) bool { return spans[i].Begin >= s.Begin })
		if at := slices.Index(spans[i:], *s); at >= 0 {
			i += at
		}
		i += by
	}
	if i < 0 || i >= len(spans) {
		return false
	}
	t.selectSpan(worker, spans[i], width, f)
	return true
}

const maxTime = time.Duration(1<<63 - 1)

// at is the span of a worker that takes most of a column.
func (t *timelinePane) at(worker int, from, width time.Duration) (best timeline.Span, ok bool) {
	longest := time.Duration(-1)
	spans := t.Lines.Spans(worker, from, from+width)
	for i := range spans {
		s := &spans[i]
		if d := min(s.End, from+width) - max(s.Begin, from); d > longest && s.End >= from {
			best, longest, ok = *s, d, true
		}
	}
	return best, ok
}

// stepSpan selects the next span of the selected worker, or the one before.
func (tp *timelinePane) stepSpan(by int) {
	key, _, ok := tp.shell.table().Selection()
	if !ok {
		tp.say(theme.Warning, "nothing is selected: move with the arrows first")
		return
	}
	if !tp.step(int(key), by, tp.shell.layout().Main.W, tp.frame()) {
		tp.say(theme.Plain, "there are no more spans of this worker")
	}
}

// clickSpan selects the span under the pointer; a second click goes to its task.
func (tp *timelinePane) clickSpan(x, position int) {
	if position >= len(tp.shell.table().Arrange().Order.Rows) {
		return
	}
	tp.shell.table().SelectAt(position)
	worker := tp.shell.table().Selected
	again := tp.shell.pointer.clickedAgain(worker)
	width := tp.shell.layout().Main.W
	from, span, ok := tp.TimeAt(width, x, tp.frame())
	s, found := tp.at(int(worker), from, span)
	switch {
	case again:
		tp.shell.enter()
	case ok && found:
		tp.selectSpan(int(worker), s, width, tp.frame())
	default:
		tp.Selected = nil
	}
}

// enterSpan goes to the task of the selected span, in a recording at the time of the span where the task has ended since; false where no activation is selected.
func (tp *timelinePane) enterSpan() bool {
	s := tp.Selected
	if s == nil || s.Kind == span.Pause || tp.shell.expanded {
		return false
	}
	if tp.shell.goToTask(s.Task) {
		return true
	}
	if tp.transport != nil {
		tp.shell.position.seekMoment(s.Begin)
		if tp.shell.goToTask(s.Task) {
			return true
		}
	}
	return tp.shell.goToWorker(tp.Worker)
}

// wheelTime zooms with Ctrl and the wheel, and pans with a wheel that turns sideways.
func (tp *timelinePane) wheelTime(at tea.Mouse) bool {
	width, f := tp.shell.layout().Main.W, tp.frame()
	switch {
	case at.Button == tea.MouseWheelLeft:
		tp.pan(-1, width, f)
	case at.Button == tea.MouseWheelRight:
		tp.pan(1, width, f)
	case at.Mod.Contains(tea.ModCtrl) && notch(at) != 0:
		tp.zoom(notch(at), width, f)
	default:
		return false
	}
	return true
}

// showsTimeline reports whether the timeline, or its strip below other views, is on the screen.
func (tp *timelinePane) showsTimeline() bool {
	return tp.shell.tab == keymap.Timeline || !tp.shell.layout().Strip.Empty()
}
