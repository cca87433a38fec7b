package megakernel

import (
	"slices"

	"vyretop/engine"
)

// LogReader follows a debug log that a kernel may be writing. It is not safe for concurrent use.
//
// It numbers the records of both rings as one sequence, in which lost ones have their numbers too. A record of the second
// ring comes before those of the first that were reserved after it.
type LogReader struct {
	words     engine.Words
	main, own logRing
	taken     [NumEvents]uint64 // by kind
}

// NewLogReader checks the header and starts at the oldest record that can still be there.
func NewLogReader(words engine.Words) (*LogReader, error) {
	if len(words) < LogHeaderWords {
		return nil, shortBuffer("debug log", len(words), LogHeaderWords)
	}
	capacity := words.Load(LogCapacity)
	if capacity == 0 || capacity&(capacity-1) != 0 || words.Load(LogRecordSize) != LogRecordWords {
		return nil, malformed("debug log", LogCapacity, "capacity or record size is not one we write", "check that this is a debug log")
	}
	if need := LogWords(int(capacity)); len(words) < need {
		return nil, shortBuffer("debug log", len(words), need)
	}
	ring := func(cursor, records int) logRing {
		return logRing{words: words, cursor: cursor, base: LogHeaderWords + records*LogRecordWords, capacity: capacity}
	}
	return &LogReader{words: words, main: ring(LogCursor, 0), own: ring(LogOwnCursor, int(capacity))}, nil
}

// Capacity is how many records each ring holds.
func (r *LogReader) Capacity() int { return int(r.main.capacity) }

// Lost is the number of records that were overwritten before they were read.
func (r *LogReader) Lost() uint64 { return r.main.lost + r.own.lost }

// Taken is the number of records read so far, by kind.
func (r *LogReader) Taken() [NumEvents]uint64 { return r.taken }

// Take returns the records that are complete and were not yet taken, at most limit of them, and how many
// are known to be reserved but are still being written.
func (r *LogReader) Take(limit int) (out LogBlocks, inFlight uint64) {
	next := r.main.next + r.own.next
	begin := r.main.next
	inFlight = r.own.take(limit)
	inFlight += r.main.take(limit - r.own.count())
	m := merger{next: next, begin: begin, main: &r.main, own: &r.own}
	out = m.merge()
	r.count(out)
	return out, inFlight
}

// Read is Take with the records decoded and appended to dst.
func (r *LogReader) Read(dst []LogRecord, limit int) (out []LogRecord, inFlight uint64) {
	blocks, inFlight := r.Take(limit)
	for i := range blocks {
		for j := range blocks[i].Len() {
			dst = append(dst, blocks[i].At(j))
		}
	}
	return dst, inFlight
}

// count counts the records of blocks by kind.
func (r *LogReader) count(blocks LogBlocks) {
	for i := range blocks {
		words := blocks[i].Words
		for at := LogFormat; at < len(words); at += LogRecordWords {
			kind := words[at] - LogEventBase
			if words[at] < LogEventBase || kind >= uint32(NumEvents) {
				kind = uint32(EventNone)
			}
			r.taken[kind]++
		}
	}
}

// LostKinds is how many records of each kind were lost: exact once everything has been read and the kernel rests, and
// otherwise what was lost of each ring in proportion to what is missing of its kinds.
func (r *LogReader) LostKinds() (out [NumEvents]uint64) {
	missing := r.missing()
	for _, ring := range []struct {
		lost  uint64
		kinds uint32
	}{{r.main.lost, ^LogOwnKinds}, {r.own.lost, LogOwnKinds}} {
		var all uint64
		last := -1
		for k, n := range missing {
			if ring.kinds>>k&1 != 0 && n > 0 {
				all += n
				last = k
			}
		}
		left := ring.lost
		for k, n := range missing {
			if ring.kinds>>k&1 == 0 || n == 0 {
				continue
			}
			share := min(left, uint64(float64(n)/float64(all)*float64(ring.lost)+0.5))
			if k == last {
				share = left
			}
			out[k] = share
			left -= share
		}
	}
	return out
}

