// Package policy decides the shape of a launch: how many workgroups of how many lanes, over how many
// slots, with room for how many hits, interpreted or specialized, and why.
//
// Everything here is a pure function of its arguments: no clock, no cache, no device. Equal requests
// get equal answers, on every machine. The numbers are those of the published peer, so that its
// requests and answers fit.
//
// # Sizing
//
//	width  = clamp(workers, 1, max(max_workgroup_size_x, 1))
//	slots  = max(1, saturating(slots + width - 1) / width) * width, saturating
//	grid   = [min(saturating(queue + width - 1) / width, max(workers, 1), 1024), 1, 1], at least one
//	groups = clamp(max(clamp(max_workgroups / 256, 1, 1024), 64 where a workgroup may have 4096
//	         invocations, else 1), 1, max_workgroups): the default where none are asked for
//
// # Policy
//
// A Policy is a set of thresholds, all rates in basis points (bps, 1/10000). Recommend applies these
// rules in this order:
//
//	density     missing, queue and nodes known: min(queue, nodes) / nodes, between 1 and 10000
//	pressure    missing, budget and residents known: min(resident / budget, 10000)
//	topology    queue 0: Empty. Memory pressure at its threshold: MemoryConstrained. Density at or
//	            below sparse: SparseFrontier. Density at or above dense: FusedDense with nodes, enough
//	            edges and a hot signal, else DenseFrontier. Otherwise HybridFrontier.
//	hysteresis  with a previous topology, one of the last four stays while its inputs are within 250
//	            bps beyond the threshold that it crossed. MemoryConstrained stays likewise. Empty and
//	            MemoryConstrained, where the rules above give them, win.
//	groups      only where more than one is requested: MemoryConstrained keeps 7500 bps of them, falling
//	            to 5000 at full pressure; SparseFrontier with nodes known keeps density/sparse of them, but
//	            not under 32
//	grid        as above; the workgroups asked for are the width, too
//	pressure    Saturated with requeues, or a queue of saturated_waves times the lanes; Balanced from
//	            one lane each; else Light
//	capacity    as requested, or queue * hits per item * multiplier, at least the minimum; the
//	            multiplier does not count where memory is short
//	memory      residents + capacity * scratch bytes; above a known budget an error
//	mode        Jit with a long queue, a hot signal, or FusedDense
//	aging       with requeues, or where a task has waited long
//
// A hot signal is a number of hot opcodes or hot windows at its threshold.
package policy
