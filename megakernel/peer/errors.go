package peer

import (
	"fmt"

	"vyretop/engine/fault"
	"vyretop/megakernel"
)

// Sentinels for errors.Is. Those of a *BufferError also match megakernel.ErrFormat.
const (
	// ErrMisaligned: a buffer is not a whole number of words or slots.
	ErrMisaligned fault.Kind = "misaligned buffer"
	// ErrMissingWord: a buffer ends before a word that is needed.
	ErrMissingWord fault.Kind = "buffer too short"
	// ErrTooLong: a buffer of that size cannot be.
	ErrTooLong fault.Kind = "buffer too long"
	// ErrPublish: something cannot be published there.
	ErrPublish fault.Kind = "cannot be published"
	// ErrQueueSlot: a slot of the IO queue is not in the state that an operation needs.
	ErrQueueSlot fault.Kind = "io queue slot not available"
)

// BufferError says what is wrong with the size of which buffer.
type BufferError struct {
	Kind   error  // ErrMisaligned, ErrMissingWord or ErrTooLong
	Buffer string // "control", "ring", "debug_log", "io_queue"
	Word   uint64 // the missing word
	Bytes  uint64 // length of the buffer
}

// Error implements error.
func (e *BufferError) Error() string {
	switch e.Kind {
	case ErrMisaligned:
		return fmt.Sprintf("%s buffer of %d bytes is not a whole number of its words. Fix: read the buffer to its end, and nothing else", e.Buffer, e.Bytes)
	case ErrMissingWord:
		return fmt.Sprintf("%s buffer of %d bytes has no word %d. Fix: read the whole buffer, and check that it is one of that kind", e.Buffer, e.Bytes, e.Word)
	}
	return fmt.Sprintf("%s buffer: the size asked for cannot be addressed. Fix: ask for less", e.Buffer)
}

// Unwrap makes errors.Is match the kind and megakernel.ErrFormat.
func (e *BufferError) Unwrap() []error { return []error{e.Kind, megakernel.ErrFormat} }
