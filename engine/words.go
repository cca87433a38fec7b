package engine

import (
	"encoding/binary"
	"sync/atomic"
	"unsafe"
)

// Words is a view of buffer memory that a kernel may be reading and writing at the same time.
// Element access through the methods is atomic and sequentially consistent on the host side; the
// order in which a device makes its own stores visible is the kernel's business (memory barriers).
type Words []uint32

// Load reads word i.
func (w Words) Load(i int) uint32 { return atomic.LoadUint32(&w[i]) }

// Store writes word i.
func (w Words) Store(i int, v uint32) { atomic.StoreUint32(&w[i], v) }

// Release writes word i: who sees it, sees what was written before. Unlike Store it does not wait until
// others can see it, so what is loaded afterwards may be older.
func (w Words) Release(i int, v uint32) { release(&w[i], v) }

// Add adds d to word i and returns the new value.
func (w Words) Add(i int, d uint32) uint32 { return atomic.AddUint32(&w[i], d) }

// Swap writes word i and returns what it held.
func (w Words) Swap(i int, v uint32) uint32 { return atomic.SwapUint32(&w[i], v) }

// CompareAndSwap stores v in word i if it holds old, and reports whether it did.
func (w Words) CompareAndSwap(i int, old, v uint32) bool {
	return atomic.CompareAndSwapUint32(&w[i], old, v)
}

// Or sets bits of word i.
func (w Words) Or(i int, bits uint32) { atomic.OrUint32(&w[i], bits) }

// CopyTo reads len(dst) words from word i on, each atomically; the copy as a whole may be torn.
func (w Words) CopyTo(dst []uint32, i int) {
	src := w[i : i+len(dst)]
	done := copyPairs(dst, src)
	dst, src = dst[done:], src[done:]
	for k := range dst {
		dst[k] = atomic.LoadUint32(&src[k])
	}
}

// CopyFrom writes src from word i on, each word atomically and in order.
func (w Words) CopyFrom(i int, src []uint32) {
	dst := w[i : i+len(src)]
	for k, v := range src {
		atomic.StoreUint32(&dst[k], v)
	}
}

// PutStruct writes the words of v, a struct of 32-bit fields and nothing else, from word i on. It is as
// quick as a copy, and like one not atomic: the words must not be read until a Release says that they
// are there.
func PutStruct[T any](w Words, i int, v *T) {
	dst := w[i : i+int(unsafe.Sizeof(*v)/unsafe.Sizeof(w[0]))]
	*(*T)(unsafe.Pointer(unsafe.SliceData(dst))) = *v
}

// copyPairs copies as many words as it can two at a time, which takes half the loads, and returns how
// many: none unless both ends are aligned.
func copyPairs(dst []uint32, src Words) int {
	n := len(dst) / 2
	if n == 0 {
		return 0 // there is no pair to point to
	}
	const pair = unsafe.Sizeof(uint64(0))
	to, from := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(src))
	if (uintptr(to)|uintptr(from))%pair != 0 {
		return 0
	}
	pairs, loads := unsafe.Slice((*uint64)(to), n), unsafe.Slice((*uint64)(from), n)
	for k := range pairs {
		pairs[k] = atomic.LoadUint64(&loads[k])
	}
	return 2 * n
}

// DecodeWords reads little-endian words. What is left of a last word that is not whole is passed over.
func DecodeWords(b []byte) []uint32 {
	words := make([]uint32, len(b)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return words
}

// AppendWords appends words to bytes, little-endian.
func AppendWords(b []byte, words []uint32) []byte {
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}
