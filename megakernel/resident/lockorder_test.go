//go:build invariants || race

package resident

import (
	"strings"
	"testing"
)

// What the goroutine holds decides which locks it may take: those further down in the order, and no other.
func TestLocksAreTakenInOrder(t *testing.T) {
	var (
		turn turnLock
		open rwLock[openRank]
		a, b lock[leafRank]
	)
	for _, tc := range []struct {
		name string
		take func()
		lost string // the lock that the panic is about; "" for none
	}{
		{"down", func() {
			turn.Lock()
			open.RLock()
			a.Lock()
			a.Unlock()
			open.RUnlock()
			turn.Unlock()
		}, ""},
		{"up again after giving back", func() { a.Lock(); a.Unlock(); turn.Lock(); turn.Unlock() }, ""},
		{"given back in another order", func() {
			turn.Lock()
			a.Lock()
			turn.Unlock()
			a.Unlock()
			turn.Lock()
			turn.Unlock()
		}, ""},
		{"up", func() { a.Lock(); defer a.Unlock(); turn.Lock() }, "tuning.turn"},
		{"up from reading", func() { open.RLock(); defer open.RUnlock(); turn.Lock() }, "tuning.turn"},
		{"two leaves", func() { a.Lock(); defer a.Unlock(); b.Lock() }, "a leaf"},
		{"the same one", func() { a.Lock(); defer a.Unlock(); a.Lock() }, "a leaf"},
		{"reading twice", func() { open.RLock(); defer open.RUnlock(); open.RLock() }, "reads.open"},
		{"writing under reading", func() { open.RLock(); defer open.RUnlock(); open.Lock() }, "reads.open"},
	} {
		if got := broken(tc.take); (got == "") != (tc.lost == "") || !strings.HasPrefix(got, tc.lost) {
			t.Errorf("%s: the order is broken by %q, want %q", tc.name, got, tc.lost)
		}
	}
}

type turnLock = lock[turnRank]

// broken is what a panic about the order says, without its prefix; "" where there was none.
func broken(take func()) (text string) {
	defer func() {
		if x := recover(); x != nil {
			text = strings.TrimPrefix(x.(string), "BUG: ")
		}
	}()
	take()
	return ""
}

// Locks of two goroutines have nothing to do with each other.
func TestLocksOfOtherGoroutinesDoNotCount(t *testing.T) {
	var turn turnLock
	var leaf lock[leafRank]
	leaf.Lock()
	defer leaf.Unlock()
	done := make(chan string)
	go func() { done <- broken(func() { turn.Lock(); turn.Unlock() }) }()
	if got := <-done; got != "" {
		t.Errorf("the order is broken by %q", got)
	}
}
