package pane

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/megakernel/stats"
	"vyretop/tui/cells"
	"vyretop/tui/history"
	"vyretop/tui/keymap"
	"vyretop/tui/layout"
	"vyretop/tui/theme"
)

var timelineView = Kind{
	Spec: keymap.Spec{
		View: keymap.Timeline, Short: "time", Digit: "9", Traits: keymap.WorkerRows | keymap.Cells | keymap.HasModes | keymap.HasLog | keymap.OwnZoom,
		Keys: []keymap.OwnKey{
			{After: keymap.Details, Binding: keymap.Binding{
				ID: keymap.ZoomIn, Keys: []string{"+", "="}, Source: keymap.Any, Section: keymap.TableSection, Short: "zoom in", Help: "shorter columns, down to 10 us",
			}},
			{Binding: keymap.Binding{
				ID: keymap.ZoomOut, Keys: []string{"-"}, Source: keymap.Any, Section: keymap.TableSection, Short: "out", Help: "longer columns",
			}},
			{Binding: keymap.Binding{
				ID: keymap.NextSpan, Keys: []string{"n"}, Source: keymap.Any, Section: keymap.TableSection, Short: "span", Help: "select the next span of the worker; Enter: its task",
			}},
			{Binding: keymap.Binding{
				ID: keymap.PrevSpan, Keys: []string{"N"}, Source: keymap.Any, Section: keymap.TableSection, Help: "select the previous span of the worker",
			}},
		},
	},
	New: newTimelinePane, Want: layout.Want{Detail: true}, Head: TimelineHead, Flat: true, Text: true, Command: "workers",
}

// TimelinePane is the past of the workers, a line of time for each, and what of it is shown.
type TimelinePane struct {
	tablePane
	Timeline

	last    time.Duration // of the newest snapshot taken in
	reading bool          // a recording is being read, or has been
}

func newTimelinePane(e *Env, k *Kind) Pane {
	p := &TimelinePane{tablePane: onWorkers(e, k), Timeline: Timeline{Lines: &history.Lines{}, Span: DefaultSpan}}
	s := &p.spec
	s.Vary = func() { p.Whole = !p.Whole }
	s.Back, s.Wheel, s.Read, s.Work = p.back, p.wheel, p.take, p.work
	s.Working = func() bool { return p.Loading != "" }
	s.Keys = map[string]func(){
		keymap.ZoomIn:   func() { p.zoom(-1, p.Place().W, p.Frame()) },
		keymap.ZoomOut:  func() { p.zoom(1, p.Place().W, p.Frame()) },
		keymap.NextSpan: func() { p.stepSpan(1) },
		keymap.PrevSpan: func() { p.stepSpan(-1) },
	}
	return p
}

// Draw implements Pane.
func (p *TimelinePane) Draw(a cells.Area) {
	arr := p.table.Arrange()
	if v, ok := arr.Rows.(*Workers); ok {
		p.Look.DrawTimeline(a, v, &arr.Order, &p.table.TableState, &p.Timeline)
	}
}

// Move implements Pane: to the sides it moves through time.
func (p *TimelinePane) Move(columns, rows int) {
	if columns != 0 {
		p.pan(columns, p.Place().W, p.Frame())
	}
	if rows != 0 {
		p.table.Move(rows)
	}
}

// take follows what is played or runs. A recording that is read as a whole is not followed.
func (p *TimelinePane) take(f *Frame, records []megakernel.LogRecord) {
	s := f.Snap
	if p.reading || s == nil {
		return
	}
	if s.Taken < p.last {
		p.Lines, p.Timeline.Selected = &history.Lines{}, nil
	}
	if p.last != s.Taken || s.Taken == 0 {
		p.Lines.Log(records)
		p.Lines.Snapshot(s)
	}
	p.last = s.Taken
}

// work starts to read a recording when its timeline is shown for the first time.
func (p *TimelinePane) work(shown bool) tea.Cmd {
	if p.Run == nil || p.reading || !shown {
		return nil
	}
	p.reading, p.Loading, p.Lines = true, "reading the recording", &history.Lines{}
	ctx, run := p.Ctx(), p.Run
	return func() tea.Msg {
		lines := &history.Lines{}
		err := run.Read(ctx, lines.Log, lines.Snapshot)
		return LinesRead{p, lines, err}
	}
}

// LinesRead is the end of the reading of a recording.
type LinesRead struct {
	Of    *TimelinePane
	Lines *history.Lines
	Err   error
}

// Take implements Message.
func (msg LinesRead) Take() {
	msg.Of.Lines, msg.Of.Loading = msg.Lines, ""
	if msg.Err != nil {
		msg.Of.Fail(msg.Err)
	}
}

// stepSpan selects the next span of the selected worker, or the one before.
func (p *TimelinePane) stepSpan(by int) {
	key, _, ok := p.table.Selection()
	if !ok {
		p.Say(theme.Warning, "nothing is selected: move with the arrows first")
		return
	}
	if !p.step(int(key), by, p.Place().W, p.Frame()) {
		p.Say(theme.Plain, "there are no more spans of this worker")
	}
}

// Click implements Pane: it selects the span under the pointer.
func (p *TimelinePane) Click(place cells.Rect, at tea.Mouse) (key uint64, ok bool) {
	row := at.Y - place.Y - TimelineHead
	if row < 0 {
		return 0, false
	}
	if key, ok = p.table.clickAt(p.table.Top + row); !ok {
		return 0, false
	}
	p.Timeline.Selected = nil
	if from, span, ok := p.TimeAt(place.W, at.X-place.X, p.Frame()); ok {
		if s, found := p.at(int(key), from, span); found {
			p.selectSpan(int(key), s, place.W, p.Frame())
		}
	}
	return key, true
}

// Enter implements Pane: it shows the task of the selected span, in a recording at the time of the span where the task has ended
// since; false where no activation is selected.
func (p *TimelinePane) Enter() bool {
	s := p.Timeline.Selected
	if s == nil || s.Kind == stats.Pause {
		return false
	}
	if p.openTask(s.Task) {
		return true
	}
	if !p.Live {
		p.Position.Seek(s.Begin)
		if p.openTask(s.Task) {
			return true
		}
	}
	return p.openWorker(p.Worker)
}

// wheel zooms with Ctrl and the wheel, and pans with a wheel that turns sideways.
func (p *TimelinePane) wheel(at tea.Mouse) bool {
	width, f := p.Place().W, p.Frame()
	zooms := at.Mod.Contains(tea.ModCtrl)
	switch {
	case at.Button == tea.MouseWheelLeft:
		p.pan(-1, width, f)
	case at.Button == tea.MouseWheelRight:
		p.pan(1, width, f)
	case at.Button == tea.MouseWheelUp && zooms:
		p.zoom(-1, width, f)
	case at.Button == tea.MouseWheelDown && zooms:
		p.zoom(1, width, f)
	default:
		return false
	}
	return true
}
