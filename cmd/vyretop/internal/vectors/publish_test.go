package vectors

import "vyretop/megakernel/peer"

type publishIn struct {
	Ring      hexBytes   `json:"ring_hex"`
	Slots     uint32     `json:"slot_count"`
	Slot      uint32     `json:"slot_idx"`
	Start     uint32     `json:"start_slot"`
	Tenant    uint32     `json:"tenant_id"`
	Opcode    uint32     `json:"opcode"`
	Args      []uint32   `json:"args"`
	Tag       uint32     `json:"batch_tag"`
	Ticket    uint32     `json:"ticket"`
	Required  [][]uint32 `json:"required"`
	Lookahead [][]uint32 `json:"lookahead"`
}

// batchIn is the input of the operations on several slots.
type batchIn struct {
	publishIn
	Items []peer.Operation `json:"items"`
}

type itemsIn struct {
	publishIn
	Items [][4]uint32 `json:"items"`
}

type packedIn struct {
	publishIn
	Ops []peer.PackedOperation `json:"ops"`
}

type published struct {
	Consumed *uint32  `json:"consumed,omitempty"`
	Ring     hexBytes `json:"ring_hex"`
}

// on runs a publication on the ring of an input.
func (in *publishIn) on(f func(ring []uint32) (consumed *uint32, err error)) (any, map[string]any, error) {
	ring, err := peer.Words("ring", in.Ring)
	if err != nil {
		return nil, map[string]any{"ring_hex_after": in.Ring}, err
	}
	n, err := f(ring)
	return published{n, peer.Bytes(ring)}, map[string]any{"ring_hex_after": hexBytes(peer.Bytes(ring))}, err
}

func some(n uint32, err error) (*uint32, error) { return &n, err }

var _ = register("publish", map[string]operation{
	"publish_slot": stateful(func(in publishIn) (any, map[string]any, error) {
		return in.on(func(ring []uint32) (*uint32, error) {
			return nil, peer.Publish(ring, in.Slot, in.Tenant, peer.Operation{Opcode: in.Opcode, Args: in.Args})
		})
	}),
	"publish_packed_slot": stateful(func(in packedIn) (any, map[string]any, error) {
		in.Ring = make([]byte, 64*in.Slots)
		return in.on(func(ring []uint32) (*uint32, error) { return nil, peer.PublishPacked(ring, in.Slot, in.Tenant, in.Ops) })
	}),
	"batch_publish": stateful(func(in batchIn) (any, map[string]any, error) {
		return in.on(func(ring []uint32) (*uint32, error) {
			return some(peer.PublishBatch(ring, in.Start, in.Tenant, in.Items, in.Tag))
		})
	}),
	"publish_work_items": stateful(func(in itemsIn) (any, map[string]any, error) {
		items := make([]peer.WorkItem, len(in.Items))
		for i, v := range in.Items {
			items[i] = peer.WorkItem{Opcode: v[0], Input: v[1], Output: v[2], Param: v[3]}
		}
		return in.on(func(ring []uint32) (*uint32, error) {
			return some(peer.PublishItems(ring, in.Start, in.Tenant, items))
		})
	}),
	"window_publish": stateful(func(in publishIn) (any, map[string]any, error) {
		w := peer.WindowSpec{Opcode: in.Opcode, Ticket: in.Ticket, Required: in.Required, Lookahead: in.Lookahead}
		return in.on(func(ring []uint32) (*uint32, error) {
			return some(peer.PublishWindow(ring, in.Start, in.Tenant, &w))
		})
	}),
	"transition_slot_status": op(func(in struct {
		Status     uint32            `json:"status"`
		Transition peer.StatusChange `json:"transition"`
	}) (any, error) {
		to, err := in.Transition.Apply(in.Status)
		return map[string]any{"previous": in.Status, "status": to}, err
	}),
})
