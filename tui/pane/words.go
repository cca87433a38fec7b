package pane

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/words"
	"vyretop/tasks"
)

// Buffer is a buffer of the target: one whose words a snapshot holds, or one that is read by itself.
type Buffer struct {
	kind bufferKind
	own  *megakernel.BufferInfo // of otherKind
}

type bufferKind uint8

const (
	controlKind bufferKind = iota
	ringKind
	workerKind
	otherKind
	numKinds
)

// The buffers of a snapshot.
var (
	ControlBuffer = Buffer{kind: controlKind}
	RingBuffer    = Buffer{kind: ringKind}
	WorkerBuffer  = Buffer{kind: workerKind}
)

// OtherBuffer is a buffer that is read by itself; info stays as it is.
func OtherBuffer(info *megakernel.BufferInfo) Buffer { return Buffer{otherKind, info} }

// Other describes a buffer that is read by itself, nil for those of a snapshot.
func (b Buffer) Other() *megakernel.BufferInfo { return b.own }

var bufferNames = [otherKind]string{controlKind: words.Control, ringKind: words.Ring, workerKind: words.Workers}

// bufferNamed is the buffer of a snapshot with a name.
func bufferNamed(name string) Buffer {
	return Buffer{kind: bufferKind(slices.Index(bufferNames[:], name))}
}

// String names the buffer.
func (b Buffer) String() string {
	if b.kind == otherKind {
		return b.own.Name
	}
	return bufferNames[b.kind]
}

// Buffers lists the buffers of snapshots and then others, in the order in which the memory view goes through
// them.
func Buffers(names *words.Names) []Buffer {
	out := []Buffer{ControlBuffer, RingBuffer, WorkerBuffer}
	for i := range names.Others() {
		out = append(out, OtherBuffer(&names.Others()[i]))
	}
	return out
}

// Extract is words of a buffer that is read by itself, from number First on, as they were at a time.
type Extract struct {
	Buffer Buffer
	First  int
	Words  []uint32
	Taken  time.Duration
}

// WordAt is the place of a word.
type WordAt struct {
	Buffer Buffer
	Index  int
}

// String writes the place as commands take it: "control[128]".
func (w WordAt) String() string { return fmt.Sprintf("%s[%d]", w.Buffer, w.Index) }

// words are those of a buffer of the snapshot, nil before the first. They must not be changed.
func (f *Frame) words(b Buffer) []uint32 {
	switch {
	case f.Snap == nil || b.kind == otherKind:
		return nil
	case b.kind == ringKind:
		return f.Snap.Slots
	case b.kind == workerKind:
		return f.Snap.WorkerTable
	default:
		return f.Snap.Control
	}
}

// Size is the number of words of a buffer.
func (f *Frame) Size(b Buffer) int {
	if b.kind == otherKind {
		return b.own.Words
	}
	return len(f.words(b))
}

// Word reads a word; ok is false where the buffer has none, or it was not read.
func (f *Frame) Word(at WordAt) (v uint32, ok bool) {
	words, first := f.words(at.Buffer), 0
	for _, x := range f.Extracts {
		if x.Buffer == at.Buffer && at.Index >= x.First && at.Index < x.First+len(x.Words) {
			words, first = x.Words, x.First
		}
	}
	if i := at.Index - first; i >= 0 && i < len(words) {
		return words[i], true
	}
	return 0, false
}

// pageWords bounds the words that the memory view lists at once; pages of the ring hold whole slots
// and those of the worker table whole records.
var pageWords = [numKinds]int{
	controlKind: megakernel.ControlMinWords + megakernel.MaxObservables,
	ringKind:    64 * tasks.SlotWords,
	workerKind:  8 * megakernel.WorkerWords,
	otherKind:   1024,
}

// PageOf is the first word of the page that holds word i.
func (b Buffer) PageOf(i int) int { return i - i%pageWords[b.kind] }

// Page is a part of a buffer: its words from number first on, nil where they were not read.
func (f *Frame) Page(b Buffer, first int) []uint32 {
	for _, x := range f.Extracts {
		if x.Buffer == b && x.First == first {
			return x.Words
		}
	}
	words := f.words(b)
	first = min(max(first, 0), len(words))
	return words[first:min(first+pageWords[b.kind], len(words))]
}

// PageLen is the number of words of the page that begins with word first.
func (f *Frame) PageLen(b Buffer, first int) int { return min(pageWords[b.kind], f.Size(b)-first) }

// Name is what the protocol calls the word.
func (w WordAt) Name() string {
	switch w.Buffer.kind {
	case ringKind:
		return words.Name(words.Ring, w.Index)
	case otherKind:
		name, _ := words.OwnName(w.Buffer.own, w.Index)
		return name
	case workerKind:
		return words.Name(words.Workers, w.Index)
	default:
		if names := controlNames(); w.Index >= 0 && w.Index < len(names) {
			return names[w.Index]
		}
		return megakernel.ControlWordName(w.Index)
	}
}

// controlNames are the names of the words that every control buffer has, which are drawn with every frame.
var controlNames = sync.OnceValue(func() []string {
	names := make([]string, megakernel.ControlMinWords)
	for i := range names {
		names[i] = megakernel.ControlWordName(i)
	}
	return names
})

// Owner says which side writes the word.
func (w WordAt) Owner() string {
	switch {
	case w.Buffer.kind == otherKind && !w.Buffer.own.Between:
		return "device and host"
	case w.Buffer != ControlBuffer:
		return "device"
	case w.Index == megakernel.CtrlShutdown:
		return "host and device"
	case w.Index < megakernel.CtrlTenantFair0 && w.Index != megakernel.CtrlDoneCount:
		return "host"
	case w.Index < megakernel.CtrlObservable0:
		return "device"
	default:
		return "device, by its handlers"
	}
}

// meaningOf says in words what a word holds, or nothing when the number says it all.
func (f *Frame) meaningOf(at WordAt) string {
	switch at.Buffer.kind {
	case otherKind:
		return words.OwnMeaning(at.Buffer.own, at.Index, func(i int) (uint32, bool) {
			return f.Word(WordAt{at.Buffer, i})
		})
	case ringKind:
		if slot := at.Index / tasks.SlotWords; slot < f.Snap.NumSlots() {
			return f.meaning(f.Snap.Slot(slot), at.Index%tasks.SlotWords)
		}
	case workerKind:
		if at.Index < len(f.Snap.WorkerTable) {
			return words.MeaningIn(words.Workers, f.Snap.WorkerTable, at.Index)
		}
	default:
		if op := at.Index - megakernel.CtrlMetrics0; op >= 0 && op < megakernel.MetricOpcodes {
			return f.OpcodeName(uint32(op))
		}
	}
	return ""
}
