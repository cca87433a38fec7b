package tui

import (
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/tui/keymap"
	"vyretop/tui/layout"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
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
	for _, k := range pane.Kinds {
		all[keymap.ShowView+string(k.View)] = quiet(func(m *model) { m.pressTab(k.View) })
	}
	return all
}

var targetActions = map[string]action{
	keymap.Pause:       func(m *model) tea.Cmd { return m.control.give(pauseOrder) },
	keymap.Continue:    func(m *model) tea.Cmd { return m.control.give(resumeOrder) },
	keymap.StepOne:     func(m *model) tea.Cmd { return m.control.step() },
	keymap.Requeue:     func(m *model) tea.Cmd { return m.control.askPriority() },
	keymap.Edit:        quiet(func(m *model) { m.editor.openEdit() }),
	keymap.Undo:        func(m *model) tea.Cmd { return m.control.undoLast() },
	keymap.Record:      (*model).toggleRecording,
	keymap.Apply:       func(m *model) tea.Cmd { return m.control.applyLaunch() },
	keymap.Compare:     func(m *model) tea.Cmd { return m.control.compareLaunch() },
	keymap.Observe:     func(m *model) tea.Cmd { return m.control.observe() },
	keymap.Break:       func(m *model) tea.Cmd { return m.breaks.toggleBreak() },
	keymap.Breaks:      quiet(func(m *model) { m.breaks.openBreaks() }),
	keymap.PauseAll:    func(m *model) tea.Cmd { return m.control.askEveryone(megakernel.OpPauseAll, "pausing") },
	keymap.ContinueAll: func(m *model) tea.Cmd { return m.control.askEveryone(megakernel.OpResumeAll, "resuming") },
}

var tableActions = map[string]action{
	keymap.Up:                  quiet(func(m *model) { m.shown().Move(0, -1) }),
	keymap.Down:                quiet(func(m *model) { m.shown().Move(0, 1) }),
	keymap.HalfUp:              quiet(func(m *model) { m.turn(-(m.pageRows() + 1) / 2) }),
	keymap.HalfDown:            quiet(func(m *model) { m.turn((m.pageRows() + 1) / 2) }),
	keymap.PageUp:              quiet(func(m *model) { m.turn(-m.pageRows()) }),
	keymap.PageDown:            quiet(func(m *model) { m.turn(m.pageRows()) }),
	keymap.Top:                 quiet(func(m *model) { m.jump(false) }),
	keymap.Top + "-home":       quiet(func(m *model) { m.jump(false) }),
	keymap.Bottom:              quiet(func(m *model) { m.jump(true) }),
	keymap.Bottom + "-end":     quiet(func(m *model) { m.jump(true) }),
	keymap.Details:             quiet(func(m *model) { m.enter() }),
	keymap.Follow:              quiet(func(m *model) { m.enter() }),
	keymap.Details + "-record": quiet(func(m *model) { m.expanded = !m.expanded }),
	keymap.Zoom:                quiet(func(m *model) { m.enter() }),
	keymap.Suppose:             quiet(func(m *model) { m.enter() }),
	keymap.TasksOf:             quiet(func(m *model) { m.enter() }),
	keymap.DetailsUp:           quiet(func(m *model) { m.details.scrollDetails(-detailRows) }),
	keymap.DetailsDown:         quiet(func(m *model) { m.details.scrollDetails(detailRows) }),
	keymap.Back:                quiet((*model).back),
	keymap.Filter:              quiet(func(m *model) { m.commands.openFilter() }),
	keymap.Chips:               quiet((*model).openChips),
	keymap.Unfilter:            quiet(func(m *model) { m.unfilter() }),
	keymap.NextMatch:           func(m *model) tea.Cmd { return m.findMatch(1) },
	keymap.PrevMatch:           func(m *model) tea.Cmd { return m.findMatch(-1) },
	keymap.SortPrev:            quiet(func(m *model) { m.table().SortBy(-1) }),
	keymap.SortNext:            quiet(func(m *model) { m.table().SortBy(1) }),
	keymap.ThenBy:              quiet(func(m *model) { m.table().ThenBy() }),
	keymap.Reverse:             quiet(func(m *model) { m.table().Reverse() }),
	keymap.Mark:                quiet(func(m *model) { m.table().ToggleMark() }),
	keymap.Unmark:              quiet(func(m *model) { m.table().Marks = nil }),
	keymap.Radix:               quiet(func(m *model) { m.look.Hex = !m.look.Hex }),
	keymap.Wrap:                quiet(func(m *model) { m.toggleWrap() }),
	keymap.Yank:                quiet(func(m *model) { m.copier.openYank() }),
	keymap.Variant:             quiet(func(m *model) { m.vary() }),
	keymap.LogOf:               quiet(func(m *model) { m.showLogOf() }),
	keymap.CellLeft:            quiet(func(m *model) { m.shown().Move(-1, 0) }),
	keymap.CellRight:           quiet(func(m *model) { m.shown().Move(1, 0) }),

	keymap.CellLeft + "-arrow":  quiet(func(m *model) { m.shown().Move(-1, 0) }),
	keymap.CellRight + "-arrow": quiet(func(m *model) { m.shown().Move(1, 0) }),
}

