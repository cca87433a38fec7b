package tui

import (
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/tui/keymap"
)

// run lets the fake and the dashboard continue by n steps of 100 ms.
func (f *fakeTarget) run(d *driver, n int) {
	for range n {
		d.clock = d.clock.Add(100 * time.Millisecond)
		f.advance()
		d.update()
	}
}

// The past shows what the screen showed then: the same numbers, averages and log.
func TestThePastIsAsItWas(t *testing.T) {
	for _, v := range viewNames() {
		f := newFake()
		d := newDriver(t, 120, 40, Options{Source: f, Sink: f})
		d.m.showTab(v)
		f.run(d, 35)
		was := d.screen()
		f.run(d, 20)
		d.keys("H", "ctrl+right", "ctrl+left") // to the beginning, one on, one back
		d.m.position.seekTime(f.snap.Taken - 2*time.Second)
		d.tick()
		if diff := differences(was, d.screen()); len(diff) > 0 {
			t.Errorf("%s differs:\n%s", v, strings.Join(diff, "\n"))
		}
	}
}

// differences are the lines that differ but for what says that it is the past: the header and the bar of time,
// what looks ahead of the snapshot (charts begin where everything since launch fits), and the footer; and but for
// the mean waits, which are of whole seconds that begin at another snapshot.
func differences(was, is string) (out []string) {
	a, b := strings.Split(was, "\n"), strings.Split(is, "\n")
	for i := 7; i < len(a)-1; i++ {
		if means.ReplaceAllString(a[i], "") != means.ReplaceAllString(b[i], "") {
			out = append(out, "- "+a[i], "+ "+b[i])
		}
	}
	return out
}

var means = regexp.MustCompile(`~ *\S+`)

// A drag on the bar of time moves through the past, and to its right end to now.
func TestScrubLiveByMouse(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	f.run(d, 30)
	bar := d.m.layout().Scrub
	d.send(tea.MouseClickMsg{X: 30, Y: bar.Y, Button: tea.MouseLeft})
	if !d.m.position.scrub.looking {
		t.Fatalf("still live:\n%s", d.screen())
	}
	first := d.m.frozen.Snap.Taken
	d.send(tea.MouseMotionMsg{X: 40, Y: bar.Y, Button: tea.MouseLeft})
	if got := d.m.frozen.Snap.Taken; got <= first {
		t.Errorf("at %v after a drag to the right from %v", got, first)
	}
	d.send(tea.MouseMotionMsg{X: 79, Y: bar.Y, Button: tea.MouseLeft})
	if d.m.position.scrub.looking || d.m.frozen != nil {
		t.Errorf("not live at the right end:\n%s", d.screen())
	}
}

// What is dropped is shown, and a snapshot that was dropped while it was looked at stays on the screen.
func TestDroppedPastIsShown(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f, HistoryBytes: 100_000})
	f.run(d, 10)
	d.keys("ctrl+left", "home")
	was := d.m.frozen.Snap.Taken
	f.run(d, 300)
	d.wantOnScreen(" of 35s past")
	if got := d.m.frozen.Snap.Taken; got != was {
		t.Errorf("moved from %v to %v", was, got)
	}
	d.keys("ctrl+right")
	if got := d.m.frozen.Snap.Taken; got <= was {
		t.Errorf("one sample on from %v is %v", was, got)
	}
}

// Words that changed shortly before a snapshot of the past are marked there.
func TestChangesInThePast(t *testing.T) {
	f := newFake()
	d := newDriver(t, 120, 40, Options{Source: f, Sink: f})
	d.m.showTab(keymap.Memory)
	f.run(d, 5)
	f.mu.Lock()
	f.snap.Control = append([]uint32(nil), f.snap.Control...)
	f.snap.Control[megakernel.CtrlReserved0] = 7
	f.mu.Unlock()
	f.run(d, 2)
	at := f.snap.Taken
	f.run(d, 60)
	d.m.position.seekTime(at)
	if age := d.m.frame().ControlAges[megakernel.CtrlReserved0]; age != 100*time.Millisecond {
		t.Errorf("the word changed %v before the snapshot", age)
	}
}
