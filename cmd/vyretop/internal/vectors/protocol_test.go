package vectors

import (
	"vyretop/megakernel"
	"vyretop/megakernel/peer"
	"vyretop/tasks"
)

type protocolIn struct {
	Control     hexBytes `json:"control_hex"`
	Ring        hexBytes `json:"ring_hex"`
	Debug       hexBytes `json:"debug_hex"`
	Index       uint32   `json:"index"`
	Slot        uint32   `json:"slot"`
	Items       uint64   `json:"item_count"`
	Shutdown    bool     `json:"shutdown"`
	Tenants     uint32   `json:"tenant_count"`
	Observables uint32   `json:"observable_slots"`
	Slots       uint32   `json:"slot_count"`
	Records     uint32   `json:"record_capacity"`
	Opcode      uint32   `json:"opcode"`
}

// optional is the output of an operation without a result for every input.
func optional(n uint64, ok bool) any {
	if !ok {
		return single{nil}
	}
	return single{n}
}

// encoded is the output of an operation that makes a buffer; the vectors leave out the bytes of large ones.
type encoded struct {
	Bytes   int         `json:"byte_len"`
	NonZero [][2]uint32 `json:"nonzero_words"`
	Hex     *hexBytes   `json:"hex,omitempty"`
}

func encode(words []uint32, err error) (any, error) {
	out := encoded{Bytes: 4 * len(words), NonZero: nonZero(words)}
	if out.Bytes <= 1024 {
		b := hexBytes(peer.Bytes(words))
		out.Hex = &b
	}
	return out, err
}

// reader is an operation on the words of a control buffer.
func reader(f func(control []uint32, index uint32) (any, error)) operation {
	return op(func(in protocolIn) (any, error) {
		if _, err := peer.ObservableWord(in.Index); err != nil {
			return nil, err
		}
		control, err := peer.Words("control", in.Control)
		if err != nil {
			return nil, err
		}
		return f(control, in.Index)
	})
}

func readLog(in protocolIn) (any, error) {
	log, err := peer.Words("debug_log", in.Debug)
	if err != nil {
		return nil, err
	}
	l, err := peer.ReadLog(log)
	type record struct {
		Format uint32    `json:"fmt_id"`
		Args   [3]uint32 `json:"args"`
	}
	records := []record{}
	for _, r := range l.AppendTo(nil) {
		records = append(records, record{r.Format, [3]uint32{r.Arg0, r.Arg1, r.Arg2}})
	}
	return map[string]any{"records": records}, err
}

var _ = register("protocol", map[string]operation{
	"control_byte_len":   op(func(in protocolIn) (any, error) { return optional(peer.ControlBytes(in.Observables)), nil }),
	"ring_byte_len":      op(func(in protocolIn) (any, error) { return optional(peer.RingBytes(in.Slots)), nil }),
	"debug_log_byte_len": op(func(in protocolIn) (any, error) { return optional(peer.LogBytes(in.Records)), nil }),
	"encode_control": op(func(in protocolIn) (any, error) {
		words, err := megakernel.EncodeControl(in.Tenants, in.Observables)
		if in.Shutdown && err == nil {
			words[megakernel.CtrlShutdown] = 1
		}
		return encode(words, err)
	}),
	"encode_empty_ring": op(func(in protocolIn) (any, error) {
		return encode(peer.EmptyRing(in.Slots))
	}),
	"encode_empty_debug_log": op(func(in protocolIn) (any, error) {
		return encode(peer.EmptyLog(in.Records))
	}),
	"encode_load_miss": op(func(in struct {
		Resource uint32 `json:"resource_id"`
		Prefetch bool   `json:"prefetch"`
	}) (any, error) {
		w := peer.LoadMiss(in).Encode()
		return map[string]any{"hex": hexBytes(peer.Bytes(w[:]))}, nil
	}),
	"decode_load_miss": op(func(in protocolIn) (any, error) {
		m, ok := peer.DecodeLoadMiss(words(in.Ring), in.Slot)
		if !ok {
			return map[string]any{"found": false}, nil
		}
		return map[string]any{"found": true, "resource_id": m.Resource, "prefetch": m.Prefetch}, nil
	}),
	"try_read_done_count": reader(func(control []uint32, _ uint32) (any, error) {
		n, err := peer.DoneCount(control)
		return single{n}, err
	}),
	"try_read_epoch": reader(func(control []uint32, _ uint32) (any, error) {
		n, err := peer.Epoch(control)
		return single{n}, err
	}),
	"try_read_observable": reader(func(control []uint32, index uint32) (any, error) {
		n, err := peer.Observable(control, index)
		return single{n}, err
	}),
	"try_read_metrics": reader(func(control []uint32, _ uint32) (any, error) {
		m, err := peer.Metrics(control)
		return map[string]any{"metrics": nonZero(m[:])}, err
	}),
	"try_read_debug_log": op(readLog),
	"try_count_done_ring_slots": op(func(in protocolIn) (any, error) {
		ring, err := peer.Words("ring", in.Ring)
		if err != nil {
			return nil, err
		}
		n, err := peer.CountDone(ring, in.Items)
		return single{n}, err
	}),
	"opcode_class": op(func(in protocolIn) (any, error) {
		return map[string]bool{
			"is_system": megakernel.OpcodeReserved(in.Opcode), "is_builtin": megakernel.OpcodeBuiltin(in.Opcode),
			"user_allowed": !megakernel.OpcodeReserved(in.Opcode), "publish_allowed": megakernel.OpcodePublishable(in.Opcode),
		}, nil
	}),
})

type schedulerIn struct {
	Bytes uint32 `json:"control_byte_len"`
	Total uint32 `json:"total_slots"`
	Slots uint32 `json:"partition_slots"`
	Width uint32 `json:"worker_width"`
}

var _ = register("scheduler", map[string]operation{
	"constants": op(func(none) (any, error) {
		return map[string]int{
			"priority_levels": tasks.NumPriorities, "starvation_threshold": peer.StarvationThreshold,
			"tenant_fairness_threshold": peer.TenantFairnessThreshold, "priority_offsets_base": megakernel.CtrlPriorityOffset,
			"priority_starvation_counter": megakernel.CtrlStarvation, "tenant_base": megakernel.CtrlTenantBase,
			"tenant_quota_base": megakernel.CtrlTenantQuota0, "tenant_fairness_base": megakernel.CtrlTenantFair0,
			"metrics_base": megakernel.CtrlMetrics0, "epoch": megakernel.CtrlEpoch, "priority_fairness_base": megakernel.CtrlPriorityFair0,
			"observable_base": megakernel.CtrlObservable0, "control_min_words": megakernel.ControlMinWords,
		}, nil
	}),
	"default_priority_offsets": op(func(in schedulerIn) (any, error) {
		return map[string]any{"offsets": peer.DefaultPriorityOffsets(in.Total)}, nil
	}),
	"write_default_priority_offsets": op(func(in schedulerIn) (any, error) {
		control, err := peer.Words("control", make([]byte, in.Bytes))
		if err != nil {
			return nil, err
		}
		err = peer.WriteDefaultPriorityOffsets(control, in.Total)
		return map[string]any{"nonzero_words": nonZero(control)}, err
	}),
	"priority_partition_probe_count":       value(func(in schedulerIn) uint32 { return peer.ProbeCount(in.Slots, in.Width) }),
	"priority_partition_active_lane_count": value(func(in schedulerIn) uint32 { return peer.ActiveLanes(in.Slots, in.Width) }),
	"priority_partition_probe_budget":      value(func(in schedulerIn) uint32 { return peer.ProbeBudget(in.Slots, in.Width) }),
})
