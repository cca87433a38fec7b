package resident

import (
	"errors"
	"testing"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
)

// An id that was given up is used again as late as possible: who still speaks of it means the one before.
func TestIDsOfBreakpointsAreUsedAgainLate(t *testing.T) {
	var b breakState
	add := func() int {
		p, err := b.add(breakpoint.Breakpoint{})
		if err != nil {
			t.Fatal(err)
		}
		return p.id
	}
	if first := add(); first != 1 {
		t.Fatalf("the first id is %d", first)
	}
	b.place[0] = nil
	for want := 2; want <= megakernel.MaxBreaks; want++ {
		if got := add(); got != want {
			t.Errorf("id %d, want %d", got, want)
		}
	}
	if got := add(); got != 1 {
		t.Errorf("id %d, want that of the free place", got)
	}
	if _, err := b.add(breakpoint.Breakpoint{}); !errors.Is(err, ErrOption) {
		t.Errorf("a breakpoint without a place: %v", err)
	}
	for _, id := range []int{-1, megakernel.MaxBreaks + 1} {
		if _, err := b.edit(id, func(*placed) {}); !errors.Is(err, ErrOption) {
			t.Errorf("breakpoint %d: %v", id, err)
		}
	}
}

// TestABreakpointWithAnotherConditionKeepsItsID: it got the next free one.
func TestABreakpointWithAnotherConditionKeepsItsID(t *testing.T) {
	var b breakState
	at := func(condition string, replaces int) breakpoint.Breakpoint {
		return breakpoint.Breakpoint{Place: &breakpoint.Place{File: "a.glsl", Line: 3, If: condition}, Replaces: replaces}
	}
	for _, condition := range []string{"i == 1u", "i == 2u"} {
		if _, err := b.add(at(condition, 0)); err != nil {
			t.Fatal(err)
		}
	}
	old := b.place[1]
	saved := b.save()
	p, err := b.add(at("i == 3u", 2))
	if err != nil || p.id != 2 || p.Replaces != 0 || len(b.armed()) != 2 || b.armed()[1] != p {
		t.Fatalf("%+v, %v", p, err)
	}
	b.ask(saved, 7, time.Now())
	if p.change != 7 || b.place[0].change != 0 {
		t.Errorf("the change is one of breakpoints with the forms %d and %d", b.place[0].change, p.change)
	}
	b.restore(saved)
	if b.place[1] != old {
		t.Error("the one before is not restored")
	}
	if _, err := b.add(at("i == 2u", 2)); err != nil {
		t.Errorf("the same condition again: %v", err)
	}
	for _, bad := range []breakpoint.Breakpoint{at("i == 1u", 2), at("i == 4u", 3), at("i == 4u", -1), at("i == 4u", megakernel.MaxBreaks+1)} {
		if _, err := b.add(bad); !errors.Is(err, ErrOption) {
			t.Errorf("%+v in place of %d: %v", bad.Place, bad.Replaces, err)
		}
	}
}

// A change that cannot be made leaves every breakpoint as it was.
func TestBreakpointsAreRestored(t *testing.T) {
	var b breakState
	kept, _ := b.add(breakpoint.Breakpoint{})
	saved := b.save()
	kept.enabled, kept.removed = false, true
	if _, err := b.add(breakpoint.Breakpoint{}); err != nil {
		t.Fatal(err)
	}
	b.restore(saved)
	if b.place[0] != kept || !kept.enabled || kept.removed || b.place[1] != nil {
		t.Errorf("%+v, then %+v", b.place[0], b.place[1])
	}
}

// Hits keep being counted where a counter of the device wraps, in a slice or between two.
func TestHitsOutgrowTheDevicesCounters(t *testing.T) {
	s := deviceless(t, false)
	s.tuning.most.Store(1)
	p, err := s.breaks.add(breakpoint.Breakpoint{})
	if err != nil {
		t.Fatal(err)
	}
	s.outbox.Store(s.hitsAt(p), 1<<32-3)
	s.outbox.Store(s.lastHitAt(p), 77) // of the breakpoint that had the place before
	s.begin(p)
	if got := s.statusOf(p); got.Hits != 0 || got.Task != 0 {
		t.Errorf("%d hits, last of task %d, want none of this breakpoint", got.Hits, got.Task)
	}
	f := &form{breaks: []*placed{p}}
	for total := uint64(0); total < 3<<32; {
		total += 1 << 31
		s.outbox.Add(s.hitsAt(p), 1<<31)
		if got := s.statusOf(p); got.Hits != total {
			t.Fatalf("%d hits, want %d", got.Hits, total)
		}
		s.keepHits(f)
	}
	if last := s.outbox.Load(s.lastHitAt(p)); last != 0 {
		t.Errorf("the task of the breakpoint before, %d, is told", last)
	}
}
