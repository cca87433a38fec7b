package vectors

import (
	"vyretop/megakernel"
	"vyretop/megakernel/peer"
	"vyretop/megakernel/policy"
	"vyretop/megakernel/stats"
	"vyretop/tasks"
)

// occupancyJSON is an occupancy as the vectors spell it, in the order of states.
type occupancyJSON struct {
	Empty     uint32 `json:"empty"`
	Published uint32 `json:"published"`
	Claimed   uint32 `json:"claimed"`
	Done      uint32 `json:"done"`
	WaitIO    uint32 `json:"wait_io"`
	Yield     uint32 `json:"yield_count"`
	Requeue   uint32 `json:"requeue"`
	Fault     uint32 `json:"fault"`
	Unknown   uint32 `json:"unknown"`
}

func (v *occupancyJSON) occupancy() *stats.StateCounts {
	return &stats.StateCounts{v.Empty, v.Published, v.Claimed, v.Done, v.WaitIO, v.Yield, v.Requeue, v.Fault, v.Unknown}
}

func occupancyOf(o *stats.StateCounts) occupancyJSON {
	return occupancyJSON{o[0], o[1], o[2], o[3], o[4], o[5], o[6], o[7], o[8]}
}

type controlJSON struct {
	Shutdown     bool        `json:"shutdown"`
	DoneCount    uint32      `json:"done_count"`
	Epoch        uint32      `json:"epoch"`
	Metrics      [][2]uint32 `json:"metrics"`
	TenantFair   []uint32    `json:"tenant_fairness"`
	PriorityFair []uint32    `json:"priority_fairness"`
}

func controlOf(c *megakernel.Control) controlJSON {
	return controlJSON{c.Shutdown != 0, c.DoneCount, c.Epoch, nonZero(c.Metrics[:]), c.TenantFair[:], c.PriorityFair[:]}
}

// nonZero lists the words that are not zero, with their indices.
func nonZero(words []uint32) [][2]uint32 {
	out := [][2]uint32{}
	for i, w := range words {
		if w != 0 {
			out = append(out, [2]uint32{uint32(i), w})
		}
	}
	return out
}

type slotJSON struct {
	Index    int       `json:"slot_idx"`
	Status   string    `json:"status"`
	Raw      uint32    `json:"status_raw"`
	Active   bool      `json:"is_active"`
	TenantID uint32    `json:"tenant_id"`
	Opcode   uint32    `json:"opcode"`
	Args     [3]uint32 `json:"args_prefix"`
}

var statusNames = [...]string{"Empty", "Published", "Claimed", "Done", "WaitIo", "Yield", "Requeue", "Fault", "Unknown"}

func slotsOf(r *stats.Reading) []slotJSON {
	out := make([]slotJSON, r.Slots())
	for i := range out {
		s := r.Slot(i)
		out[i] = slotJSON{i, statusNames[min(s.State, stats.UnknownState)], s.State, s.Active(), s.Tenant, s.Opcode, s.Args}
	}
	return out
}

type windowJSON struct {
	Ticket    uint32 `json:"ticket"`
	TenantID  uint32 `json:"tenant_id"`
	Opcode    uint32 `json:"opcode"`
	Required  uint32 `json:"required_slots"`
	Lookahead uint32 `json:"lookahead_slots"`
	Published uint32 `json:"published"`
	Claimed   uint32 `json:"claimed"`
	Done      uint32 `json:"done"`
	WaitIO    uint32 `json:"wait_io"`
	Yield     uint32 `json:"yield_count"`
	Requeue   uint32 `json:"requeue"`
	Fault     uint32 `json:"fault"`
	Active    bool   `json:"is_active"`
}

func windowsOf(r *stats.Reading) []windowJSON {
	out := make([]windowJSON, len(r.Windows))
	for i := range out {
		w := &r.Windows[i]
		s := &w.States
		out[i] = windowJSON{
			w.Ticket, w.Tenant, w.Opcode, w.Required, w.Lookahead, s[tasks.Ready], s[tasks.Running], s[tasks.Done],
			s[tasks.Paused], s[tasks.Yielded], s[tasks.Requeued], s[tasks.Faulted], w.Active(),
		}
	}
	return out
}

type decodeIn struct {
	Control hexBytes       `json:"control_hex"`
	Ring    hexBytes       `json:"ring_hex"`
	Windows []uint32       `json:"window_opcodes"`
	Request policy.Request `json:"request"`
}

func (in *decodeIn) read() (*stats.Reading, error) {
	control, err := peer.Words("control", in.Control)
	if err != nil {
		return nil, err
	}
	ring, err := peer.Words("ring", in.Ring)
	if err != nil {
		return nil, err
	}
	r := new(stats.Reading)
	return r, stats.NewDecoder(in.Windows).Decode(r, control, ring)
}

func decodeTelemetry(in decodeIn) (any, error) {
	r, err := in.read()
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"control": controlOf(&r.Control), "occupancy": occupancyOf(&r.Occupancy), "slots": slotsOf(r), "windows": windowsOf(r),
		"runtime_counters": r.Counters, "active_window_count": r.ActiveWindows(), "priority_accounting": r.Accounting(),
	}, nil
}

type countersIn struct {
	Occupancy    occupancyJSON `json:"occupancy"`
	Done         uint32        `json:"done_count"`
	Earlier      uint32        `json:"previous_done_count"`
	TenantFair   []uint32      `json:"tenant_fairness"`
	PriorityFair []uint32      `json:"priority_fairness"`
}

type countersOut struct {
	stats.Counters
	Total uint32 `json:"occupancy_total_slots"`
	Depth uint32 `json:"occupancy_queue_depth"`
}

type sketchIn struct {
	Depth uint64      `json:"depth"`
	Width uint64      `json:"width"`
	Adds  [][2]uint64 `json:"adds"`
	Keys  []uint64    `json:"estimate_keys"`
}

func sketch(in sketchIn) (any, error) {
	s, err := stats.NewSketch(in.Depth, in.Width)
	if err != nil {
		return nil, err
	}
	for _, a := range in.Adds {
		if err := s.Add(a[0], a[1]); err != nil {
			return nil, err
		}
	}
	estimates := []uint64{}
	for _, k := range in.Keys {
		estimates = append(estimates, s.Estimate(k))
	}
	return map[string]any{"counters": s.Counters(), "estimates": estimates}, nil
}

var _ = register("telemetry", map[string]operation{
	"decode": op(decodeTelemetry),
	"control_snapshot": op(func(in decodeIn) (any, error) {
		control, err := peer.Words("control", in.Control)
		if err != nil {
			return nil, err
		}
		c, err := megakernel.DecodeControl(control)
		if err != nil {
			return nil, err
		}
		return controlOf(c), nil
	}),
	"runtime_counters": op(func(in countersIn) (any, error) {
		c, err := stats.Derive(in.Occupancy.occupancy(), in.Done, in.TenantFair, in.PriorityFair)
		return countersOut{c, c.Total, c.Depth}, err
	}),
	"try_health_since": op(func(in countersIn) (any, error) {
		return stats.MovementSince(in.Occupancy.occupancy(), in.Done, in.Earlier)
	}),
	"recommend_launch": op(func(in decodeIn) (any, error) {
		r, err := in.read()
		if err != nil {
			return nil, err
		}
		r.FeedPeer(&in.Request)
		p := policy.StandardPolicy()
		return p.Recommend(&in.Request, policy.NoTopology)
	}),
	"count_min_sketch": op(sketch),
})
