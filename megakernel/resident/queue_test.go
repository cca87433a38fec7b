package resident

import (
	"context"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"vyretop/engine"
	"vyretop/megakernel"
)

func newQueue(entries int) *queue {
	q := &queue{words: make(engine.Words, megakernel.InboxWords(entries))}
	q.limit.Store(uint64(entries))
	return q
}

// awaitBell waits until the bell says n.
func awaitBell(t interface {
	Helper()
	Fatalf(string, ...any)
}, q *queue, n uint32) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for w := (waiter{}); q.bell() != n; w.pause() {
		if ctx.Err() != nil {
			t.Fatalf("the bell says %d, want %d", q.bell(), n)
		}
	}
}

// Publishers finish in any order. The bell never covers an entry that is not written, and in the end
// all are released, although everybody has gone.
func TestReleasesInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := newQueue(1 << 10)
		sizes := rapid.SliceOfN(rapid.IntRange(1, 5), 1, 12).Draw(t, "batches")
		type batch struct {
			from uint64
			n    int
		}
		var open []batch
		for _, n := range sizes {
			from, got := q.reserve(n)
			if got != n {
				t.Fatalf("%d of %d entries reserved, and there is room", got, n)
			}
			open = append(open, batch{from, n})
		}
		for len(open) > 0 {
			i := rapid.IntRange(0, len(open)-1).Draw(t, "next to finish")
			q.release(open[i].from, open[i].n)
			open = append(open[:i], open[i+1:]...)
			if len(open) > 0 && uint64(q.bell()) > open[0].from {
				t.Fatalf("the bell says %d, and entry %d is not written", q.bell(), open[0].from)
			}
		}
		awaitBell(t, q, uint32(q.count()))
	})
}

// A publisher that has lost its processor does not hold up others: they publish and continue with their work.
func TestReleaseDoesNotWaitForADescheduledPublisher(t *testing.T) {
	q := newQueue(64)
	slow, _ := q.reserve(1)
	for range 20 {
		from, n := q.reserve(3)
		q.release(from, n)
	}
	if q.bell() != 0 {
		t.Fatalf("the bell says %d before the first entry is written", q.bell())
	}
	q.release(slow, 1)
	awaitBell(t, q, 61)
	q.close()
	q.settle()
}

func TestReserveEndsAtTheLimitAndWhenClosed(t *testing.T) {
	q := newQueue(8)
	if _, n := q.reserve(20); n != 8 {
		t.Fatalf("reserved %d of 8 entries", n)
	}
	if _, n := q.reserve(1); n != 0 {
		t.Fatal("an entry was reserved behind the limit")
	}
	q.limit.Store(16)
	q.close()
	if _, n := q.reserve(1); n != 0 || q.count() != 8 {
		t.Fatalf("%d entries were reserved of a closed queue, it counts %d", n, q.count())
	}
}

// Entries that many goroutines reserve at once are each reserved once.
func TestReserveFromManyGoroutines(t *testing.T) {
	const goroutines, each = 8, 4000
	q := newQueue(goroutines * each)
	taken := make([]bool, goroutines*each)
	var all sync.WaitGroup
	for g := range goroutines {
		all.Go(func() {
			for left := each; left > 0; {
				from, n := q.reserve(min(left, 1+g))
				for i := range n {
					if e := from + uint64(i); taken[e] {
						t.Errorf("entry %d was reserved twice", e)
					} else {
						taken[e] = true
					}
				}
				q.release(from, n)
				left -= n
			}
		})
	}
	all.Wait()
	awaitBell(t, q, goroutines*each)
}

func TestNumbersAreFreeOfThoseThatTasksBring(t *testing.T) {
	q := newQueue(8)
	given := []uint32{0, 0, 10, 0, 4, megakernel.InjectedIDBase, 0, megakernel.InjectedIDBase - 1, 0, 0}
	want := []uint32{1, 2, 10, 11, 4, megakernel.InjectedIDBase, 14, megakernel.InjectedIDBase - 1, 1, 2}
	for i, id := range given {
		if got := q.number(uint64(i), id); got != want[i] {
			t.Errorf("task %d, which brings %d, has number %d, want %d", i, id, got, want[i])
		}
	}
}
