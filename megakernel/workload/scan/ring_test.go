package scan

import (
	"errors"
	"testing"

	"vyretop/engine"
)

func newTestRing(capacity uint32) *ring {
	return &ring{words: make(engine.Words, ringHeader+capacity*recordWords), capacity: capacity}
}

// put writes record number n as the device does.
func (r *ring) put(n, entry, symbol, row uint32) {
	at := ringHeader + int(n&(r.capacity-1))*recordWords
	r.words.Store(at+recordEntry, entry)
	r.words.Store(at+recordAt, symbol)
	r.words.Store(at+recordRow, row)
	r.words.Store(at+recordSeq, n+1)
}

func (r *ring) drainAll(t *testing.T) (out []record) {
	if _, err := r.drain(func(rec record) error { out = append(out, rec); return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestDrainStopsAtAnUnwrittenRecord(t *testing.T) {
	r := newTestRing(4)
	r.put(0, 1, 10, 5)
	r.put(2, 3, 30, 7) // number 1 is drawn, and not written yet
	if got := r.drainAll(t); len(got) != 1 || got[0] != (record{1, 10, 5}) || r.words.Load(ringDrained) != 1 {
		t.Fatalf("%v, drained %d", got, r.words.Load(ringDrained))
	}
	r.put(1, 2, 20, 6)
	if got := r.drainAll(t); len(got) != 2 || got[0].entry != 2 || got[1].entry != 3 {
		t.Fatalf("%v", got)
	}
}

func TestDrainSurvivesTheWrapOfNumbers(t *testing.T) {
	r := newTestRing(4)
	r.drained = ^uint32(0) - 1
	for i := range uint32(4) {
		r.put(r.drained+i, i, i, i)
	}
	if got := r.drainAll(t); len(got) != 4 || r.drained != 2 {
		t.Fatalf("%v, drained %d", got, r.drained)
	}
	if got := r.drainAll(t); len(got) != 0 {
		t.Fatalf("records of the pass before were read again: %v", got)
	}
}

func TestDrainPassesErrorsOn(t *testing.T) {
	r := newTestRing(4)
	r.put(0, 1, 1, 1)
	broken := errors.New("broken")
	if _, err := r.drain(func(record) error { return broken }); !errors.Is(err, broken) {
		t.Fatal(err)
	}
}

// TestWakeAfterHalfARing: tasks that saw the ring full have nearly a whole ring of records before
// them, so waking after each half reaches all of them, and a trickle of matches wakes none.
func TestWakeAfterHalfARing(t *testing.T) {
	r := newTestRing(8)
	for n := range uint32(16) {
		r.put(n, 0, 0, 0)
		r.drainAll(t)
		if got, want := r.mustWake(), (n+1)%4 == 0; got != want {
			t.Errorf("after %d records: wake %t, want %t", n+1, got, want)
		}
	}
}
