package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/cells"
	"vyretop/tui/layout"
	"vyretop/tui/pane"
)

// doubleClick is the longest time between the two clicks of a double click.
const doubleClick = 400 * time.Millisecond

// wheelRows is how many rows one notch of the wheel moves.
const wheelRows = 3

// click is the last click, to tell a second one on the same row.
type click struct {
	key uint64
	at  time.Time
}

// zone is a part of a row of the screen that does something when it is clicked.
type zone struct {
	cells.Rect
	action      string
	label, text string
}

// pointer is the mouse.
type pointer struct {
	*shared

	shell     *model
	mouse     bool // it is captured
	lastClick click
	drag      drag
}

// onMouse handles the mouse. Everything it does has a key.
func (pt *pointer) onMouse(msg tea.MouseMsg) tea.Cmd {
	at := msg.Mouse()
	if pt.modal != nil {
		switch msg.(type) {
		case tea.MouseClickMsg:
			return pt.clickModal(at)
		case tea.MouseWheelMsg:
			pt.wheelModal(at)
		}
		return nil
	}
	switch msg.(type) {
	case tea.MouseWheelMsg:
		pt.wheel(at)
	case tea.MouseClickMsg:
		switch at.Button {
		case tea.MouseLeft:
			return pt.clicked(at)
		case tea.MouseRight:
			pt.openMenu(at)
		}
	case tea.MouseMotionMsg:
		if at.Button == tea.MouseLeft {
			pt.dragTo(at)
		}
	case tea.MouseReleaseMsg:
		pt.drag = drag{}
	}
	return nil
}

// clickModal gives a click to a dialog that takes some.
func (pt *pointer) clickModal(at tea.Mouse) tea.Cmd {
	if x, ok := pt.modal.(interface {
		click(*model, tea.Mouse) tea.Cmd
	}); ok {
		return x.click(pt.shell, at)
	}
	return nil
}

// overText reports whether the pointer is over text that is not in a table, in the main panel.
func (pt *pointer) overText(main cells.Rect, at tea.Mouse) bool {
	over := pt.shell.shown().Spec().OverText
	return main.Contains(at.X, at.Y) && (pt.shell.details.reading() || over != nil && over(main, at.X))
}

// wheelModal scrolls a dialog that is longer than its place.
func (pt *pointer) wheelModal(at tea.Mouse) {
	if x, ok := pt.modal.(interface{ wheel(by int) }); ok {
		x.wheel(notch(at) * wheelRows)
	}
}

// notch is which way the wheel was turned.
func notch(at tea.Mouse) int {
	switch at.Button {
	case tea.MouseWheelUp:
		return -1
	case tea.MouseWheelDown:
		return 1
	}
	return 0
}

// wheel moves what is under the pointer.
func (pt *pointer) wheel(at tea.Mouse) {
	l, by := pt.shell.layout(), notch(at)
	switch {
	case !pt.shell.expanded && l.Main.Contains(at.X, at.Y) && pt.wheelPane(at):
	case by == 0:
	case l.Detail.Contains(at.X, at.Y), pt.overText(l.Main, at):
		pt.shell.details.scrollDetails(by * detailRows)
	case l.Main.Contains(at.X, at.Y):
		pt.shell.shown().Move(0, by*wheelRows)
	case l.Log.Contains(at.X, at.Y):
		pt.shell.scrollTail(by * wheelRows)
	case l.Scrub.Contains(at.X, at.Y):
		seekTime(time.Duration(by) * time.Second)(pt.shell)
	case l.Tabs.Contains(at.X, at.Y):
		pt.shell.stepTab(by)
	}
}

// wheelPane lets the pane have a turn of the wheel, if that means something to it.
func (pt *pointer) wheelPane(at tea.Mouse) bool {
	wheel := pt.shell.shown().Spec().Wheel
	return wheel != nil && wheel(at)
}

// scrollTail moves through the log below a table, which stays where it is until it is at its end again.
func (vs *views) scrollTail(by int) {
	vs.tail = vs.frame().ScrollTail(vs.tail, by, vs.layout().Log.H-1)
}

func (pt *pointer) clicked(at tea.Mouse) tea.Cmd {
	l := pt.shell.layout()
	pt.drag = drag{}
	if pt.drag.pane, pt.drag.border = l.Border(at.X, at.Y); pt.drag.border {
		return nil
	}
	for _, z := range append(pt.shell.chrome.tabZones(l.Tabs), pt.shell.chrome.hintZones(pt.shell.chrome.hintRect(l.Footer))...) {
		if z.Contains(at.X, at.Y) {
			pt.message = message{}
			return pt.shell.run(z.action)
		}
	}
	switch {
	case l.Scrub.Contains(at.X, at.Y):
		pt.drag.time = true
		pt.seekTo(l, at)
	case pt.shell.expanded:
	case l.Main.Contains(at.X, at.Y):
		pt.clickMain(l.Main, at)
	}
	return nil
}

// openMenu selects what is under the pointer and lists what can be done with it.
func (pt *pointer) openMenu(at tea.Mouse) {
	main := pt.shell.layout().Main
	if pt.shell.expanded || !main.Contains(at.X, at.Y) {
		return
	}
	if pt.shell.clickChips(at) {
		return
	}
	pt.lastClick = click{} // not the first half of a double click
	pt.clickMain(main, at)
	pt.lastClick = click{}
	pt.shell.openRowMenu()
}

// clickMain gives a click to the pane; a second one opens what is there.
func (pt *pointer) clickMain(main cells.Rect, at tea.Mouse) {
	if pt.shell.clickChips(at) {
		return
	}
	if key, ok := pt.shell.shown().Click(main, at); ok && pt.clickedAgain(key) {
		pt.shell.enter()
	}
}

// clickedAgain notes a click and reports whether it is the second one on the same thing.
func (pt *pointer) clickedAgain(key uint64) bool {
	again := pt.lastClick.key == key && pt.now().Sub(pt.lastClick.at) <= doubleClick
	pt.lastClick = click{key: key, at: pt.now()}
	return again
}

// seekTo moves to the position under the pointer.
func (pt *pointer) seekTo(l layout.Layout, at tea.Mouse) {
	if at.Y != l.Scrub.Y || l.Scrub.Empty() {
		return
	}
	pt.shell.position.seekTime(pane.ScrubTime(l.Scrub, pt.shell.position.span(), at.X))
}
