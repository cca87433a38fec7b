package tui

import (
	"strings"
	"testing"
	"time"

	"vyretop/megakernel"
	"vyretop/tasks"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
)

// In the past of a live target "," and "." go to where something happens to what is selected.
func TestEventsOfTheSelectedTrack(t *testing.T) {
	const steps, every, paused = 40, 100 * time.Millisecond, 12
	for _, tc := range []struct {
		name  string
		tab   keymap.View
		keys  []string // from now on
		setup func(d *driver)
		want  int // steps after the pause of worker 1
	}{
		{"worker", keymap.Workers, []string{","}, func(d *driver) { d.m.pane(keymap.Workers).Table().Selected = 1 }, 0},
		{"the one before", keymap.Workers, []string{",", "ctrl+left", ","}, func(d *driver) { d.m.pane(keymap.Workers).Table().Selected = 1 }, -paused},
		{"and on again", keymap.Workers, []string{",", "ctrl+left", "ctrl+left", "."}, func(d *driver) { d.m.pane(keymap.Workers).Table().Selected = 1 }, 0},
		{"task", keymap.Tasks, []string{","}, func(d *driver) {
			d.m.pane(keymap.Tasks).Table().Selected, d.m.pane(keymap.Tasks).Table().HasSelected = pane.TaskKey(1030, 30), true
		}, 0},
		{"slot", keymap.Ring, []string{","}, func(d *driver) { d.m.ring.Cursor = 30 }, 0},
		{"word", keymap.Memory, []string{","}, func(d *driver) {
			d.m.memory.ShowWord(pane.RingBuffer, 30*tasks.SlotWords+tasks.WordState)
		}, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFake()
			d := newDriver(t, 120, 40, Options{Source: f, Sink: f})
			f.run(d, 1)
			first := f.snap.Taken
			f.run(d, paused-1)
			f.apply(megakernel.Command{Op: megakernel.OpPauseWorker, Worker: 1})
			f.apply(megakernel.Command{Op: megakernel.OpPauseTask, Slot: 30})
			f.slot(30)[tasks.WordState] = uint32(tasks.Paused)
			f.run(d, steps)
			at := first + paused*every
			d.m.showTab(tc.tab)
			tc.setup(d)
			d.keys(tc.keys...)
			want := at + time.Duration(tc.want)*every
			if tc.want < 0 { // there is nothing before it: the screen stays
				want = at - every
			}
			if got := d.m.position.span().At; got != want {
				t.Errorf("at %v, want %v\n%s", got, want, d.screen())
			}
		})
	}
}

// In the log and in views without rows of the target the host's events and records are gone through.
func TestEventsOfLogAndHost(t *testing.T) {
	f := newFake()
	d := newDriver(t, 120, 40, Options{Source: f, Sink: f})
	f.run(d, 10)
	f.events = append(f.events, megakernel.HostEvent{At: f.snap.Taken + 30*time.Millisecond, Kind: "retune", Text: "by hand"})
	event := f.snap.Taken + 100*time.Millisecond // the first sample that shows it
	f.run(d, 20)
	d.m.showTab(keymap.Events)
	d.keys(",")
	if got := d.m.position.span().At; got != event {
		t.Errorf("events: at %v, want %v", got, event)
	}
	d.keys("end")
	d.m.showTab(keymap.Log)
	if err := d.m.table().KeepFilter("task=1059"); err != nil { // record 59, of step 60
		t.Fatal(err)
	}
	d.keys(",")
	if got, want := d.m.position.span().At, 6*time.Second; got != want {
		t.Errorf("log: at %v, want %v\n%s", got, want, d.screen())
	}
	if got := d.m.table().Selected; got != 59 {
		t.Errorf("record %d is selected, want 59", got)
	}
	d.keys(".")
	d.wantOnScreen("no further record of the log matches")
}

// ":seek ~pattern" goes to the record that has it, and n and N continue from there.
func TestSeekByPattern(t *testing.T) {
	f := newFake()
	d := newDriver(t, 120, 40, Options{Source: f, Sink: f})
	f.run(d, 30)
	d.typed(":seek -~at byte 2[0-9]* ")
	d.keys("enter")
	if r := f.log[d.m.pane(keymap.Log).Table().Selected]; !strings.HasPrefix(r.Text(d.m.target.Formats), "at byte 2") {
		t.Errorf("record %d is %q", r.Number, r.Text(d.m.target.Formats))
	}
	d.typed(":seek ~(")
	d.keys("enter")
	d.wantOnScreen("is not a regular expression", "Fix: ")
}
