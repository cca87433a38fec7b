package policy

import (
	"fmt"
	"math"
	"math/bits"

	"vyretop/engine/fault"
)

// Bounds of the rules that take workgroups away.
const (
	memoryCutBps    = 2500 // at the threshold, and again as much at full memory
	sparseMinGroups = 32
)

// plan is what the rules derive on the way to a recommendation.
type plan struct {
	in     inputs
	raw    Topology
	held   bool   // the topology is the one before
	groups uint32 // workgroups asked for after the topology took its share; 0: the default
}

// Recommend shapes a launch. With a previous topology, hysteresis keeps the answer from flapping. It
// allocates nothing unless it fails: with ErrInput on a zero limit, ErrOverflow on a hit
// capacity or peak that cannot be represented, and an error that matches
// engine.ErrDeviceOutOfMemory on a peak above the budget.
func (p *Policy) Recommend(r *Request, previous Topology) (rec Recommendation, err error) {
	var pl plan
	if err := p.plan(&pl, &rec, r, previous); err != nil {
		return Recommendation{}, err
	}
	return rec, nil
}

func (p *Policy) plan(pl *plan, rec *Recommendation, r *Request, previous Topology) (err error) {
	pl.in.derive(p, r)
	pl.raw = p.rawTopology(r, &pl.in)
	rec.Topology = pl.raw
	if pl.held = p.holds(previous, pl.raw, r, &pl.in); pl.held {
		rec.Topology = previous
	}
	if pl.groups, err = p.groups(r, &pl.in, rec.Topology); err != nil {
		return err
	}
	if rec.Groups, err = rec.Geometry.fit(r.QueueLen, pl.groups, &r.Limits); err != nil {
		return err
	}
	rec.Pressure = p.pressure(r, &rec.Geometry)
	rec.PromoteHotOpcodes, rec.PromoteHotWindows = pl.in.hotOpcodes, pl.in.hotWindows
	rec.AgePriorityWork = r.RequeueCount > 0 || r.MaxPriorityAge >= p.PriorityAge
	if r.QueueLen >= p.JitQueueLen || pl.in.hot() || rec.Topology == FusedDense {
		rec.Mode = Jit
	}
	return p.memory(r, &pl.in, rec)
}

// groups is the number of workgroups to ask for.
func (p *Policy) groups(r *Request, in *inputs, topology Topology) (uint32, error) {
	switch {
	case r.Groups <= 1:
	case topology == MemoryConstrained && in.memory > 0:
		keep, err := p.memoryKeepBps(in.memory)
		return max(uint32(uint64(r.Groups)*uint64(keep)/fullBps), 1), err
	case topology == SparseFrontier && r.GraphNodes > 0 && in.density > 0:
		kept := uint64(r.Groups) * uint64(in.density) / uint64(max(p.SparseBps, 1))
		return uint32(min(max(kept, uint64(min(r.Groups, sparseMinGroups))), uint64(r.Groups))), nil
	}
	return r.Groups, nil
}

// memoryKeepBps is the share of workgroups that a memory pressure leaves.
func (p *Policy) memoryKeepBps(memory uint32) (uint32, error) {
	threshold := uint32(p.MemoryBps)
	if threshold > fullBps {
		return 0, &fault.Error{Kind: ErrInput, Detail: fmt.Sprintf("memory_pressure_threshold_bps is %d and was reached, but all of the memory is %d", threshold, fullBps), Fix: "use a threshold of at most 10000"}
	}
	span := fullBps - threshold
	over := min(memory-min(memory, threshold), span)
	return fullBps - (memoryCutBps + over*memoryCutBps/max(span, 1)), nil
}

func (p *Policy) pressure(r *Request, g *Geometry) Pressure {
	lanes := uint64(g.Grid[0]) * uint64(g.WorkgroupSizeX)
	queue := uint64(r.QueueLen)
	switch {
	case queue == 0:
		return NoWork
	case r.RequeueCount > 0 || queue >= product(lanes, uint64(p.SaturatedWaves)):
		return Saturated
	case queue >= lanes:
		return Balanced
	}
	return Light
}

// product is a*b, saturating.
func product(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	if hi > 0 {
		return math.MaxUint64
	}
	return lo
}

// memory computes the hit capacity and the bytes it needs.
func (p *Policy) memory(r *Request, in *inputs, rec *Recommendation) error {
	capacity, err := p.hitCapacity(r, in)
	if err != nil {
		return err
	}
	peak, carry := bits.Add64(r.ResidentDeviceBytes, uint64(capacity)*uint64(p.ScratchBytesPerHit), 0)
	if carry > 0 {
		return overflow("peak of device memory", fmt.Sprintf("%d resident bytes and %d hits of %d bytes", r.ResidentDeviceBytes, capacity, p.ScratchBytesPerHit), 64, "correct resident_device_bytes")
	}
	rec.HitCapacity, rec.PeakBytes, rec.BudgetBytes = capacity, peak, r.DeviceMemoryBudgetBytes
	if r.DeviceMemoryBudgetBytes > 0 && peak > r.DeviceMemoryBudgetBytes {
		return outOfMemory(peak, r.DeviceMemoryBudgetBytes)
	}
	return nil
}

func (p *Policy) hitCapacity(r *Request, in *inputs) (uint32, error) {
	if r.HitCapacity > 0 {
		return r.HitCapacity, nil
	}
	hits := p.expectedHits(r, in)
	if hits > math.MaxUint32 {
		return 0, overflow("hit capacity", fmt.Sprintf("%d tasks, %d hits each, times %d", r.QueueLen, max(r.HitsPerItem, 1), p.HitCapacityMultiplier), 32, "give requested_hit_capacity, lower expected_hits_per_item, or launch over fewer tasks")
	}
	return max(uint32(hits), p.MinHitCapacity), nil
}

// expectedHits is the room that the queue's hits take, more than 32 bits where they do not fit with or
// without the multiplier.
func (p *Policy) expectedHits(r *Request, in *inputs) uint64 {
	hits := uint64(r.QueueLen) * uint64(max(r.HitsPerItem, 1))
	if hits > math.MaxUint32 || in.memory >= uint32(p.MemoryBps) {
		return hits
	}
	return hits * uint64(p.HitCapacityMultiplier)
}
