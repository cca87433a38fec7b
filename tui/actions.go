package tui

import (
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/tui/keymap"
	"vyretop/tui/layout"
	"vyretop/tui/theme"
	"vyretop/tui/units"
)

// action is what a key does.
type action func(*model) tea.Cmd

// quiet makes an action of a change that needs no command.
func quiet(f func(*model)) action {
	return func(m *model) tea.Cmd {
		f(m)
		return nil
	}
}

// actions is what each id of the key map does.
func actions() map[string]action {
	all := map[string]action{}
	for _, group := range []map[string]action{targetActions, tableActions, timeActions, screenActions} {
		for id, a := range group {
			all[id] = a
		}
	}
	for v := range keymap.NumViews {
		all[keymap.ShowView+v.String()] = quiet(func(m *model) { m.showTab(v) })
	}
	all[keymap.ShowView+keymap.Diff.String()] = quiet((*model).showDiff)
	return all
}

var targetActions = map[string]action{
	keymap.Pause:       func(m *model) tea.Cmd { return m.give(pauseOrder) },
	keymap.Continue:    func(m *model) tea.Cmd { return m.give(resumeOrder) },
	keymap.StepOne:     (*model).step,
	keymap.Requeue:     (*model).askPriority,
	keymap.Edit:        quiet((*model).openEdit),
	keymap.Undo:        (*model).undoLast,
	keymap.Apply:       (*model).applyLaunch,
	keymap.Compare:     (*model).compareLaunch,
	keymap.Observe:     (*model).observe,
	keymap.Break:       (*model).toggleBreak,
	keymap.Breaks:      quiet((*model).openBreaks),
	keymap.PauseAll:    func(m *model) tea.Cmd { return m.askEveryone(megakernel.OpPauseAll, "pausing") },
	keymap.ContinueAll: func(m *model) tea.Cmd { return m.askEveryone(megakernel.OpResumeAll, "resuming") },
}

var tableActions = map[string]action{
	keymap.Up:                  quiet(func(m *model) { m.moveRows(-1) }),
	keymap.Down:                quiet(func(m *model) { m.moveRows(1) }),
	keymap.HalfUp:              quiet(func(m *model) { m.turn(-(m.pageRows() + 1) / 2) }),
	keymap.HalfDown:            quiet(func(m *model) { m.turn((m.pageRows() + 1) / 2) }),
	keymap.PageUp:              quiet(func(m *model) { m.turn(-m.pageRows()) }),
	keymap.PageDown:            quiet(func(m *model) { m.turn(m.pageRows()) }),
	keymap.Top:                 quiet((*model).toTop),
	keymap.Top + "-home":       quiet((*model).toTop),
	keymap.Bottom:              quiet((*model).toEnd),
	keymap.Bottom + "-end":     quiet((*model).toEnd),
	keymap.Details:             quiet((*model).enter),
	keymap.Follow:              quiet((*model).enter),
	keymap.Details + "-record": quiet(func(m *model) { m.expanded = !m.expanded }),
	keymap.Zoom:                quiet((*model).enter),
	keymap.ZoomIn:              quiet(func(m *model) { m.timeline.zoom(-1, m.layout().Main.W, m.frame()) }),
	keymap.ZoomOut:             quiet(func(m *model) { m.timeline.zoom(1, m.layout().Main.W, m.frame()) }),
	keymap.NextSpan:            quiet(func(m *model) { m.stepSpan(1) }),
	keymap.PrevSpan:            quiet(func(m *model) { m.stepSpan(-1) }),
	keymap.Suppose:             quiet((*model).enter),
	keymap.TasksOf:             quiet((*model).enter),
	keymap.DetailsUp:           quiet(func(m *model) { m.scrollDetails(-detailRows) }),
	keymap.DetailsDown:         quiet(func(m *model) { m.scrollDetails(detailRows) }),
	keymap.Back:                quiet((*model).back),
	keymap.Filter:              quiet((*model).openFilter),
	keymap.Chips:               quiet((*model).openChips),
	keymap.Unfilter:            quiet((*model).unfilter),
	keymap.NextMatch:           func(m *model) tea.Cmd { return m.findMatch(1) },
	keymap.PrevMatch:           func(m *model) tea.Cmd { return m.findMatch(-1) },
	keymap.SortPrev:            quiet(func(m *model) { m.sortBy(-1) }),
	keymap.SortNext:            quiet(func(m *model) { m.sortBy(1) }),
	keymap.ThenBy:              quiet((*model).thenBy),
	keymap.Reverse:             quiet((*model).reverse),
	keymap.Mark:                quiet((*model).mark),
	keymap.Unmark:              quiet(func(m *model) { m.table().Marks = nil }),
	keymap.Radix:               quiet(func(m *model) { m.look.Hex = !m.look.Hex }),
	keymap.Wrap:                quiet((*model).toggleWrap),
	keymap.Yank:                quiet((*model).openYank),
	keymap.Variant:             quiet((*model).vary),
	keymap.Watch:               quiet((*model).toggleWatch),
	keymap.Tree:                quiet((*model).toggleTree),
	keymap.LogOf:               quiet((*model).showLogOf),
	keymap.CellLeft:            quiet(func(m *model) { m.moveSide(-1) }),
	keymap.CellRight:           quiet(func(m *model) { m.moveSide(1) }),

	keymap.CellLeft + "-arrow":  quiet(func(m *model) { m.moveSide(-1) }),
	keymap.CellRight + "-arrow": quiet(func(m *model) { m.moveSide(1) }),
}

