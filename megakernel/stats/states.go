package stats

import (
	"fmt"
	"math"

	"vyretop/engine/fault"
	"vyretop/tasks"
)

// StateCounts counts slots by state.
type StateCounts [tasks.NumStates + 1]uint32

// total is the number of slots; it fits 32 bits for every ring, but not for every nine numbers.
func (o *StateCounts) total() uint64 {
	var n uint64
	for _, c := range o {
		n += uint64(c)
	}
	return n
}

// Count adds the slots of a ring to o. It is strict about the length only: whatever a kernel wrote
// counts as something.
func (o *StateCounts) Count(ring []uint32) error {
	if err := checkRing(ring); err != nil {
		return err
	}
	counted, _ := scan(ring, new(grouper), nil)
	for i, n := range counted {
		o[i] += n
	}
	return nil
}

// scan counts the states of a ring of whole slots, and adds slots to windows, in one pass: a ring is
// usually larger than the nearer caches. Of four slots each has counts of its own, because adding to
// the count that the slot before has just changed would wait for it.
func scan(ring []uint32, g *grouper, windows []Window) (o StateCounts, _ []Window) {
	const stride = 4 * tasks.SlotWords
	var lanes [4][16]uint32 // a power of two, so that the compiler needs no bounds check
	filter := g.filter
	rest := ring
	for ; len(rest) >= stride; rest = rest[stride:] {
		w := (*[stride]uint32)(rest)
		lanes[0][min(w[0], UnknownState)&15]++
		lanes[1][min(w[tasks.SlotWords], UnknownState)&15]++
		lanes[2][min(w[2*tasks.SlotWords], UnknownState)&15]++
		lanes[3][min(w[3*tasks.SlotWords], UnknownState)&15]++
		hits := filter>>(w[tasks.WordOpcode]%64) | filter>>(w[tasks.SlotWords+tasks.WordOpcode]%64) |
			filter>>(w[2*tasks.SlotWords+tasks.WordOpcode]%64) | filter>>(w[3*tasks.SlotWords+tasks.WordOpcode]%64)
		if hits&1 != 0 {
			windows = g.addAll(windows, w[:])
		}
	}
	for i := 0; i < len(rest); i += tasks.SlotWords {
		lanes[0][min(rest[i], UnknownState)&15]++
	}
	windows = g.addAll(windows, rest)
	for i := range o {
		o[i] = lanes[0][i] + lanes[1][i] + lanes[2][i] + lanes[3][i]
	}
	return o, windows
}

// Counters are the numbers derived from an occupancy and the control counters.
type Counters struct {
	Total         uint32 `json:"total_slots"`
	Depth         uint32 `json:"queue_depth"`
	Idle          uint32 `json:"gpu_idle_slots"`
	IdlePpm       uint32 `json:"gpu_idle_ppm"`
	FrontierBps   uint32 `json:"frontier_density_bps"`
	OccupancyBps  uint32 `json:"occupancy_proxy_bps"`
	Drained       uint32 `json:"drained_slots"`
	Unreclaimed   uint32 `json:"unreclaimed_done_slots"`
	TenantTotal   uint64 `json:"tenant_fairness_total"`
	TenantSkew    uint32 `json:"tenant_fairness_skew"`
	PriorityTotal uint64 `json:"priority_fairness_total"`
	Requeued      uint32 `json:"requeue_slots"`
	Faulted       uint32 `json:"fault_slots"`
}

// Derive computes the counters. Slots that 32 bits cannot count are ErrCounter.
func Derive(o *StateCounts, done uint32, tenantFair, priorityFair []uint32) (Counters, error) {
	total := o.total()
	if total > math.MaxUint32 {
		return Counters{}, &fault.Error{Kind: ErrCounter, Subject: "total slots", Detail: fmt.Sprintf("%d do not fit 32 bits", total), Fix: "count one ring at a time"}
	}
	return derive(o, uint32(total), done, tenantFair, priorityFair), nil
}

func derive(o *StateCounts, total, done uint32, tenantFair, priorityFair []uint32) Counters {
	c := Counters{
		Total: total, Idle: o[tasks.Empty], Drained: done, Unreclaimed: o[tasks.Done],
		Requeued: o[tasks.Requeued], Faulted: o[tasks.Faulted],
	}
	c.Depth = total - c.Idle - c.Unreclaimed
	if total > 0 {
		c.IdlePpm = rate(c.Idle, total, 1_000_000)
		c.FrontierBps = rate(c.Depth, total, 10_000)
		c.OccupancyBps = rate(total-c.Idle, total, 10_000)
	}
	c.TenantTotal, c.TenantSkew = spread(tenantFair)
	c.PriorityTotal, _ = spread(priorityFair)
	return c
}

func rate(part, whole uint32, unit uint64) uint32 { return uint32(uint64(part) * unit / uint64(whole)) }

// spread returns the sum of counters, and the distance between the smallest and largest one in use.
func spread(counters []uint32) (sum uint64, skew uint32) {
	low, high := uint32(math.MaxUint32), uint32(0)
	for _, c := range counters {
		sum += uint64(c)
		if c > 0 {
			low, high = min(low, c), max(high, c)
		}
	}
	if high == 0 {
		return sum, 0
	}
	return sum, high - low
}
