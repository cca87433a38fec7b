package tui

import (
	"errors"
	"strings"
	"testing"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/command"
	"vyretop/tasks"
)

// TestTrialsGoOnInParts: with many snapshots a trial gives way to keys, ends with its dialog, and finds the same as at once.
func TestTrialsGoOnInParts(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	for range 50 {
		f.advance()
		d.update()
	}
	program, err := command.CompileCondition("op=scan", f.Target().Opcodes)
	if err != nil {
		t.Fatal(err)
	}
	list := []breakpoint.Breakpoint{{Condition: "op=scan", Program: program}}
	try := func(passes time.Duration) (*trial, int) {
		x := d.m.breaks.newTrial(list)
		d.m.modal = &breakMenu{trial: x}
		d.m.now = func() time.Time { d.clock = d.clock.Add(passes); return d.clock }
		parts := 1
		for ; d.m.breaks.tryOn(x) != nil; parts++ {
		}
		return x, parts
	}
	whole, once := try(0)
	slow, parts := try(trialTime)
	if once != 1 || parts < 50/trialPart || !slow.done || slow.of[0].String() != whole.of[0].String() || slow.of[0].Samples != 51 || slow.of[0].Hits == 0 {
		t.Errorf("at once in %d parts: %s; later in %d: %s of %d samples", once, whole.text(0), parts, slow.text(0), slow.of[0].Samples)
	}
	d.m.modal = nil
	if d.m.breaks.tryOn(d.m.breaks.newTrial(list)) != nil {
		t.Error("it continues although its dialog is closed")
	}
}

// TestTheRunSavesSnapshotsOfHits: however many dashboards look at it, none of them saves a snapshot beside it; each says where
// it is, but for what was saved before it looked.
func TestTheRunSavesSnapshotsOfHits(t *testing.T) {
	f := newFake()
	saves := 0
	open := func() *driver {
		return newDriver(t, 100, 24, Options{Source: f, Sink: f, Save: func(*megakernel.Snapshot, []megakernel.LogRecord, string) (string, error) {
			saves++
			return "snapshot.mcap", nil
		}})
	}
	first := open()
	first.typed(":bp op=scan hit>5 snapshot")
	first.keys("enter", "y")
	f.mu.Lock()
	f.hit(1, 8)
	f.events = append(f.events, megakernel.HostEvent{Kind: megakernel.EventSaved, Text: "snapshots/run-1s.mcap"})
	f.mu.Unlock()
	f.advance()
	second := open()
	for _, d := range []*driver{first, second} {
		d.update()
	}
	first.wantOnScreen("saved as snapshots/run-1s.mcap")
	if strings.Contains(second.screen(), "saved as") {
		t.Error("a dashboard says that something was saved before it looked")
	}
	second.keys("0")
	second.wantOnScreen("snapshots/run-1s.mcap")
	if saves != 0 {
		t.Errorf("dashboards saved %d snapshots", saves)
	}
}

// TestScriptsSetBreakpointsAtOnce: no question is asked; what the target refuses ends the script.
func TestScriptsSetBreakpointsAtOnce(t *testing.T) {
	f := newFake()
	d := scripted(t, f, "bp op=scan log\nbp disable 1\nbp delete all\nbp id=1003 stop")
	for range 4 {
		d.update()
	}
	if list := f.Breakpoints(); len(list) != 1 || list[0].Condition != "id=1003" {
		t.Errorf("there are %+v", list)
	}
	f.err = errors.New("the device is full")
	scripted(t, f, "bp op=merge\npause all").update()
	if got := f.sent(); len(got) != 0 || len(f.Breakpoints()) != 1 {
		t.Errorf("it continues: %+v", got)
	}
}

// TestBreakpointsWaitForABoundary: until the target has answered the request says for how long.
func TestBreakpointsWaitForABoundary(t *testing.T) {
	f := newFake()
	f.hold = make(chan struct{})
	d := newDriver(t, 100, 24, Options{Source: f, Sink: f})
	cmd := d.m.breaks.rebreak(&command.BreakOrder{Set: breakpoint.Breakpoint{Condition: "op=scan", Program: breakpoint.Program{{Field: tasks.WordOpcode, Accept: breakpoint.Equal, Value: 16}}}})
	d.wantOnScreen("break at op=scan stop: asked")
	if d.m.control.requests.waiting() != 1 || len(f.Breakpoints()) != 0 {
		t.Fatalf("%d requests wait, there are %+v", d.m.control.requests.waiting(), f.Breakpoints())
	}
	close(f.hold)
	d.run(cmd)
	d.wantOnScreen("break at op=scan stop: in force")
}

// TestBreakingAtATaskBindsToItsId: the task that was selected when b was pressed, whatever moves in the meantime; pressed again it
// is removed.
func TestBreakingAtATaskBindsToItsId(t *testing.T) {
	f := newFake()
	d := newDriver(t, 100, 30, Options{Source: f, Sink: f})
	d.keys("3", "j", "b")
	f.mu.Lock()
	f.slot(1)[tasks.WordTaskID] = 77
	f.mu.Unlock()
	f.advance()
	d.update()
	d.keys("t")
	if list := f.Breakpoints(); len(list) != 1 || list[0].Condition != "id=1001" {
		t.Fatalf("there are %+v", list)
	}
	f.mu.Lock()
	f.slot(1)[tasks.WordTaskID] = 1001
	f.mu.Unlock()
	d.update()
	d.keys("b")
	d.wantOnScreen("remove " + f.Breakpoints()[0].Condition)
	d.keys("t")
	if list := f.Breakpoints(); len(list) != 0 {
		t.Errorf("there are still %+v", list)
	}
}

// TestTargetsWithoutBreakpoints: the keys say so, and :bp is an error.
func TestTargetsWithoutBreakpoints(t *testing.T) {
	f := newFake()
	d := newDriver(t, 100, 30, Options{Source: struct{ Source }{f}, Sink: struct{ Sink }{f}})
	for _, keys := range []string{"b", "B"} {
		d.keys(keys)
		d.wantOnScreen("this target has no breakpoints. Fix: ")
	}
	d.typed(":bp op=scan")
	d.keys("enter")
	d.wantOnScreen("this target has no breakpoints. Fix: ")
}