// back goes one level back; it never quits.
func (m *model) back() {
	switch {
	case m.stopSearch():
		m.message = message{}
	case m.message.text != "":
		m.message = message{}
	case m.expanded:
		m.expanded = false
	case m.tab == keymap.Ring && m.zoomOut():
	case m.tab == keymap.Timeline && m.timeline.back():
	case m.scrub.looking:
		m.lookAtNow()
	default:
		m.clearFilter()
	}
}

// unfilter clears the filter, or in the launch view the supposed value.
func (m *model) unfilter() {
	if m.tab == keymap.Launch {
		m.forgetInput()
		return
	}
	m.clearFilter()
}

func (m *model) reverse() {
	t := m.table()
	t.Descending = !t.Descending
	m.rememberSorting()
	m.rearrange()
}

var timeActions = map[string]action{
	keymap.PlayPause:   transport(playPause),
	keymap.SeekBack:    seekTime(-time.Second),
	keymap.SeekOn:      seekTime(time.Second),
	keymap.SeekFarBack: seekTime(-10 * time.Second),
	keymap.SeekFarOn:   seekTime(10 * time.Second),
	keymap.SampleBack:  seekSample(-1),
	keymap.SampleOn:    seekSample(1),
	keymap.SamplesBack: seekSample(-10),
	keymap.SamplesOn:   seekSample(10),
	keymap.EventBack:   func(m *model) tea.Cmd { return m.seekEvent(-1) },
	keymap.EventOn:     func(m *model) tea.Cmd { return m.seekEvent(1) },
	keymap.SeekStart:   quiet((*model).seekStart),
	keymap.SeekEnd:     quiet((*model).seekEnd),

	keymap.SeekBack + keymap.BackFromNow:    seekTime(-time.Second),
	keymap.SeekFarBack + keymap.BackFromNow: seekTime(-10 * time.Second),
	keymap.SampleBack + keymap.BackFromNow:  seekSample(-1),
	keymap.SamplesBack + keymap.BackFromNow: seekSample(-10),
	keymap.EventBack + keymap.BackFromNow:   func(m *model) tea.Cmd { return m.seekEvent(-1) },

	keymap.SetMark:    quiet((*model).toggleMark),
	keymap.PrevMark:   seekMark(-1),
	keymap.NextMark:   seekMark(1),
	keymap.Loop:       quiet((*model).toggleLoop),
	keymap.Slower:     quiet(func(m *model) { m.setSpeed(0.5) }),
	keymap.Faster:     quiet(func(m *model) { m.setSpeed(2) }),
	keymap.Freeze:     quiet((*model).freeze),
	keymap.RefreshOff: quiet(func(m *model) { m.setInterval(m.interval + intervalStep) }),
	keymap.RefreshOn:  quiet(func(m *model) { m.setInterval(m.interval - intervalStep) }),
}

