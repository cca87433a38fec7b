package live

import (
	"sort"

	"vyretop/megakernel"
)

// logTail keeps the newest blocks of a debug log: bound records, and what else is in the block of the oldest of these.
// A record's position is the number of records that came before it.
type logTail struct {
	blocks []logPart
	bound  int
	end    int // position behind the last record
}

// logPart is a block with the position of its first record.
type logPart struct {
	megakernel.LogBlock
	at int
}

// add appends blocks, which are in order and behind those that are there.
func (t *logTail) add(blocks megakernel.LogBlocks) {
	for _, b := range blocks {
		t.blocks = append(t.blocks, logPart{b, t.end})
		t.end += b.Len()
	}
	first := 0
	for t.partEnd(first) <= t.first() && first < len(t.blocks)-1 {
		first++
	}
	if first > len(t.blocks)/2 || first > 1024 { // seldom, because all that stay are moved
		t.blocks = append([]logPart(nil), t.blocks[first:]...)
	} else {
		clear(t.blocks[:first])
		t.blocks = t.blocks[first:]
	}
}

// first is the position of the oldest record that is kept.
func (t *logTail) first() int { return max(t.end-t.bound, 0) }

func (t *logTail) partEnd(i int) int {
	if i >= len(t.blocks) {
		return t.end
	}
	return t.blocks[i].at + t.blocks[i].Len()
}

// position is that of the first kept record with at least a number.
func (t *logTail) position(number uint64) int {
	i := sort.Search(len(t.blocks), func(i int) bool { return t.blocks[i].End() > number })
	if i == len(t.blocks) {
		return t.end
	}
	b := &t.blocks[i]
	return max(b.at+int(max(number, b.First)-b.First), t.first())
}

// since returns at most limit records from a position on, and the position behind them.
func (t *logTail) since(at, limit int) (out megakernel.LogBlocks, next int) {
	at = max(at, t.first())
	for i := sort.Search(len(t.blocks), func(i int) bool { return t.partEnd(i) > at }); i < len(t.blocks) && limit > 0; i++ {
		b := &t.blocks[i]
		skip := at - b.at
		n := min(b.Len()-skip, limit)
		out = append(out, b.Part(skip, skip+n))
		at += n
		limit -= n
	}
	return out, at
}
