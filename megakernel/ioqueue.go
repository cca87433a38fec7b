package megakernel

import "fmt"

// The IO queue has IOSlots requests of IOWords words. The device publishes a request, the host
// claims it and answers it, the device recycles the slot.
const (
	IOSlots = 64
	IOWords = 8
)

// Words of an IO request.
const (
	IOOp = iota
	IOSrc
	IODst
	IOOffsetLo
	IOOffsetHi
	IOBytes
	IOStatus
	IOTag
)

// IO operations and statuses.
const (
	IORead  uint32 = 1
	IOWrite uint32 = 2
	IOFence uint32 = 3

	IOEmpty     uint32 = 0
	IOPublished uint32 = 1
	IOClaimed   uint32 = 2
	IOOK        uint32 = 0x10
	IOError     uint32 = 0x11
)

// IORequest is a decoded slot of the IO queue.
type IORequest struct {
	Op, Src, Dst uint32
	Offset       uint64
	Bytes        uint32
	Status, Tag  uint32
}

// EncodeIOQueue makes an empty IO queue.
func EncodeIOQueue() []uint32 { return make([]uint32, IOSlots*IOWords) }

// DecodeIOQueue reads an IO queue strictly: its exact length, known operations in slots that are
// not empty, known statuses.
func DecodeIOQueue(words []uint32) ([IOSlots]IORequest, error) {
	var out [IOSlots]IORequest
	if len(words) != IOSlots*IOWords {
		return out, shortBuffer("io queue", len(words), IOSlots*IOWords)
	}
	for i := range out {
		r, err := decodeIORequest(words[i*IOWords:][:IOWords], i*IOWords)
		if err != nil {
			return out, err
		}
		out[i] = r
	}
	return out, nil
}

func decodeIORequest(w []uint32, at int) (IORequest, error) {
	r := IORequest{
		Op: w[IOOp], Src: w[IOSrc], Dst: w[IODst],
		Offset: uint64(w[IOOffsetHi])<<32 | uint64(w[IOOffsetLo]),
		Bytes:  w[IOBytes], Status: w[IOStatus], Tag: w[IOTag],
	}
	switch r.Status {
	case IOEmpty:
		return r, nil
	case IOPublished, IOClaimed, IOOK, IOError:
	default:
		return r, &FormatError{Buffer: "io queue", Word: at + IOStatus, Detail: fmt.Sprintf("unknown status %#x", r.Status), Fix: "check who wrote the slot"}
	}
	if r.Op < IORead || r.Op > IOFence {
		return r, &FormatError{Buffer: "io queue", Word: at + IOOp, Detail: fmt.Sprintf("unknown operation %d", r.Op), Fix: "use READ 1, WRITE 2 or FENCE 3"}
	}
	return r, nil
}