// missing is how many records of each kind were reserved, as published last, and not read.
func (r *LogReader) missing() (out [NumEvents]uint64) {
	others := uint32(0)
	for k := range out {
		reserved := r.words.Load(LogKinds + k)
		if k == int(EventNone) {
			continue
		}
		if LogOwnKinds>>k&1 != 0 {
			others += reserved
		}
		out[k] = uint64(max(int32(reserved-uint32(r.taken[k])), 0))
	}
	debugf := r.words.Load(LogOwnCursor) - others
	out[EventNone] = uint64(max(int32(debugf-uint32(r.taken[EventNone])), 0))
	return out
}

// merger joins what was taken of both rings.
type merger struct {
	next      uint64 // number of the next record of the result
	begin     uint64 // number that the first record taken of the main ring would have if none was lost
	main, own *logRing
	mainAt    int // records of the main ring that are in the result,
	ownAt     int // and of the other
	mainGap   int
	ownGap    int
	words     []uint32
	first     uint64
	out       LogBlocks
}

// merge returns the blocks, in memory that is theirs and has no room left: the rings' own grows while records arrive, and
// memory that is new to the process costs more than the copy.
func (m *merger) merge() LogBlocks {
	switch {
	case m.own.count() == 0 && len(m.own.gaps) == 0:
		return m.alone(m.main)
	case m.main.count() == 0 && len(m.main.gaps) == 0:
		return m.alone(m.own)
	}
	m.words = make([]uint32, 0, len(m.main.taken)+len(m.own.taken))
	m.first = m.next
	for m.ownAt < m.own.count() {
		mark := m.own.taken[m.ownAt*LogRecordWords+LogMark]
		m.addMain(m.upTo(mark))
		m.gap(m.own, &m.ownGap, m.ownAt)
		m.add(m.own.taken[m.ownAt*LogRecordWords:][:LogRecordWords])
		m.ownAt++
	}
	m.gap(m.own, &m.ownGap, m.ownAt)
	m.addMain(m.main.count())
	m.gap(m.main, &m.mainGap, m.mainAt)
	m.cut()
	return m.out
}

// upTo is how many records of the main ring come before one with a mark.
func (m *merger) upTo(mark uint32) int {
	number, gap := m.begin, m.mainGap
	for _, g := range m.main.gaps[:gap] {
		number += g.lost
	}
	n := m.mainAt
	for ; n < m.main.count(); n++ {
		for gap < len(m.main.gaps) && m.main.gaps[gap].before <= n {
			number += m.main.gaps[gap].lost
			gap++
		}
		if int32(uint32(number)+uint32(n)-mark) >= 0 {
			break
		}
	}
	return n
}

// addMain appends records of the main ring until that many are in the result.
func (m *merger) addMain(n int) {
	for m.mainAt < n {
		m.gap(m.main, &m.mainGap, m.mainAt)
		end := n
		if m.mainGap < len(m.main.gaps) {
			end = min(end, m.main.gaps[m.mainGap].before)
		}
		m.add(m.main.taken[m.mainAt*LogRecordWords : end*LogRecordWords])
		m.mainAt = end
	}
}

// gap leaves out the numbers that are missing before record at of a ring.
func (m *merger) gap(r *logRing, gap *int, at int) {
	for *gap < len(r.gaps) && r.gaps[*gap].before <= at {
		m.cut()
		m.next += r.gaps[*gap].lost
		m.first = m.next
		*gap++
	}
}

func (m *merger) add(words []uint32) {
	m.words = append(m.words, words...)
	m.next += uint64(len(words) / LogRecordWords)
}

// cut ends the block.
func (m *merger) cut() {
	if len(m.words) > 0 {
		m.out = append(m.out, LogBlock{m.first, m.words})
		m.words = m.words[len(m.words):]
	}
	m.first = m.next
}

// alone is merge for the records of one ring.
func (m *merger) alone(r *logRing) (out LogBlocks) {
	from := 0
	taken := slices.Clone(r.taken)
	for _, g := range append(r.gaps, logGap{before: r.count()}) {
		if g.before > from {
			out = append(out, LogBlock{m.next, taken[from*LogRecordWords : g.before*LogRecordWords]})
			m.next += uint64(g.before - from)
		}
		m.next += g.lost
		from = g.before
	}
	return out
}
