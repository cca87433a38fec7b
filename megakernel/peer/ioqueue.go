package peer

import (
	"fmt"

	"vyretop/engine/fault"
	"vyretop/megakernel"
)

// IORequest is a request of the device.
type IORequest struct {
	Slot   uint32
	Op     uint32 // megakernel.IORead and so on, or any other number
	Src    uint32
	Dst    uint32
	Offset uint64
	Bytes  uint32
	Tag    uint32
}

// IOCompletion is the host's answer to a request.
type IOCompletion struct {
	Slot uint32
	OK   bool
}

// IOQueue is an IO queue as the host works it: it finds what the device has published, claims it, and
// answers it. The device makes a slot empty again.
type IOQueue struct{ words []uint32 }

// NewIOQueue makes an empty queue of 1 to megakernel.IOSlots slots.
func NewIOQueue(slots uint32) (*IOQueue, error) {
	if slots == 0 || slots > megakernel.IOSlots {
		return nil, &fault.Error{Kind: ErrQueueSlot, Subject: fmt.Sprint("io queue slot ", slots), Detail: fmt.Sprintf("a queue of %d slots cannot be", slots), Fix: fmt.Sprintf("use 1 to %d slots", megakernel.IOSlots)}
	}
	return &IOQueue{words: make([]uint32, slots*megakernel.IOWords)}, nil
}

// OpenIOQueue works the words of a queue in place: whole slots, and at most megakernel.IOSlots.
func OpenIOQueue(words []uint32) (*IOQueue, error) {
	if len(words)%megakernel.IOWords != 0 {
		return nil, &BufferError{Kind: ErrMisaligned, Buffer: "io_queue", Bytes: 4 * uint64(len(words))}
	}
	if slots := len(words) / megakernel.IOWords; slots > megakernel.IOSlots {
		return nil, &fault.Error{Kind: ErrQueueSlot, Subject: fmt.Sprint("io queue slot ", uint32(slots)), Detail: fmt.Sprintf("a queue of %d slots cannot be", slots), Fix: fmt.Sprintf("use at most %d slots", megakernel.IOSlots)}
	}
	return &IOQueue{words: words}, nil
}

// Words are the words of the queue; they are not a copy.
func (q *IOQueue) Words() []uint32 { return q.words }

// Slots is the number of slots.
func (q *IOQueue) Slots() uint32 { return uint32(len(q.words) / megakernel.IOWords) }

// slot returns the words of a slot.
func (q *IOQueue) slot(i uint32) (*[megakernel.IOWords]uint32, error) {
	if i >= q.Slots() {
		return nil, &fault.Error{Kind: ErrQueueSlot, Subject: fmt.Sprint("io queue slot ", i), Detail: fmt.Sprintf("the queue has %d slots", q.Slots()), Fix: "use a slot that Poll or Claim returned"}
	}
	return (*[megakernel.IOWords]uint32)(q.words[i*megakernel.IOWords:]), nil
}

// Poll appends the requests that wait for the host, in the order of slots.
func (q *IOQueue) Poll(dst []IORequest) []IORequest {
	for i := range q.Slots() {
		if w := q.words[i*megakernel.IOWords:]; w[megakernel.IOStatus] == megakernel.IOPublished {
			dst = append(dst, requestOf(i, (*[megakernel.IOWords]uint32)(w)))
		}
	}
	return dst
}

// Claim is Poll that also takes the requests, so that no other service does.
func (q *IOQueue) Claim(dst []IORequest) []IORequest {
	from := len(dst)
	dst = q.Poll(dst)
	for _, r := range dst[from:] {
		q.words[r.Slot*megakernel.IOWords+megakernel.IOStatus] = megakernel.IOClaimed
	}
	return dst
}

func requestOf(slot uint32, w *[megakernel.IOWords]uint32) IORequest {
	return IORequest{
		Slot: slot, Op: w[megakernel.IOOp], Src: w[megakernel.IOSrc], Dst: w[megakernel.IODst],
		Offset: uint64(w[megakernel.IOOffsetHi])<<32 | uint64(w[megakernel.IOOffsetLo]),
		Bytes:  w[megakernel.IOBytes], Tag: w[megakernel.IOTag],
	}
}

// Complete answers claimed requests. It checks all of them before it answers any; of two answers to one
// request the later one counts.
func (q *IOQueue) Complete(answers ...IOCompletion) error {
	for _, a := range answers {
		w, err := q.slot(a.Slot)
		if err != nil {
			return err
		}
		if w[megakernel.IOStatus] != megakernel.IOClaimed {
			return &fault.Error{Kind: ErrQueueSlot, Subject: fmt.Sprint("io queue slot ", a.Slot), Detail: fmt.Sprintf("its request is not claimed, its status is %#x", w[megakernel.IOStatus]), Fix: "claim a request before answering it, and answer it once"}
		}
	}
	for _, a := range answers {
		status := megakernel.IOError
		if a.OK {
			status = megakernel.IOOK
		}
		q.words[a.Slot*megakernel.IOWords+megakernel.IOStatus] = status
	}
	return nil
}

// Submit publishes a request in an empty slot, as a device does.
func (q *IOQueue) Submit(r IORequest) error {
	w, err := q.slot(r.Slot)
	if err != nil {
		return err
	}
	if w[megakernel.IOStatus] != megakernel.IOEmpty {
		return &fault.Error{Kind: ErrQueueSlot, Subject: fmt.Sprint("io queue slot ", r.Slot), Detail: fmt.Sprintf("it is in use, its status is %#x", w[megakernel.IOStatus]), Fix: "use a slot that was recycled"}
	}
	*w = [megakernel.IOWords]uint32{
		megakernel.IOOp: r.Op, megakernel.IOSrc: r.Src, megakernel.IODst: r.Dst,
		megakernel.IOOffsetLo: uint32(r.Offset), megakernel.IOOffsetHi: uint32(r.Offset >> 32),
		megakernel.IOBytes: r.Bytes, megakernel.IOStatus: megakernel.IOPublished, megakernel.IOTag: r.Tag,
	}
	return nil
}

// Request returns the request in a slot, whatever became of it; ok is false where there is none.
func (q *IOQueue) Request(slot uint32) (r IORequest, ok bool) {
	w, err := q.slot(slot)
	if err != nil || w[megakernel.IOStatus] == megakernel.IOEmpty {
		return IORequest{}, false
	}
	return requestOf(slot, w), true
}

// Recycle empties a slot whose request was answered, as a device does when it has seen the answer.
func (q *IOQueue) Recycle(slot uint32) error {
	w, err := q.slot(slot)
	if err != nil {
		return err
	}
	if s := w[megakernel.IOStatus]; s != megakernel.IOOK && s != megakernel.IOError {
		return &fault.Error{Kind: ErrQueueSlot, Subject: fmt.Sprint("io queue slot ", slot), Detail: fmt.Sprintf("its request was not answered, its status is %#x", s), Fix: "wait for the answer"}
	}
	*w = [megakernel.IOWords]uint32{}
	return nil
}

// Recycled reports whether a slot is empty.
func (q *IOQueue) Recycled(slot uint32) bool {
	w, err := q.slot(slot)
	return err == nil && w[megakernel.IOStatus] == megakernel.IOEmpty
}
