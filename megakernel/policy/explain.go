package policy

import (
	"fmt"
	"slices"
)

// Explain is Recommend with the rules that fired, in their order. On an error it returns the reasons of
// the rules up to there.
func (p *Policy) Explain(r *Request, previous Topology) (Recommendation, []Reason, error) {
	var pl plan
	var rec Recommendation
	err := p.plan(&pl, &rec, r, previous)
	e := explainer{p: p, r: r, pl: &pl, rec: &rec}
	e.derived()
	e.topology()
	if pl.held {
		e.hysteresis()
	}
	if rec.Groups == 0 {
		return Recommendation{}, e.reasons, err // a limit is zero, or the policy is impossible
	}
	e.groups()
	e.grid()
	e.pressure()
	e.mode()
	e.aging()
	if rec.HitCapacity > 0 || err == nil {
		e.capacity()
	}
	if err != nil {
		return Recommendation{}, e.reasons, err
	}
	return rec, e.reasons, nil
}

// explainer says which rules made a plan.
type explainer struct {
	p       *Policy
	r       *Request
	pl      *plan
	rec     *Recommendation
	reasons []Reason
	all     []Condition // of the reasons, behind each other in one piece of memory
}

// usual is how many reasons and conditions there are at most as a rule.
const usual = 16

func (e *explainer) add(rule, sets string, to any, conditions ...Condition) {
	if e.reasons == nil {
		e.reasons, e.all = make([]Reason, 0, usual), make([]Condition, 0, usual)
	}
	first := len(e.all)
	e.all = append(e.all, conditions...)
	e.reasons = append(e.reasons, Reason{Rule: rule, Sets: sets, To: fmt.Sprint(to), Conditions: slices.Clip(e.all[first:])})
}

// Subjects.
func (e *explainer) queue() subject { return subject{"queue_len", uint64(e.r.QueueLen)} }
func (e *explainer) nodes() subject { return subject{"graph_node_count", uint64(e.r.GraphNodes)} }
func (e *explainer) edges() subject { return subject{"graph_edge_count", uint64(e.r.GraphEdges)} }
func (e *explainer) density() subject {
	return subject{"frontier_density_bps", uint64(e.pl.in.density)}
}
func (e *explainer) memory() subject   { return subject{"memory_pressure_bps", uint64(e.pl.in.memory)} }
func (e *explainer) requeues() subject { return subject{"requeue_count", e.r.RequeueCount} }
func (e *explainer) age() subject      { return subject{"max_priority_age", uint64(e.r.MaxPriorityAge)} }
func (e *explainer) opcodes() subject  { return subject{"hot_opcode_count", uint64(e.r.HotOpcodes)} }
func (e *explainer) windows() subject  { return subject{"hot_window_count", uint64(e.r.HotWindows)} }
func (e *explainer) asked() subject {
	return subject{"requested_worker_groups", uint64(e.r.Groups)}
}

// Thresholds of several rules.
func (e *explainer) overSparse() Condition {
	return e.density().above("sparse_frontier_threshold_bps", uint64(e.p.SparseBps))
}

func (e *explainer) dense() Condition {
	return e.density().atLeast("dense_frontier_threshold_bps", uint64(e.p.DenseBps))
}

// hot lists the hot signals that are there.
func (e *explainer) hot() []Condition {
	var out []Condition
	if e.pl.in.hotOpcodes {
		out = append(out, e.opcodes().atLeast("hot_opcode_threshold", uint64(e.p.HotOpcodes)))
	}
	if e.pl.in.hotWindows {
		out = append(out, e.windows().atLeast("hot_window_threshold", uint64(e.p.HotWindows)))
	}
	return out
}

// fusable lists what FusedDense needs besides density.
func (e *explainer) fusable() []Condition {
	return append([]Condition{
		e.nodes().above("", 0), e.edges().atLeast("fusion_edge_threshold", uint64(e.p.FusionEdges)),
	}, e.hot()...)
}

func (e *explainer) derived() {
	if e.pl.in.derivedDensity {
		e.add("density.derived", "frontier_density_bps", e.pl.in.density, e.queue().above("", 0), e.nodes().above("", 0))
	}
	if e.pl.in.derivedMemory {
		e.add("memory.derived", "memory_pressure_bps", e.pl.in.memory,
			subject{"resident_device_bytes", e.r.ResidentDeviceBytes}.above("", 0),
			subject{"device_memory_budget_bytes", e.r.DeviceMemoryBudgetBytes}.above("", 0))
	}
}

