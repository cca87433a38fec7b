package peer

import (
	"encoding/binary"
	"math"
	"math/bits"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// MaxItems bounds the slots, records or observables of a buffer that this package makes.
const MaxItems = 1 << 20

// Words reads a buffer as words. A rest of less than a word is an error.
func Words(buffer string, b []byte) ([]uint32, error) {
	return AppendWords(make([]uint32, 0, len(b)/4), buffer, b)
}

// AppendWords is Words into memory that is there.
func AppendWords(dst []uint32, buffer string, b []byte) ([]uint32, error) {
	if len(b)%4 != 0 {
		return dst, &BufferError{Kind: ErrMisaligned, Buffer: buffer, Bytes: uint64(len(b))}
	}
	for ; len(b) >= 4; b = b[4:] {
		dst = append(dst, binary.LittleEndian.Uint32(b))
	}
	return dst, nil
}

// Bytes writes words as a buffer.
func Bytes(words []uint32) []byte {
	out := make([]byte, 0, 4*len(words))
	for _, w := range words {
		out = binary.LittleEndian.AppendUint32(out, w)
	}
	return out
}

// ControlBytes is the size of a control buffer; ok is false where its words cannot be numbered.
func ControlBytes(observables uint32) (n uint64, ok bool) {
	return byteLength(megakernel.ControlMinWords + uint64(observables))
}

// RingBytes is the size of a ring; ok is false where its words cannot be numbered.
func RingBytes(slots uint32) (n uint64, ok bool) { return byteLength(uint64(slots) * tasks.SlotWords) }

// LogBytes is the size of a debug log; ok is false where its words cannot be numbered.
func LogBytes(records uint32) (n uint64, ok bool) {
	return byteLength(LogRecord0 + uint64(records)*LogRecordWords)
}

func byteLength(words uint64) (uint64, bool) {
	if words > math.MaxUint32 {
		return 0, false
	}
	return 4 * words, true
}

// EmptyRing makes a ring of empty slots, at most MaxItems.
func EmptyRing(slots uint32) ([]uint32, error) {
	if slots > MaxItems {
		return nil, &BufferError{Kind: ErrTooLong, Buffer: "ring"}
	}
	return make([]uint32, slots*tasks.SlotWords), nil
}

// EmptyLog makes a debug log without records, with room for at most MaxItems.
func EmptyLog(records uint32) ([]uint32, error) {
	if records > MaxItems {
		return nil, &BufferError{Kind: ErrTooLong, Buffer: "debug_log"}
	}
	return make([]uint32, LogRecord0+records*LogRecordWords), nil
}

// word reads one word of a buffer.
func word(buffer string, words []uint32, at uint64) (uint32, error) {
	if at >= uint64(len(words)) {
		return 0, &BufferError{Kind: ErrMissingWord, Buffer: buffer, Word: at, Bytes: 4 * uint64(len(words))}
	}
	return words[at], nil
}

// DoneCount reads the number of tasks done.
func DoneCount(control []uint32) (uint32, error) {
	return word("control", control, megakernel.CtrlDoneCount)
}

// Epoch reads the epoch.
func Epoch(control []uint32) (uint32, error) { return word("control", control, megakernel.CtrlEpoch) }

// ObservableWord is the index of an observable in the control buffer, an error where 32 bits cannot
// hold it.
func ObservableWord(index uint32) (uint32, error) {
	at, carry := bits.Add32(megakernel.CtrlObservable0, index, 0)
	if carry > 0 {
		return 0, &BufferError{Kind: ErrTooLong, Buffer: "control"}
	}
	return at, nil
}

// Observable reads an observable.
func Observable(control []uint32, index uint32) (uint32, error) {
	at, err := ObservableWord(index)
	if err != nil {
		return 0, err
	}
	return word("control", control, uint64(at))
}

// Metrics reads the activations by opcode.
func Metrics(control []uint32) (out [megakernel.MetricOpcodes]uint32, err error) {
	for i := range out {
		if out[i], err = word("control", control, megakernel.CtrlMetrics0+uint64(i)); err != nil {
			return [megakernel.MetricOpcodes]uint32{}, err
		}
	}
	return out, nil
}

// CountDone counts the slots of a ring that are done among the first ones. A ring of fewer slots is an
// error, and so are more slots than a buffer can have.
func CountDone(ring []uint32, slots uint64) (uint64, error) {
	if hi, _ := bits.Mul64(slots, tasks.SlotBytes); hi > 0 {
		return 0, &BufferError{Kind: ErrTooLong, Buffer: "ring"}
	}
	words := slots * tasks.SlotWords
	if words > uint64(len(ring)) {
		return 0, &BufferError{Kind: ErrMissingWord, Buffer: "ring", Word: words, Bytes: 4 * uint64(len(ring))}
	}
	done := uint64(0)
	for at := uint64(0); at < words; at += tasks.SlotWords {
		if tasks.State(ring[at]) == tasks.Done {
			done++
		}
	}
	return done, nil
}

// LoadMiss is a request of the device for a resource, published as a slot of OpcodeLoadMiss.
type LoadMiss struct {
	Resource uint32
	Prefetch bool
}

// Encode makes the slot.
func (m LoadMiss) Encode() [tasks.SlotWords]uint32 {
	w := [tasks.SlotWords]uint32{tasks.WordState: uint32(tasks.Ready), tasks.WordOpcode: megakernel.OpcodeLoadMiss, tasks.WordArg0: m.Resource}
	if m.Prefetch {
		w[tasks.WordArg0+1] = 1
	}
	return w
}

// DecodeLoadMiss reads a slot of a ring; ok is false where the ring ends before its arguments, or
// another operation is in it.
func DecodeLoadMiss(ring []uint32, slot uint32) (m LoadMiss, ok bool) {
	at := uint64(slot) * tasks.SlotWords
	if at+tasks.WordArg0+1 >= uint64(len(ring)) || ring[at+tasks.WordOpcode] != megakernel.OpcodeLoadMiss {
		return LoadMiss{}, false
	}
	return LoadMiss{Resource: ring[at+tasks.WordArg0], Prefetch: ring[at+tasks.WordArg0+1] != 0}, true
}
