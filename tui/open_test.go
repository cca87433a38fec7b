package tui

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/history"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
)

// deckDriver is a driver of dashboards over each other.
type deckDriver struct {
	*driver
	screenStack *screenStack
	closed      int
}

// newDeckDriver shows a fake target; every path but "missing" is another one that is a recording.
func newDeckDriver(t *testing.T) *deckDriver {
	d := &deckDriver{}
	o := Options{Title: "base", Version: "test", Environ: utf8Env}
	o.Open = func(path string) (*Opened, error) {
		if path == "missing" {
			return nil, errors.New("there is no such file. Fix: name another one")
		}
		return &Opened{
			Source: newFake(), Transport: &fakeTransport{at: time.Second, end: 5 * time.Second, speed: 1}, Subject: path,
			Close: func() error { d.closed++; return nil },
		}, nil
	}
	f := newFake()
	o.Source, o.Sink = f, f
	d.driver = newDriver(t, 80, 24, o)
	d.screenStack = &screenStack{options: o, base: d.m}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	d.m.ctx = over // nothing waits: neither for clocks nor for updates
	return d
}

// send is driver.send by way of the screenStack; the driver then shows what is on top.
func (d *deckDriver) send(msg tea.Msg) {
	d.screenStack.base.ticking = true
	if d.screenStack.over != nil {
		d.screenStack.over.ticking = true
	}
	_, cmd := d.screenStack.Update(msg)
	d.m = d.screenStack.top()
	d.runTo(cmd, d.send)
}

func (d *deckDriver) keys(names ...string) {
	for _, n := range names {
		d.send(KeyPress(n))
	}
}

func (d *deckDriver) typed(text string) {
	for _, r := range text {
		d.keys(string(r))
	}
}

// A recording is opened over the target, which continues below, and left for it again.
func TestOpenARecordingOverATarget(t *testing.T) {
	d := newDeckDriver(t)
	d.screenStack.base.showTab(keymap.Tasks)
	d.keys("ctrl+o")
	d.typed("some/run.mcap")
	d.wantOnScreen("open some/run.mcap")
	d.keys("enter")
	d.wantOnScreen("run.mcap fake-scan", "00:01.0/00:05.0")
	if d.screenStack.base == d.m || d.m.sink != nil {
		t.Fatal("the recording is not on top, or can be steered")
	}
	d.send(tea.WindowSizeMsg{Width: 120, Height: 40})
	before := d.screenStack.base.latest
	d.screenStack.Update(updated{}) // of the target, which has no owner
	if d.screenStack.base.latest == before || d.screenStack.base.width != 120 {
		t.Error("the target below stands still")
	}
	d.keys("q")
	d.wantOnScreen("leave run.mcap:", "back to fake-scan")
	d.keys("b")
	if d.m != d.screenStack.base || d.closed != 1 || d.m.tab != keymap.Tasks {
		t.Errorf("on top is %q in %s, closed %d times", d.m.title, d.m.tab, d.closed)
	}
	if d.keys("q"); !d.quit {
		t.Error("q at the target does not quit")
	}
}

// What was opened is compared with what is below it, which continues.
func TestDiffWithTheTargetBeneath(t *testing.T) {
	d := newDeckDriver(t)
	base := d.screenStack.options.Source.(*fakeTarget)
	base.advance()
	d.screenStack.Update(updated{})
	d.keys("d")
	d.wantOnScreen("Press d to compare later samples with this one")
	d.typed(":diff base")
	d.keys("enter")
	d.wantOnScreen("no base screen")
	d.keys("esc")
	d.typed(":open one.mcap")
	d.keys("enter", "d")
	d.wantOnScreen("A 00:04.1 base  B 00:04.0 screen", "2899       2850")
	base.advance()
	d.screenStack.Update(updated{})
	d.wantOnScreen("A 00:04.2 base")
}

// What is opened over something opened takes its place; from there q q leaves the program.
func TestOpenedRecordingsReplaceEachOther(t *testing.T) {
	d := newDeckDriver(t)
	d.typed(":open one.mcap")
	d.keys("enter")
	d.typed(":open two.mcap")
	d.keys("enter")
	d.wantOnScreen("two.mcap fake-scan")
	if d.closed != 1 {
		t.Errorf("%d are closed, want the first", d.closed)
	}
	d.typed(":open missing")
	d.keys("enter")
	d.wantOnScreen("there is no such file. Fix: name another one")
	d.keys("q", "q")
	if !d.quit || d.closed != 2 {
		t.Errorf("quit %v, %d closed", d.quit, d.closed)
	}
	d.typed(":close")
	d.keys("enter")
	d.wantOnScreen("nothing was opened over this")
}

// A message for a dashboard that was closed in the meantime is dropped, and what it brings is closed.
func TestMessagesToClosedDashboards(t *testing.T) {
	d := newDeckDriver(t)
	d.typed(":open one.mcap")
	d.keys("enter")
	gone := d.screenStack.over
	d.keys("q", "b")
	other, err := d.screenStack.options.Open("two.mcap")
	d.send(owned{gone, opened{"two.mcap", other, err}})
	if d.screenStack.over != nil || d.closed != 2 {
		t.Errorf("%v is on top, %d closed", d.screenStack.over, d.closed)
	}
}

// What a dashboard has asked for reaches it also while a recording is opened over it, whatever kind of message it is.
func TestMessagesReachTheDashboardBelow(t *testing.T) {
	d := newDeckDriver(t)
	base := d.m
	d.typed(":open one.mcap")
	d.keys("enter")
	base.timeline.Loading = "reading the recording"
	d.send(worked{pane.LinesRead{Of: base.timeline, Lines: &history.Lines{}}})
	d.send(ownRead{err: errors.New("the buffer is gone")})
	if base.timeline.Loading != "" {
		t.Error("the timeline below waits for a recording that was read")
	}
	if base.message.text != "the buffer is gone" {
		t.Errorf("the dashboard below says %q", base.message.text)
	}
}

// Paths are completed to recordings and folders, and what is left to choose from is listed.
func TestPathsAreCompleted(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"runs/one.mcap", "runs/other.mcap", "runs/notes.txt", "rest.txt", ".hidden/x.mcap"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d := newDeckDriver(t)
	d.m.home = dir
	d.keys("ctrl+o")
	d.typed("~/r")
	d.keys("tab")
	d.wantOnScreen("open ~/runs/")
	d.typed("o")
	d.keys("tab")
	d.wantOnScreen("~/runs/one.mcap  ~/runs/other.mcap")
	d.typed("n")
	d.keys("tab")
	if in := d.m.modal.(*input); in.line.Text() != "~/runs/one.mcap" || strings.Contains(d.screen(), "other") {
		t.Errorf("%q\n%s", in.line.Text(), d.screen())
	}
	d.keys("ctrl+u")
	d.typed(dir + "/.h")
	d.keys("tab")
	d.wantOnScreen("/.hidden/")
}
