package submit

import (
	"context"
	"fmt"

	"vyretop/engine"
)

// Resource is what one buffer of a program is for one dispatch. The zero Resource is none.
type Resource struct {
	host     []uint32
	zeros    int
	resident engine.Buffer
}

// Host gives a buffer the contents of words, and their number as its size.
func Host(words []uint32) Resource { return Resource{host: words} }

// Zeros gives a buffer of that many words that are 0.
func Zeros(words int) Resource { return Resource{zeros: words} }

// Resident binds a buffer that is on the device already. It belongs to one backend, and is not freed by
// the dispatch.
func Resident(b engine.Buffer) Resource { return Resource{resident: b} }

// Words turns bytes, little-endian, into words. A length that is not a multiple of 4 is an error.
func Words(b []byte) ([]uint32, error) {
	if len(b)%4 != 0 {
		return nil, &engine.Error{Code: engine.CodeInvalidProgram, Op: "read words", Detail: fmt.Sprintf("%d bytes are no whole number of words", len(b)),
			Fix: "give a multiple of 4 bytes"}
	}
	return engine.DecodeWords(b), nil
}

// Bytes is the way back from Words.
func Bytes(words []uint32) []byte { return engine.AppendWords(make([]byte, 0, 4*len(words)), words) }

// size is the number of words that a buffer made for r has.
func (r *Resource) size() int { return max(len(r.host), r.zeros) }

// Fill uploads the whole of a buffer; another number of words than it has is an error.
func Fill(ctx context.Context, b engine.Buffer, words []uint32) error {
	if len(words) != b.Size() {
		return &engine.Error{Code: engine.CodeInvalidProgram, Op: fmt.Sprintf("fill buffer %q", b.Name()),
			Detail: fmt.Sprintf("%d words for a buffer of %d", len(words), b.Size()), Fix: "give as many words as the buffer has, or upload a part with Upload"}
	}
	return b.Upload(ctx, 0, words)
}
