package vectors

import (
	"vyretop/megakernel"
	"vyretop/megakernel/peer"
)

type queueIn struct {
	Slots       uint32   `json:"slot_count"`
	Bytes       int      `json:"byte_len"`
	Queue       hexBytes `json:"queue_hex"`
	Completions [][2]any `json:"completions"`
	Steps       []ioStep `json:"steps"`
}

type ioStep struct {
	Op      string `json:"op"`
	Slot    uint32 `json:"queue_slot"`
	Src     uint32 `json:"src_handle"`
	Dst     uint32 `json:"dst_handle"`
	Mapped  uint32 `json:"mapped_slot"`
	Bytes   uint32 `json:"byte_count"`
	Tag     uint32 `json:"tag"`
	Success bool   `json:"success"`
}

type ioRequestJSON struct {
	Slot   uint32 `json:"slot_idx"`
	Op     uint32 `json:"op_type"`
	Src    uint32 `json:"src_handle"`
	Dst    uint32 `json:"dst_handle"`
	Offset uint64 `json:"offset"`
	Bytes  uint32 `json:"byte_count"`
	Tag    uint32 `json:"tag"`
}

func requestsOf(list []peer.IORequest) []ioRequestJSON {
	out := make([]ioRequestJSON, len(list))
	for i, r := range list {
		out[i] = ioRequestJSON(r)
	}
	return out
}

func (in *queueIn) open() (*peer.IOQueue, error) {
	words, err := peer.Words("io_queue", in.Queue)
	if err != nil {
		return nil, err
	}
	return peer.OpenIOQueue(words)
}

func ioState(q *peer.IOQueue) hexBytes { return peer.Bytes(q.Words()) }

// step runs one step of a session.
func (s *ioStep) step(q *peer.IOQueue) any {
	switch s.Op {
	case "claim":
		return map[string]any{"requests": requestsOf(q.Claim(nil))}
	case "submit_dma_read":
		return outcome(q.Submit(peer.IORequest{Slot: s.Slot, Op: megakernel.IORead, Src: s.Src, Dst: s.Dst, Bytes: s.Bytes, Tag: s.Tag}))
	case "publish_slot":
		return outcome(q.Submit(peer.IORequest{Slot: s.Slot, Op: megakernel.IORead, Dst: s.Mapped, Bytes: s.Bytes, Tag: s.Tag}))
	case "complete":
		return outcome(q.Complete(peer.IOCompletion{Slot: s.Slot, OK: s.Success}))
	case "completion":
		r, ok := q.Request(s.Slot)
		if !ok {
			return map[string]any{"none": true}
		}
		return map[string]any{"slot_idx": r.Slot, "mapped_slot": r.Dst, "byte_count": r.Bytes, "tag": r.Tag}
	case "is_recycled":
		return single{q.Recycled(s.Slot)}
	}
	return "unknown step " + s.Op
}

func outcome(err error) any {
	if err != nil {
		return map[string]any{"err": true}
	}
	return map[string]any{"ok": true}
}

var _ = register("ioqueue", map[string]operation{
	"encode_empty_io_queue": op(func(in queueIn) (any, error) {
		q, err := peer.NewIOQueue(in.Slots)
		if err != nil {
			return nil, err
		}
		return encoded{Bytes: 4 * len(q.Words()), NonZero: nonZero(q.Words())}, nil
	}),
	"io_queue_new": op(func(in queueIn) (any, error) {
		q, err := peer.NewIOQueue(in.Slots)
		if err != nil {
			return nil, err
		}
		return map[string]any{"slot_count": q.Slots(), "byte_len": 4 * len(q.Words())}, nil
	}),
	"validate_io_queue_bytes": op(func(in queueIn) (any, error) {
		in.Queue = make([]byte, in.Bytes)
		_, err := in.open()
		return none{}, err
	}),
	"poll": op(func(in queueIn) (any, error) {
		q, err := in.open()
		if err != nil {
			return nil, err
		}
		return map[string]any{"requests": requestsOf(q.Poll(nil))}, nil
	}),
	"claim": op(func(in queueIn) (any, error) {
		q, err := in.open()
		if err != nil {
			return nil, err
		}
		return map[string]any{"requests": requestsOf(q.Claim(nil)), "queue_hex": ioState(q)}, nil
	}),
	"complete_batch": stateful(func(in queueIn) (any, map[string]any, error) {
		q, err := in.open()
		if err != nil {
			return nil, map[string]any{"queue_hex_after": in.Queue}, err
		}
		answers := make([]peer.IOCompletion, len(in.Completions))
		for i, c := range in.Completions {
			answers[i] = peer.IOCompletion{Slot: uint32(c[0].(float64)), OK: c[1].(bool)}
		}
		err = q.Complete(answers...)
		return map[string]any{"queue_hex": ioState(q)}, map[string]any{"queue_hex_after": ioState(q)}, err
	}),
	"session": op(func(in queueIn) (any, error) {
		q, err := peer.NewIOQueue(in.Slots)
		if err != nil {
			return nil, err
		}
		results := make([]any, len(in.Steps))
		for i := range in.Steps {
			results[i] = in.Steps[i].step(q)
		}
		return map[string]any{"results": results, "queue_hex": ioState(q)}, nil
	}),
})
