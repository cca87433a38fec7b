package history

import (
	"slices"
	"sort"
	"time"

	"vyretop/megakernel"
)

// DefaultBudget is how many bytes of snapshots are kept unless the caller says otherwise.
const DefaultBudget = 256 << 20

// Bounds of a run of snapshots: it is dropped as a whole, and gone through from its beginning to show one of
// them.
const (
	runMoments = 64
	minRuns    = 4 // that a budget must hold at least: a run ends early where snapshots change a lot
)

// A ring of more than manyWords is kept no more often than every manyEvery: comparing it takes milliseconds.
const (
	manyWords = 1 << 20
	manyEvery = time.Second
)

// Snapshots keeps the snapshots of the recent past of a live target, in a bounded number of bytes: the first of
// a run as it is, and of those behind it what differs from the one before. The oldest run is dropped where
// there is no room. The zero value is ready, with DefaultBudget; it is not safe for concurrent use.
//
// Snapshots have numbers, from 0 at the first one ever; Oldest grows when some are dropped.
type Snapshots struct {
	Budget int // in bytes; 0: DefaultBudget

	runs  []*run
	last  *megakernel.Snapshot
	first int // number of the oldest kept
	count int // snapshots kept
	bytes int
}

// run is a snapshot, and what differed in those behind it.
type run struct {
	key   *megakernel.Snapshot
	heads []megakernel.Snapshot // without words, of the snapshots behind the first one
	words []uint32              // patches
}

// len is the number of snapshots.
func (r *run) len() int { return 1 + len(r.heads) }

// taken is when snapshot i of the run was taken.
func (r *run) taken(i int) time.Duration {
	if i == 0 {
		return r.key.Taken
	}
	return r.heads[i-1].Taken
}

// headBytes is what a snapshot without its words takes, about.
const headBytes = 512

func (r *run) bytes() int {
	return headBytes + 4*(len(r.key.Control)+len(r.key.Slots)+len(r.key.WorkerTable)) + cap(r.heads)*headBytes + 4*cap(r.words)
}

// Add keeps a snapshot, which must not change afterwards. One that is not newer than the last is not kept.
func (m *Snapshots) Add(s *megakernel.Snapshot) {
	if m.last != nil && (s.Taken <= m.last.Taken || (len(s.Slots) > manyWords && s.Taken-m.last.Taken < manyEvery)) {
		return
	}
	if m.last == nil || !sameShape(s, m.last) || m.full(m.runs[len(m.runs)-1]) {
		m.begin(s)
	} else {
		r := m.runs[len(m.runs)-1]
		m.bytes -= r.bytes()
		r.add(m.last, s)
		m.bytes += r.bytes()
	}
	m.last = s
	m.count++
	m.makeRoom()
}

func (m *Snapshots) budget() int {
	if m.Budget > 0 {
		return m.Budget
	}
	return DefaultBudget
}

// full reports whether a run takes no further snapshot.
func (m *Snapshots) full(r *run) bool {
	return r.len() >= runMoments || r.bytes() > m.budget()/minRuns
}

func (m *Snapshots) begin(s *megakernel.Snapshot) {
	r := &run{key: s}
	if n := len(m.runs); n > 0 {
		before := m.runs[n-1] // as much again is likely
		r.heads, r.words = make([]megakernel.Snapshot, 0, len(before.heads)), make([]uint32, 0, len(before.words))
	}
	m.runs = append(m.runs, r)
	m.bytes += r.bytes()
}

// makeRoom drops the oldest runs until the others fit the budget; the newest one stays.
func (m *Snapshots) makeRoom() {
	drop := 0
	for m.bytes > m.budget() && drop < len(m.runs)-1 {
		m.bytes -= m.runs[drop].bytes()
		m.first += m.runs[drop].len()
		m.count -= m.runs[drop].len()
		drop++
	}
	m.runs = slices.Delete(m.runs, 0, drop)
}

func sameShape(a, b *megakernel.Snapshot) bool {
	return len(a.Control) == len(b.Control) && len(a.Slots) == len(b.Slots) && len(a.WorkerTable) == len(b.WorkerTable)
}

