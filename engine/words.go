package engine

import (
	"sync/atomic"
	"unsafe"
)

// Words is a view of buffer memory that a kernel may be reading and writing at the same moment.
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

// CompareAndSwap stores desired in word i if it holds expected, and reports whether it did.
func (w Words) CompareAndSwap(i int, expected, desired uint32) bool {
	return atomic.CompareAndSwapUint32(&w[i], expected, desired)
}

// CopyTo reads len(dst) words from word i on, each atomically; the copy as a whole may be torn.
func (w Words) CopyTo(dst []uint32, i int) {
	src := w[i : i+len(dst)]
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
// quick as a copy, and like one not atomic: nobody may look at the words until a Release says that they
// are there.
func PutStruct[T any](w Words, i int, v *T) {
	dst := w[i : i+int(unsafe.Sizeof(*v)/unsafe.Sizeof(w[0]))]
	*(*T)(unsafe.Pointer(unsafe.SliceData(dst))) = *v
}
