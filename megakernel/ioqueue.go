package megakernel

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
