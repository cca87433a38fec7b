package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"vyretop/megakernel"
)

// The explanation is of two snapshots a second apart, of the past when that is looked at, and can be scrolled
// and copied.
func TestExplanationOfWhatGoesOn(t *testing.T) {
	f := newFake()
	explain := func(now, before *megakernel.Snapshot) string {
		if before == nil {
			return "one snapshot"
		}
		return fmt.Sprintf("%d to %d ms\n", before.Taken/time.Millisecond, now.Taken/time.Millisecond) + strings.Repeat("line\n", 40) + "end\n"
	}
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f, Explain: explain})
	d.keys("S")
	d.wantOnScreen("one snapshot")
	d.keys("esc")
	f.run(d, 25)
	d.keys("S")
	d.wantOnScreen("5000 to 6500 ms")
	d.keys("pgdown", "pgdown")
	d.wantOnScreen("end")
	d.keys("up", "pgup", "pgup")
	d.wantOnScreen("5000 to 6500 ms")
	d.keys("y")
	if !strings.HasSuffix(d.copy, "line\nend\n") {
		t.Errorf("copied %q", d.copy)
	}
	d.keys("esc", "left")
	d.keys("S")
	d.wantOnScreen("4500 to 5500 ms")
	d.keys("esc")
	d.wantNotOnScreen("to 5500 ms")
}

func TestNothingToExplain(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f})
	d.keys("S")
	d.wantOnScreen("nothing is known of the target yet")
}
