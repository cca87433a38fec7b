package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/health"
	"vyretop/tasks"
)

// demo is the recording that is part of the program, with its events.
type demo struct {
	*fixtures.Recording
	events []megakernel.HostEvent
}

func openDemo(t *testing.T) *demo {
	t.Helper()
	rec, err := fixtures.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rec.Close() })
	_, end := rec.Span()
	return &demo{rec, rec.Events(0, end, 10_000)}
}

// find is the first event of a kind with a text in it.
func (d *demo) find(t *testing.T, kind, text string) *megakernel.HostEvent {
	t.Helper()
	i := slices.IndexFunc(d.events, func(e megakernel.HostEvent) bool { return e.Kind == kind && strings.Contains(e.Text, text) })
	if i < 0 {
		t.Fatalf("no event of kind %s with %q", kind, text)
	}
	return &d.events[i]
}

// at is the snapshot at a time.
func (d *demo) at(t *testing.T, when time.Duration) *megakernel.Snapshot {
	t.Helper()
	s, _, err := d.SnapshotAt(when)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// waits says whether stall finds tasks that wait for a reason at a time.
func (d *demo) waits(t *testing.T, when time.Duration, kind health.WaitKind) bool {
	t.Helper()
	list := health.Explain(d.at(t, when), d.at(t, when-time.Second)).Waits
	return slices.ContainsFunc(list, func(w health.Wait) bool { return w.Kind == kind })
}

// TestDemoTellsAStory: a minute or more in which a breakpoint holds tasks, a task faults, a priority starves and
// recovers, and the result is verified, each of them named by an event.
func TestDemoTellsAStory(t *testing.T) {
	d := openDemo(t)
	start, end := d.Span()
	if end-start < time.Minute {
		t.Errorf("it lasts %v, want a minute or more", end-start)
	}
	held, freed := d.find(t, "hit", "breakpoint 1 was hit 3 times"), d.find(t, "ack", "resume all: applied")
	if !d.waits(t, held.At+2*time.Second, health.ForBreak) || d.waits(t, freed.At+2*time.Second, health.ForBreak) {
		t.Errorf("tasks are not held by the breakpoint from %v to %v", held.At, freed.At)
	}
	fault := d.find(t, megakernel.EventFaulted, "code 0x101")
	if p := fault.Place; p == nil || p.Task == 0 || p.Handler != "request" {
		t.Errorf("the fault is at %+v", p)
	}
	starves, recovers := d.find(t, megakernel.EventNote, "starve:"), d.find(t, "retune", "starvation=64")
	if !d.waits(t, starves.At, health.ForTurn) {
		t.Errorf("stall names no starving task at %v", starves.At)
	}
	low := func(when time.Duration) uint64 { return d.at(t, when).Served[tasks.Low] }
	if low(starves.At-2*time.Second) != low(recovers.At) || low(recovers.At+3*time.Second) == low(recovers.At) {
		t.Errorf("priority low does not starve until %v and then recover", recovers.At)
	}
	d.find(t, megakernel.EventVerified, "")
}
