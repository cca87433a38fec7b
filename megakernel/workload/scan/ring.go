package scan

import (
	"fmt"

	"vyretop/engine"
	"vyretop/megakernel/workload"
)

// Words of the buffers that scan.glsl declares.
const (
	entryWords = 8 // of a piece; piece.announce writes them

	ringDrained = 0  // records the host has taken
	ringHeader  = 16 // words before the first record; word 1 holds the capacity
	recordWords = 4
	recordSeq   = 0 // number + 1, written last
	recordEntry = 1
	recordAt    = 2 // symbol of the piece in which patterns end
	recordRow   = 3 // of the automaton before it

	cursorWords = 64
)

// record is one drained record.
type record struct{ entry, at, row uint32 }

// ring is the host's end of the ring of matches.
type ring struct {
	words    engine.Words
	capacity uint32
	drained  uint32 // records taken; wraps
	granted  uint32 // value of drained when the epoch was advanced last
}

// drain passes every record that is complete to take, in order, and then frees their places.
func (r *ring) drain(take func(record) error) (taken int, err error) {
	for uint32(taken) < r.capacity && err == nil {
		at := ringHeader + int(r.drained&(r.capacity-1))*recordWords
		if r.words.Load(at+recordSeq) != r.drained+1 {
			break
		}
		err = take(record{r.words.Load(at + recordEntry), r.words.Load(at + recordAt), r.words.Load(at + recordRow)})
		r.drained++
		taken++
	}
	if taken > 0 {
		r.words.Store(ringDrained, r.drained)
	}
	return taken, err
}

// mustWake reports whether that much has been drained since the last call that said so that a task
// may be waiting that saw the ring full before: such a task had nearly a whole ring before it.
func (r *ring) mustWake() bool {
	if r.drained-r.granted < max(r.capacity/2, 1) {
		return false
	}
	r.granted = r.drained
	return true
}

func protocolError(name, detail string, args ...any) error {
	return workload.Failure(workload.ErrProtocol, name, fmt.Sprintf(detail, args...), nil, "run it on the other backend and compare; if only one fails, report the device and driver")
}