// back goes one level back; it never quits.
func (m *model) back() {
	switch {
	case m.position.stopSearch():
		m.message = message{}
	case m.message.text != "":
		m.message = message{}
	case m.expanded:
		m.expanded = false
	case m.goesBack():
	case m.position.scrub.looking:
		m.position.lookAtNow()
	default:
		m.table().ClearFilter()
	}
}

// goesBack goes one level back within the view, if there is one.
func (vs *views) goesBack() bool {
	back := vs.shown().Spec().Back
	return back != nil && back()
}

// unfilter clears the filter, or what else the user set.
func (vs *views) unfilter() {
	if reset := vs.shown().Spec().Reset; reset != nil {
		reset()
		return
	}
	vs.table().ClearFilter()
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
	keymap.SeekStart:   quiet(func(m *model) { m.position.seekStart() }),
	keymap.SeekEnd:     quiet(func(m *model) { m.position.seekEnd() }),

	keymap.SeekBack + keymap.BackFromNow:    seekTime(-time.Second),
	keymap.SeekFarBack + keymap.BackFromNow: seekTime(-10 * time.Second),
	keymap.SampleBack + keymap.BackFromNow:  seekSample(-1),
	keymap.SamplesBack + keymap.BackFromNow: seekSample(-10),
	keymap.EventBack + keymap.BackFromNow:   func(m *model) tea.Cmd { return m.seekEvent(-1) },

	keymap.SetMark:    quiet(func(m *model) { m.position.toggleMark() }),
	keymap.PrevMark:   seekMark(-1),
	keymap.NextMark:   seekMark(1),
	keymap.Loop:       quiet(func(m *model) { m.position.toggleLoop() }),
	keymap.Slower:     quiet(func(m *model) { m.position.setSpeed(0.5) }),
	keymap.Faster:     quiet(func(m *model) { m.position.setSpeed(2) }),
	keymap.Freeze:     quiet(func(m *model) { m.position.freeze() }),
	keymap.RefreshOff: quiet(func(m *model) { m.feed.setInterval(m.feed.interval + intervalStep) }),
	keymap.RefreshOn:  quiet(func(m *model) { m.feed.setInterval(m.feed.interval - intervalStep) }),
}

// Bounds of the speed of a replay.
const (
	minSpeed = 1.0 / 64
	maxSpeed = 256.0
)

// setSpeed changes the speed of a recording by a factor, and says it: the header does only while it plays.
func (ps *position) setSpeed(factor float64) {
	if t := ps.transport; t != nil {
		t.SetSpeed(min(max(t.Speed()*factor, minSpeed), maxSpeed))
		ps.say(theme.Plain, "speed x"+strconv.FormatFloat(t.Speed(), 'g', 3, 64))
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

func (pt *pointer) toggleMouse() {
	pt.mouse = !pt.mouse
	if pt.mouse {
		pt.say(theme.Plain, "mouse on: click, double-click and wheel; Shift-drag selects text in most terminals")
	} else {
		pt.say(theme.Plain, "mouse off: the terminal selects text as usual")
	}
}

// Bounds and step of the refresh interval.
const (
	intervalStep = 100 * time.Millisecond
	maxInterval  = 10 * time.Second
)

func (fd *feed) setInterval(d time.Duration) {
	fd.interval = min(max(d, fd.minInterval()), maxInterval)
	fd.say(theme.Plain, "refresh every "+units.Duration(fd.interval))
}

var screenActions = map[string]action{
	keymap.NextView: quiet(func(m *model) { m.stepTab(1) }),
	keymap.PrevView: quiet(func(m *model) { m.stepTab(-1) }),
	keymap.LastView: quiet(func(m *model) { m.showTab(m.lastTab) }),
	keymap.Command:  quiet(func(m *model) { m.commands.openCommand() }),
	keymap.Alerts:   quiet(func(m *model) { m.modal = &alertList{} }),
	keymap.Help:     quiet(func(m *model) { m.modal = newHelp(m) }),
	keymap.Stall:    quiet((*model).explain),
	keymap.Poll:     quiet((*model).lookAgain),
	keymap.Redraw:   redraw,
	keymap.Save:     func(m *model) tea.Cmd { return m.files.save("asked for by the user") },
	keymap.Open:     quiet(func(m *model) { m.files.openPath() }),
	keymap.Wider:    resize(layout.DetailPane, detailStep),
	keymap.Narrower: resize(layout.DetailPane, -detailStep),
	keymap.Taller:   resize(layout.LogPane, rowStep),
	keymap.Shorter:  resize(layout.LogPane, -rowStep),
	keymap.Mouse:    quiet(func(m *model) { m.pointer.toggleMouse() }),
	keymap.Suspend:  (*model).suspend,
	keymap.Quit:     func(m *model) tea.Cmd { return m.leaving.quit() },
}
