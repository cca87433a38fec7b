package resident

import (
	"sync/atomic"

	"vyretop/engine"
	"vyretop/megakernel"
)

// queue is the host's end of the inbox's ring of tasks. Any number of goroutines put tasks into it at
// once. Each reserves entries with one compare-and-swap, writes them, and releases them: it sets the bell
// to the number of the entry behind its own. The bell counts entries that are complete, so entries are
// released in the order in which they were reserved, and only the owner of the entries at the bell may
// move it.
//
// A goroutine that loses its processor between the two steps therefore keeps what was reserved after it
// from the device until it continues; that is the one thing it can hold up. Others keep publishing as long as
// there is room: a release whose turn does not come soon is left to a goroutine that waits for it.
type queue struct {
	words    engine.Words // the inbox
	reserved atomic.Uint64
	_        [7]uint64     // the words above change with each task, and the next only when they must
	limit    atomic.Uint64 // reserved may grow up to here; it was right once, and the truth only grows
	skipped  atomic.Uint64 // ids that were passed over because tasks brought higher ones

	mu        lock[leafRank]
	left      map[uint32]uint32 // releases left to the follower: entry, and how many from there on
	following bool
}

// closedBit of queue.reserved: nothing more may be reserved.
const closedBit = 1 << 63

// spinRelease is how many looks at the bell a release waits for its turn: a little longer than it takes
// a goroutine that is running to write a task.
const spinRelease = 256

// count is the number of entries reserved so far.
func (q *queue) count() uint64 { return q.reserved.Load() &^ closedBit }

// close makes every later reserve fail.
func (q *queue) close() { q.reserved.Or(closedBit) }

// reserve takes up to n entries, fewer when the limit is nearer; got is 0 at the limit and when closed.
func (q *queue) reserve(n int) (from uint64, got int) {
	for {
		r, limit := q.reserved.Load(), q.limit.Load()
		if r >= limit {
			return 0, 0
		}
		got = int(min(uint64(n), limit-r))
		if q.reserved.CompareAndSwap(r, r+uint64(got)) {
			return r, got
		}
	}
}

func (q *queue) bell() uint32 { return q.words.Load(megakernel.InboxTasks) }

// release gives n reserved and written entries to the device.
func (q *queue) release(from uint64, n int) {
	first, behind := uint32(from), uint32(from)+uint32(n)
	for range spinRelease {
		if q.bell() == first {
			q.words.Release(megakernel.InboxTasks, behind)
			return
		}
	}
	q.leave(first, uint32(n))
}

func (q *queue) leave(first, n uint32) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.left == nil {
		q.left = map[uint32]uint32{}
	}
	q.left[first] = n
	if !q.following {
		q.following = true
		go q.follow()
	}
}

// follow releases what is left to it, until nothing is.
func (q *queue) follow() {
	for w := (waiter{}); !q.releaseLeft(); w.pause() {
	}
}

// releaseLeft releases the entries that are left and at the bell, and reports whether that was all. If so
// the inbox may be gone as soon as the bell has moved; see settle.
func (q *queue) releaseLeft() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	first := q.bell()
	behind := first
	for n := q.left[behind]; n != 0; n = q.left[behind] {
		delete(q.left, behind)
		behind += n
	}
	q.following = len(q.left) != 0
	if behind != first {
		q.words.Release(megakernel.InboxTasks, behind)
	}
	return !q.following
}

// settle waits until everything reserved has been released. The queue is closed.
func (q *queue) settle() {
	for w := (waiter{}); q.bell() != uint32(q.count()); w.pause() {
	}
}

// number is the id of the task of an entry: the one that it brings, or else the next that is free.
func (q *queue) number(entry uint64, given uint32) uint32 {
	next := uint32((entry+q.skipped.Load())%uint64(megakernel.InjectedIDBase-1)) + 1
	if given == 0 {
		return next
	}
	if given > next && !megakernel.IsInjected(given) {
		q.skipped.Add(uint64(given - next))
	}
	return given
}