// Bounds of the speed of a replay.
const (
	minSpeed = 1.0 / 64
	maxSpeed = 256.0
)

// setSpeed changes the speed of a recording by a factor, and says it: the header does only while it plays.
func (m *model) setSpeed(factor float64) {
	if t := m.transport; t != nil {
		t.SetSpeed(min(max(t.Speed()*factor, minSpeed), maxSpeed))
		m.say(theme.Plain, "speed x"+strconv.FormatFloat(t.Speed(), 'g', 3, 64))
	}
}

// transport makes an action of a move through the recording; what is there afterwards is shown at
// once, without waiting for an update.
func transport(f func(Transport)) action {
	return quiet(func(m *model) {
		if m.transport == nil {
			return
		}
		f(m.transport)
		m.refresh()
	})
}

func playPause(t Transport) {
	if t.Playing() {
		t.Pause()
		return
	}
	if at, end := t.Position(); at >= end {
		t.Seek(0)
	}
	t.Play()
}

func seekBy(d time.Duration) func(Transport) {
	return func(t Transport) {
		at, end := t.Position()
		t.Seek(min(max(at+d, 0), end))
	}
}

func seekEnd(t Transport) {
	_, end := t.Position()
	t.Seek(end)
}

func (m *model) toggleMouse() {
	m.mouse = !m.mouse
	if m.mouse {
		m.say(theme.Plain, "mouse on: click, double-click and wheel; Shift-drag selects text in most terminals")
	} else {
		m.say(theme.Plain, "mouse off: the terminal selects text as usual")
	}
}

// Bounds and step of the refresh interval.
const (
	intervalStep = 100 * time.Millisecond
	maxInterval  = 10 * time.Second
)

func (m *model) setInterval(d time.Duration) {
	m.interval = min(max(d, m.minInterval()), maxInterval)
	m.say(theme.Plain, "refresh every "+units.Duration(m.interval))
}

var screenActions = map[string]action{
	keymap.NextView: quiet(func(m *model) { m.showTab((m.tab + 1) % keymap.NumViews) }),
	keymap.PrevView: quiet(func(m *model) { m.showTab((m.tab + keymap.NumViews - 1) % keymap.NumViews) }),
	keymap.LastView: quiet(func(m *model) { m.showTab(m.lastTab) }),
	keymap.Command:  quiet((*model).openCommand),
	keymap.Alerts:   quiet(func(m *model) { m.modal = &alertList{} }),
	keymap.Help:     quiet(func(m *model) { m.modal = newHelp(m) }),
	keymap.Stall:    quiet((*model).explain),
	keymap.Poll:     quiet((*model).lookAgain),
	keymap.Redraw:   func(*model) tea.Cmd { return tea.ClearScreen },
	keymap.Save:     func(m *model) tea.Cmd { return m.save("asked for by the user") },
	keymap.Open:     quiet((*model).openPath),
	keymap.Wider:    resize(layout.DetailPane, detailStep),
	keymap.Narrower: resize(layout.DetailPane, -detailStep),
	keymap.Taller:   resize(layout.LogPane, rowStep),
	keymap.Shorter:  resize(layout.LogPane, -rowStep),
	keymap.Mouse:    quiet((*model).toggleMouse),
	keymap.Suspend:  (*model).suspend,
	keymap.Quit:     (*model).quit,
}
