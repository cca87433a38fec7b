package megakernel

import "vyretop/engine"

// logRing follows one ring of a debug log that a kernel may be writing.
type logRing struct {
	words    engine.Words // of the whole log
	cursor   int          // word of its cursor
	base     int          // word of its first record
	capacity uint32
	next     uint64 // number of the next record to read, in this ring
	lost     uint64
	run      [logRun * LogRecordWords]uint32

	taken []uint32 // records of the last take; the next one overwrites them
	gaps  []logGap // in them
}

// logGap says that records are missing before a record of a take.
type logGap struct {
	before int
	lost   uint64
}

// logRun is how many records are copied at a time: one after the other, so that the memory has the next
// ones under way, and few enough to be still in the cache when their sequence words are looked at again.
const logRun = 256

// take leaves in taken and gaps the records that are complete, in order, at most limit of them, and returns how many
// records are known to be reserved but are still being written. It stops at the first of those: order
// is kept. The cursor may lag behind: what is complete beyond it is read too. Where writers overtake the
// reader it continues with records that are some way ahead of them, and it returns when it has passed a whole log.
func (r *logRing) take(limit int) (inFlight uint64) {
	r.taken, r.gaps = r.taken[:0], r.gaps[:0]
	end := r.extend(r.words.Load(r.cursor))
	r.skipTo(end)
	last := r.next + uint64(limit) + uint64(r.capacity)
	lead := max(uint64(r.capacity)/16, 1)
	for try := uint64(1); r.count() < limit && r.next < last; try = min(2*try, logRun) {
		known := end - min(end, r.next)
		seq, whole := r.takeRun(min(max(known, try), logRun, uint64(limit-r.count())))
		if whole {
			continue
		}
		newest := r.found(r.next, seq)
		if newest == absent {
			return max(end, r.next) - r.next
		}
		end = max(end, newest+1) // the place was written again since
		r.lose(1)
		r.skipTo(end + lead) // what is oldest would be overwritten next
		lead = min(2*lead, uint64(r.capacity)/2)
	}
	return 0
}

// count is the number of records taken.
func (r *logRing) count() int { return len(r.taken) / LogRecordWords }

// takeRun takes the next records, n of them or as many as there are before the ring's end. It stops at
// the first that is not complete and returns the sequence word of that.
func (r *logRing) takeRun(n uint64) (seq uint32, whole bool) {
	place := uint64(uint32(r.next) & (r.capacity - 1))
	n = min(n, uint64(r.capacity)-place)
	at := r.base + int(place)*LogRecordWords
	words := r.run[:n*LogRecordWords]
	r.words.CopyTo(words, at)
	good := 0
	for ; good < len(words); good += LogRecordWords {
		want := uint32(r.next) + uint32(good/LogRecordWords) + 1
		if seq = words[good+LogSeq]; seq == want {
			seq = r.words.Load(at + good + LogSeq) // was it written again while it was copied?
		}
		if seq != want {
			break
		}
	}
	r.taken = append(r.taken, words[:good]...)
	r.next += uint64(good / LogRecordWords)
	return seq, good == len(words)
}

// lose counts the next n records as lost.
func (r *logRing) lose(n uint64) {
	r.lost += n
	r.next += n
	if last := len(r.gaps) - 1; last >= 0 && r.gaps[last].before == r.count() {
		r.gaps[last].lost += n
		return
	}
	r.gaps = append(r.gaps, logGap{r.count(), n})
}

// extend turns the 32-bit cursor into a running number: the smallest one not below next. A cursor that
// lags behind what was read says nothing new.
func (r *logRing) extend(cursor uint32) uint64 {
	if behind := uint32(r.next) - cursor; behind < 1<<31 && uint64(behind) <= r.next {
		return r.next
	}
	return r.next + uint64(cursor-uint32(r.next))
}

// skipTo counts as lost what the writers have lapped.
func (r *logRing) skipTo(end uint64) {
	if oldest := end - min(end, uint64(r.capacity)); r.next < oldest {
		r.lose(oldest - r.next)
	}
}

// absent as the number of a record says that its place holds none that is complete and later.
const absent = ^uint64(0)

// found turns a sequence word that is not that of the record into the number of a later one. A writer
// that has taken a place and is not done leaves its number there, one less than a sequence word: then
// the earlier record is lost as well.
func (r *logRing) found(number uint64, seq uint32) uint64 {
	ahead := seq - uint32(number)
	switch {
	case ahead == 0 || int32(ahead) < 0 || ahead < r.capacity:
		return absent
	case (ahead-1)%r.capacity == 0:
		return number + uint64(ahead-1)
	case ahead%r.capacity == 0:
		return number + uint64(ahead)
	}
	return absent
}