func (e *explainer) topology() {
	raw := func(rule string, conditions ...Condition) {
		e.add("topology."+rule, "topology", e.pl.raw, conditions...)
	}
	switch e.pl.raw {
	case Empty:
		raw("empty", e.queue().is(""))
	case MemoryConstrained:
		raw("memory", e.memory().atLeast("memory_pressure_threshold_bps", uint64(e.p.MemoryBps)))
	case SparseFrontier:
		raw("sparse", e.density().atMost("sparse_frontier_threshold_bps", uint64(e.p.SparseBps)))
	case HybridFrontier:
		raw("hybrid", e.overSparse(), e.density().below("dense_frontier_threshold_bps", uint64(e.p.DenseBps)))
	case FusedDense:
		raw("fused", append([]Condition{e.dense()}, e.fusable()...)...)
	case DenseFrontier:
		raw("dense", append([]Condition{e.dense()}, e.notFusable()...)...)
	}
}

// notFusable is the first thing that FusedDense lacks.
func (e *explainer) notFusable() []Condition {
	switch {
	case e.r.GraphNodes == 0:
		return []Condition{e.nodes().is("")}
	case e.r.GraphEdges < e.p.FusionEdges:
		return []Condition{e.edges().below("fusion_edge_threshold", uint64(e.p.FusionEdges))}
	}
	return e.cold()
}

// cold says that no signal is hot.
func (e *explainer) cold() []Condition {
	return []Condition{
		e.opcodes().below("hot_opcode_threshold", uint64(e.p.HotOpcodes)),
		e.windows().below("hot_window_threshold", uint64(e.p.HotWindows)),
	}
}

func (e *explainer) hysteresis() {
	held := func(conditions ...Condition) {
		e.add("hysteresis", "topology", e.rec.Topology, conditions...)
	}
	sparse, dense := "sparse_frontier_threshold_bps", "dense_frontier_threshold_bps"
	switch e.rec.Topology {
	case MemoryConstrained:
		held(e.memory().atLeast("memory_pressure_threshold_bps - 250", uint64(below(e.p.MemoryBps))))
	case SparseFrontier:
		held(e.density().atMost(sparse+" + 250", uint64(above(e.p.SparseBps))))
	case HybridFrontier:
		if e.pl.raw == SparseFrontier {
			held(e.density().atLeast(sparse+" - 250", uint64(below(e.p.SparseBps))))
		} else {
			held(e.density().atMost(dense+" + 250", uint64(above(e.p.DenseBps))))
		}
	case DenseFrontier:
		held(e.density().atLeast(dense+" - 250", uint64(below(e.p.DenseBps))))
	case FusedDense:
		held(append([]Condition{e.density().atLeast(dense+" - 250", uint64(below(e.p.DenseBps)))}, e.fusable()...)...)
	}
}

func (e *explainer) groups() {
	asked, kept := e.r.Groups, e.pl.groups
	switch {
	case asked == 0:
		e.add("groups.default", "worker_groups", e.r.DefaultGroups(), e.asked().is(""))
	case asked > 1 && e.rec.Topology == MemoryConstrained && e.pl.in.memory > 0:
		e.add("groups.memory", "worker_groups", kept, e.asked().above("memory_share", uint64(kept)), e.memory().above("", 0))
	case asked > 1 && e.rec.Topology == SparseFrontier && kept < asked:
		e.add("groups.sparse", "worker_groups", kept, e.asked().above("sparse_share", uint64(kept)), e.density().above("", 0))
	default:
		e.add("groups.requested", "worker_groups", asked, e.asked().above("", 0))
	}
	want := max(kept, 1)
	if asked == 0 {
		want = e.r.DefaultGroups()
	}
	if want > e.r.MaxGroups {
		e.add("groups.limit", "worker_groups", e.rec.Groups, subject{"worker_groups", uint64(want)}.above("max_compute_workgroups_per_dimension", uint64(e.r.MaxGroups)))
	}
}

func (e *explainer) grid() {
	g, groups := &e.rec.Geometry, subject{"worker_groups", uint64(e.rec.Groups)}
	if e.rec.Groups > e.r.MaxWidth {
		e.add("width.limit", "workgroup_size_x", g.WorkgroupSizeX, groups.above("max_workgroup_size_x", uint64(e.r.MaxWidth)))
	} else {
		e.add("width.groups", "workgroup_size_x", g.WorkgroupSizeX, groups.atMost("max_workgroup_size_x", uint64(e.r.MaxWidth)))
	}
	cover := subject{"covering_worker_groups", uint64(ceilDiv(e.r.QueueLen, g.WorkgroupSizeX))}
	limit, name := uint64(e.rec.Groups), "worker_groups"
	if limit > MaxGridGroups {
		limit, name = MaxGridGroups, "max_grid_groups"
	}
	if cover.value > limit {
		e.add("grid.limit", "dispatch_grid", g.Grid[0], cover.above(name, limit))
	} else {
		e.add("grid.cover", "dispatch_grid", g.Grid[0], cover.atMost(name, limit))
	}
}

