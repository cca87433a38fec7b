package peer

import (
	"fmt"
	"math"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// Operation is what a slot is to do: an opcode and at most tasks.ArgWords arguments.
type Operation struct {
	Opcode uint32
	Args   []uint32
}

// Publish puts an operation into a slot of a ring that is empty or done.
func Publish(ring []uint32, slot, tenant uint32, op Operation) error {
	return publish(ring, slot, tenant, []Operation{op})
}

// PublishBatch puts operations into slots from start on, followed by a batch fence with a tag. It
// returns the slots used. On an error nothing is published.
func PublishBatch(ring []uint32, start, tenant uint32, ops []Operation, tag uint32) (uint32, error) {
	n := uint32(len(ops))
	batch := append(ops[:n:n], Operation{Opcode: megakernel.OpcodeBatchFence, Args: []uint32{n, tag}})
	return n + 1, publish(ring, start, tenant, batch)
}

// WorkItem is an operation with handles, in the first arguments of its slot.
type WorkItem struct{ Opcode, Input, Output, Param uint32 }

// PublishItems puts work items into slots from start on and returns the slots used. On an error
// nothing is published.
func PublishItems(ring []uint32, start, tenant uint32, items []WorkItem) (uint32, error) {
	ops := make([]Operation, len(items))
	for i, it := range items {
		ops[i] = Operation{Opcode: it.Opcode, Args: []uint32{it.Input, it.Output, it.Param}}
	}
	return uint32(len(items)), publish(ring, start, tenant, ops)
}

// WindowSpec describes a window: its parts get one slot each, the required ones first.
type WindowSpec struct {
	Opcode, Ticket      uint32
	Required, Lookahead [][]uint32 // arguments behind ticket and part
}

// PublishWindow puts a window into slots from start on and returns the slots used. On an error nothing
// is published. A window without parts needs no slot, wherever start is.
func PublishWindow(ring []uint32, start, tenant uint32, w *WindowSpec) (uint32, error) {
	ops := make([]Operation, 0, len(w.Required)+len(w.Lookahead))
	for part, list := range [][][]uint32{w.Required, w.Lookahead} {
		for _, args := range list {
			ops = append(ops, Operation{Opcode: w.Opcode, Args: append([]uint32{w.Ticket, uint32(part)}, args...)})
		}
	}
	if len(ops) == 0 {
		return 0, nil
	}
	return uint32(len(ops)), publish(ring, start, tenant, ops)
}

func checkOpcode(slot, op uint32) error {
	if megakernel.OpcodePublishable(op) {
		return nil
	}
	return &fault.Error{Kind: ErrPublish, Subject: fmt.Sprint("slot ", slot), Detail: fmt.Sprintf("opcode %#x is reserved", op), Fix: "use one of the operations of the protocol, or an opcode of your own below 0xFFF0 or between 0x10000 and 0x7FFFFFFF"}
}

// publish checks everything before it writes anything.
func publish(ring []uint32, start, tenant uint32, ops []Operation) error {
	if len(ring)%tasks.SlotWords != 0 {
		return &BufferError{Kind: ErrMisaligned, Buffer: "ring", Bytes: 4 * uint64(len(ring))}
	}
	if slots := len(ring) / tasks.SlotWords; uint64(start)+uint64(len(ops)) > uint64(slots) {
		return &fault.Error{Kind: ErrPublish, Subject: fmt.Sprint("slot ", start), Detail: fmt.Sprintf("%d slots from there on go beyond the ring of %d", len(ops), slots), Fix: "publish fewer at a time, or use a larger ring"}
	}
	for i, op := range ops {
		slot := start + uint32(i)
		if err := checkOpcode(slot, op.Opcode); err != nil {
			return err
		}
		if len(op.Args) > tasks.ArgWords {
			return &fault.Error{Kind: ErrPublish, Subject: fmt.Sprint("slot ", slot), Detail: fmt.Sprintf("%d arguments, at most %d fit", len(op.Args), tasks.ArgWords), Fix: "pass the rest in a buffer"}
		}
		if s := tasks.State(ring[slot*tasks.SlotWords]); s != tasks.Empty && s != tasks.Done {
			return &fault.Error{Kind: ErrPublish, Subject: fmt.Sprint("slot ", slot), Detail: "it is " + s.String(), Fix: "wait until its task has ended, or use another slot"}
		}
	}
	for i, op := range ops {
		write(ring[(int(start)+i)*tasks.SlotWords:], tenant, op)
	}
	return nil
}

// write fills a slot, the state last: that is what makes it visible to a device.
func write(slot []uint32, tenant uint32, op Operation) {
	slot[tasks.WordOpcode], slot[tasks.WordTenant], slot[tasks.WordPriority] = op.Opcode, tenant, uint32(tasks.Normal)
	clear(slot[tasks.WordArg0:tasks.SlotWords])
	copy(slot[tasks.WordArg0:tasks.SlotWords], op.Args)
	slot[tasks.WordState] = uint32(tasks.Ready)
}

// PackedOperation is one operation of a packed slot.
type PackedOperation struct {
	Opcode uint8
	Args   []uint32
}

// PublishPacked puts several operations into one slot.
func PublishPacked(ring []uint32, slot, tenant uint32, ops []PackedOperation) error {
	args, err := Pack(ops)
	if err != nil {
		return err
	}
	return Publish(ring, slot, tenant, Operation{Opcode: megakernel.OpcodePackedSlot, Args: args})
}

// Pack encodes operations as the arguments of a packed slot. What does not fit is an error.
func Pack(ops []PackedOperation) ([]uint32, error) {
	head := make([]byte, 2, 4*tasks.ArgWords)
	var args []uint32
	for _, op := range ops {
		head = append(head, op.Opcode, byte(min(len(args), math.MaxUint8)))
		args = append(args, op.Args...)
	}
	for len(head)%4 != 0 {
		head = append(head, 0)
	}
	if words := len(head)/4 + len(args); words > tasks.ArgWords {
		return nil, &fault.Error{Kind: ErrPublish, Detail: fmt.Sprintf("%d operations with %d argument words take %d words, a slot has %d", len(ops), len(args), words, tasks.ArgWords), Fix: "use several packed slots"}
	}
	head[0], head[1] = byte(len(ops)), byte(len(args))
	packed, err := Words("ring", head)
	return append(packed, args...), err
}

// Unpack decodes the arguments of a packed slot. The arguments of an operation are all argument words from
// its first one on, those of the operations behind it included; they alias args. A count or an index that
// points beyond the slot is an error.
func Unpack(args *[tasks.ArgWords]uint32) ([]PackedOperation, error) {
	raw := Bytes(args[:])
	count, words := int(raw[0]), int(raw[1])
	base := (2 + 2*count + 3) / 4
	if base+words > tasks.ArgWords {
		return nil, &fault.Error{Kind: ErrPublish, Detail: fmt.Sprintf("a packed slot of %d operations and %d argument words does not fit", count, words), Fix: "check who packed it"}
	}
	list := args[base : base+words : base+words]
	ops := make([]PackedOperation, count)
	for i := range ops {
		first := int(raw[2+2*i+1])
		if first > words {
			return nil, &fault.Error{Kind: ErrPublish, Detail: fmt.Sprintf("operation %d has its arguments at %d of %d", i, first, words), Fix: "check who packed it"}
		}
		ops[i] = PackedOperation{Opcode: raw[2+2*i], Args: list[first:]}
	}
	return ops, nil
}
