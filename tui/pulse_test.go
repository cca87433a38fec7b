package tui

import (
	"strings"
	"testing"
	"time"

	"vyretop/megakernel"
)

// cutTarget is a fake whose connection can be lost.
type cutTarget struct {
	*fakeTarget
	since time.Time
}

// LostSince implements Linked.
func (c *cutTarget) LostSince() time.Time { return c.since }

// TestALostTargetShowsNothingAsOfNow: after kill -9 of a run the header kept its rates and "busy 100%", workers had "0ms" since their
// last heartbeat, and the stall report said that the target is working.
func TestALostTargetShowsNothingAsOfNow(t *testing.T) {
	f := &cutTarget{fakeTarget: newFake()}
	explain := func(_, _ *megakernel.Snapshot) string { return "working: 64 tasks" }
	d := newDriver(t, 120, 40, Options{Source: f, Explain: explain})
	f.run(d, 25)
	d.wantOnScreen("of iterations", "resident")
	d.wantNotOnScreen("    - tasks/s")
	f.since = d.clock
	d.clock = d.clock.Add(3 * time.Second)
	d.tick()
	d.wantOnScreen("LOST 3.0s", "was resident", "busy ░░░░░░░░░░    -", "    - tasks/s", "    - acts/s")
	for _, text := range []string{"of iterations", "0ms", " ago", "rec "} {
		d.wantNotOnScreen(text)
	}
	d.keys("S")
	d.wantOnScreen("LOST: nothing has come from the target for 3.0s", "what it did at", "working: 64 tasks")
	d.keys("esc", "7")
	d.wantOnScreen("the connection is lost: nothing is recommended")
	f.since = time.Time{}
	f.advance()
	d.update()
	d.wantOnScreen("resident")
	d.wantNotOnScreen("LOST")
}

// TestAfterTheEndNothingIsBusy: two seconds after FINISHED the header still had 52 tasks/s and "busy 96%", beside workers that are absent.
func TestAfterTheEndNothingIsBusy(t *testing.T) {
	f := newFake()
	d := newDriver(t, 120, 40, Options{Source: f})
	f.run(d, 25)
	d.wantOnScreen("of iterations")
	f.events = append(f.events, megakernel.HostEvent{At: f.snap.Taken, Kind: megakernel.EventResult, Text: "64 tasks in 1s"})
	f.advance()
	d.update()
	d.wantOnScreen("FINISHED", "busy ░░░░░░░░░░    -", "    0 tasks/s", "    0 acts/s")
	d.wantNotOnScreen("of iterations")
	d.keys("7")
	d.wantOnScreen("the run has ended: nothing is recommended")
	if s := d.screen(); strings.Contains(s, "because") {
		t.Errorf("reasons for a shape that nothing will run:\n%s", s)
	}
	d.keys("enter")
	d.typed("4096")
	d.keys("enter")
	d.wantOnScreen("because")
}