func (e *explainer) pressure() {
	set := func(rule string, conditions ...Condition) {
		e.add("pressure."+rule, "pressure", e.rec.Pressure, conditions...)
	}
	g := &e.rec.Geometry
	lanes := uint64(g.Grid[0]) * uint64(g.WorkgroupSizeX)
	switch e.rec.Pressure {
	case NoWork:
		set("empty", e.queue().is(""))
	case Light:
		set("light", e.queue().below("lanes", lanes))
	case Balanced:
		set("balanced", e.queue().atLeast("lanes", lanes), e.queue().below("lanes * saturated_waves", product(lanes, uint64(e.p.SaturatedWaves))))
	case Saturated:
		if e.r.RequeueCount > 0 {
			set("requeues", e.requeues().above("", 0))
		} else {
			set("saturated", e.queue().atLeast("lanes * saturated_waves", product(lanes, uint64(e.p.SaturatedWaves))))
		}
	}
}

func (e *explainer) mode() {
	set := func(rule string, mode Mode, conditions ...Condition) {
		e.add("mode."+rule, "execution_mode", mode, conditions...)
	}
	threshold, bound := "jit_queue_len_threshold", uint64(e.p.JitQueueLen)
	if e.r.QueueLen >= e.p.JitQueueLen {
		set("queue", Jit, e.queue().atLeast(threshold, bound))
	}
	if e.pl.in.hot() {
		set("hot", Jit, e.hot()...)
	}
	if e.rec.Mode == Interpreter {
		set("interpreter", Interpreter, append([]Condition{e.queue().below(threshold, bound)}, e.cold()...)...)
	}
	promotes := map[string]string{"hot_opcode_count": "promote_hot_opcodes", "hot_window_count": "promote_hot_windows"}
	for _, c := range e.hot() {
		e.add("promote."+c.Input, promotes[c.Input], true, c)
	}
}

func (e *explainer) aging() {
	if e.r.RequeueCount > 0 {
		e.add("aging.requeues", "age_priority_work", true, e.requeues().above("", 0))
	}
	if e.r.MaxPriorityAge >= e.p.PriorityAge {
		e.add("aging.age", "age_priority_work", true, e.age().atLeast("priority_age_threshold", uint64(e.p.PriorityAge)))
	}
}

func (e *explainer) capacity() {
	capacity := e.rec.HitCapacity
	requested := subject{"requested_hit_capacity", uint64(e.r.HitCapacity)}
	memory := e.memory()
	switch hits := (subject{"expected_hits", e.p.expectedHits(e.r, &e.pl.in)}); {
	case e.r.HitCapacity > 0:
		e.add("capacity.requested", "hit_capacity", capacity, requested.above("", 0))
	case hits.value < uint64(e.p.MinHitCapacity):
		e.add("capacity.minimum", "hit_capacity", capacity, hits.below("min_hit_capacity", uint64(e.p.MinHitCapacity)))
	default:
		e.add("capacity.computed", "hit_capacity", capacity, hits.atLeast("min_hit_capacity", uint64(e.p.MinHitCapacity)))
	}
	if e.r.HitCapacity == 0 && e.pl.in.memory >= uint32(e.p.MemoryBps) {
		e.add("capacity.no_multiplier", "hit_capacity_multiplier", 1, memory.atLeast("memory_pressure_threshold_bps", uint64(e.p.MemoryBps)))
	}
	peak := subject{"estimated_peak_device_bytes", e.rec.PeakBytes}
	switch budget := e.r.DeviceMemoryBudgetBytes; {
	case budget == 0:
		e.add("memory.no_budget", peak.name, peak.value, subject{"device_memory_budget_bytes", 0}.is(""))
	case peak.value > budget:
		e.add("memory.over_budget", peak.name, peak.value, peak.above("device_memory_budget_bytes", budget))
	default:
		e.add("memory.within_budget", peak.name, peak.value, peak.atMost("device_memory_budget_bytes", budget))
	}
}