// Oldest and Newest are the numbers of the ends of what is kept; Newest is below Oldest when nothing is.
func (m *Snapshots) Oldest() int { return m.first }

// Newest is the number of the newest snapshot.
func (m *Snapshots) Newest() int { return m.first + m.count - 1 }

// Span is the time that what is kept is of.
func (m *Snapshots) Span() (from, to time.Duration) {
	if m.count == 0 {
		return 0, 0
	}
	return m.runs[0].key.Taken, m.last.Taken
}

// At is the number of the newest snapshot that was taken at or before t, or the oldest one.
func (m *Snapshots) At(t time.Duration) int {
	i := max(sort.Search(len(m.runs), func(i int) bool { return m.runs[i].key.Taken > t })-1, 0)
	number := m.first
	for _, r := range m.runs[:min(i, len(m.runs))] {
		number += r.len()
	}
	if i < len(m.runs) {
		r := m.runs[i]
		number += max(sort.Search(r.len(), func(j int) bool { return r.taken(j) > t })-1, 0)
	}
	return number
}

// Taken is when a snapshot was taken; of one that is not kept, the nearest that is.
func (m *Snapshots) Taken(number int) time.Duration {
	at := number - m.first
	for i, r := range m.runs {
		if at < r.len() || i == len(m.runs)-1 {
			return r.taken(min(max(at, 0), r.len()-1))
		}
		at -= r.len()
	}
	return 0
}

// Replay shows the kept snapshots from..to in order, as far as they are kept. Each snapshot is valid until the
// next one comes; the last one stays.
func (m *Snapshots) Replay(from, to int, each func(*megakernel.Snapshot)) {
	number := m.first
	for _, r := range m.runs {
		if number > to {
			return
		}
		if number+r.len() > from {
			r.replay(from-number, to-number, each)
		}
		number += r.len()
	}
}

func (r *run) replay(from, to int, each func(*megakernel.Snapshot)) {
	words := *r.key
	if to > 0 {
		words.Control, words.Slots, words.WorkerTable = slices.Clone(words.Control), slices.Clone(words.Slots), slices.Clone(words.WorkerTable)
	}
	if from <= 0 {
		s := words
		each(&s)
	}
	at := 0
	for i := range min(to, len(r.heads)) {
		for _, buffer := range [...][]uint32{words.Control, words.Slots, words.WorkerTable} {
			at += apply(buffer, r.words[at:])
		}
		if i+1 >= from {
			s := r.heads[i]
			s.Control, s.Slots, s.WorkerTable = words.Control, words.Slots, words.WorkerTable
			each(&s)
		}
	}
}

// add appends a snapshot of the same shape as the one before it.
func (r *run) add(before, s *megakernel.Snapshot) {
	r.words = diff(r.words, before.Control, s.Control)
	r.words = diff(r.words, before.Slots, s.Slots)
	r.words = diff(r.words, before.WorkerTable, s.WorkerTable)
	head := *s
	head.Control, head.Slots, head.WorkerTable = nil, nil, nil
	r.heads = append(r.heads, head)
}

// A patch is the number of blocks that changed, and for each its number and its words. The last block of a
// buffer may be short.
const (
	blockWords = 16
	pageWords  = 64 * blockWords // compared at once: most of a buffer is as it was
)

// diff appends the patch from old to new, which are as long.
func diff(dst, old, now []uint32) []uint32 {
	count := len(dst)
	dst = append(dst, 0)
	for page := 0; page < len(now); page += pageWords {
		end := min(page+pageWords, len(now))
		if slices.Equal(old[page:end], now[page:end]) {
			continue
		}
		for at := page; at < end; at += blockWords {
			if to := min(at+blockWords, end); !slices.Equal(old[at:to], now[at:to]) {
				dst = append(append(dst, uint32(at/blockWords)), now[at:to]...)
				dst[count]++
			}
		}
	}
	return dst
}

// apply changes a buffer by a patch and returns the length of the patch.
func apply(buffer, patch []uint32) int {
	at := 1
	for range patch[0] {
		block := buffer[int(patch[at])*blockWords:]
		at += 1 + copy(block[:min(blockWords, len(block))], patch[at+1:])
	}
	return at
}
