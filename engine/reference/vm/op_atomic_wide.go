package vm

import (
	"sync"
	"sync/atomic"
)

// Atomic operations on components of 64 bits. Operand A is the index as in load, B the value; a compare-and-swap finds
// the component to compare with in B, and the value behind it. D receives the component before.
var wideAtomicOps = []row{
	wideAtomicRow(OpAtomicAddL, "atomic.add.l", func(old, v uint64) uint64 { return old + v }),
	wideAtomicRow(OpAtomicAddD, "atomic.add.d", func(old, v uint64) uint64 { return wideBits(double(old) + double(v)) }),
	wideAtomicRow(OpAtomicMinL, "atomic.min.l", func(old, v uint64) uint64 { return uint64(min(int64(old), int64(v))) }),
	wideAtomicRow(OpAtomicMinUL, "atomic.min.ul", func(old, v uint64) uint64 { return min(old, v) }),
	wideAtomicRow(OpAtomicMaxL, "atomic.max.l", func(old, v uint64) uint64 { return uint64(max(int64(old), int64(v))) }),
	wideAtomicRow(OpAtomicMaxUL, "atomic.max.ul", func(old, v uint64) uint64 { return max(old, v) }),
	wideAtomicRow(OpAtomicAndL, "atomic.and.l", func(old, v uint64) uint64 { return old & v }),
	wideAtomicRow(OpAtomicOrL, "atomic.or.l", func(old, v uint64) uint64 { return old | v }),
	wideAtomicRow(OpAtomicXorL, "atomic.xor.l", func(old, v uint64) uint64 { return old ^ v }),
	wideAtomicRow(OpAtomicExchangeL, "atomic.exchange.l", func(_, v uint64) uint64 { return v }),
	{OpAtomicCompSwapL, Info{Name: "atomic.compswap.l", Kinds: [4]Kind{KindDst1x64, KindSrc1Opt, KindSrc4, KindAccess}, run: runCompSwapWide}},
}

var wideAtomicKinds = [4]Kind{KindDst1x64, KindSrc1Opt, KindSrc64, KindAccess}

func wideAtomicRow(op Op, name string, change func(old, v uint64) uint64) row {
	run := func(g *Group, s *step) {
		for _, i := range g.lanesOn() {
			v := wideAt(g, s.b+int(i))
			changeWide(g, s, int(i), func(old uint64) uint64 { return change(old, v) })
		}
	}
	return row{op, Info{Name: name, Kinds: wideAtomicKinds, run: run}}
}

func runCompSwapWide(g *Group, s *step) {
	for _, i := range g.lanesOn() {
		compare, v := wideAt(g, s.b+int(i)), wideAt(g, s.b+2*g.lanes+int(i))
		changeWide(g, s, int(i), func(old uint64) uint64 {
			if old == compare {
				return v
			}
			return old
		})
	}
}

// wideLocks order the atomic operations on 64 bits of contended memory, by the place of the words: buffers of a host need not lie at
// multiples of eight bytes, where processors have such operations.
var wideLocks [64]sync.Mutex

// changeWide changes the component that one lane accesses, and leaves the one before in the result.
func changeWide(g *Group, s *step, lane int, change func(old uint64) uint64) {
	at, ok := g.locate(OutOfRangeAtomic, s, lane)
	if !ok {
		setWide(g, s.d+lane, 0)
		return
	}
	words := g.mem[s.acc.space][at:][:2]
	if !s.acc.contended {
		old := uint64(words[0]) | uint64(words[1])<<32
		v := change(old)
		words[0], words[1] = uint32(v), uint32(v>>32)
		setWide(g, s.d+lane, old)
		return
	}
	lock := &wideLocks[at/2%len(wideLocks)]
	lock.Lock()
	defer lock.Unlock()
	old := uint64(atomic.LoadUint32(&words[0])) | uint64(atomic.LoadUint32(&words[1]))<<32
	v := change(old)
	atomic.StoreUint32(&words[0], uint32(v))
	atomic.StoreUint32(&words[1], uint32(v>>32))
	setWide(g, s.d+lane, old)
}
