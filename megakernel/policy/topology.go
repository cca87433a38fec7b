package policy

import "math/bits"

// Basis points.
const (
	fullBps       = 10_000
	HysteresisBps = 250 // how far beyond a threshold a topology stays
)

// inputs are the parts of a request that the topology depends on, with missing rates derived.
type inputs struct {
	density, memory uint32 // bps
	derivedDensity  bool
	derivedMemory   bool
	hotOpcodes      bool
	hotWindows      bool
}

// derive fills in from r. Like the other steps of a plan it writes through a pointer: returning the
// struct costs more than computing it.
func (in *inputs) derive(p *Policy, r *Request) {
	in.density, in.memory = uint32(r.FrontierDensityBps), uint32(r.MemoryPressureBps)
	in.hotOpcodes, in.hotWindows = r.HotOpcodes >= p.HotOpcodes, r.HotWindows >= p.HotWindows
	if in.density == 0 && r.QueueLen > 0 && r.GraphNodes > 0 {
		in.density, in.derivedDensity = max(rateBps(uint64(r.QueueLen), uint64(r.GraphNodes)), 1), true
	}
	if in.memory == 0 && r.DeviceMemoryBudgetBytes > 0 && r.ResidentDeviceBytes > 0 {
		in.memory, in.derivedMemory = rateBps(r.ResidentDeviceBytes, r.DeviceMemoryBudgetBytes), true
	}
}

// hot reports a hot signal.
func (in *inputs) hot() bool { return in.hotOpcodes || in.hotWindows }

// fusable reports whether the edges and the hot signal allow FusedDense.
func (p *Policy) fusable(r *Request, in *inputs) bool {
	return r.GraphNodes > 0 && r.GraphEdges >= p.FusionEdges && in.hot()
}

// rawTopology is the topology without a look at the one before.
func (p *Policy) rawTopology(r *Request, in *inputs) Topology {
	switch {
	case r.QueueLen == 0:
		return Empty
	case in.memory >= uint32(p.MemoryBps):
		return MemoryConstrained
	case in.density <= uint32(p.SparseBps):
		return SparseFrontier
	case in.density < uint32(p.DenseBps):
		return HybridFrontier
	case p.fusable(r, in):
		return FusedDense
	}
	return DenseFrontier
}

// holds reports whether the topology before stays although the thresholds now give raw.
func (p *Policy) holds(previous, raw Topology, r *Request, in *inputs) bool {
	if raw == Empty || raw == MemoryConstrained || raw == previous {
		return false
	}
	switch previous {
	case MemoryConstrained:
		return in.memory >= below(p.MemoryBps)
	case SparseFrontier:
		return in.density <= above(p.SparseBps)
	case HybridFrontier:
		if raw == SparseFrontier {
			return in.density >= below(p.SparseBps)
		}
		return in.density <= above(p.DenseBps)
	case DenseFrontier:
		return raw == HybridFrontier && in.density >= below(p.DenseBps)
	case FusedDense:
		return raw == HybridFrontier && in.density >= below(p.DenseBps) && p.fusable(r, in)
	}
	return false
}

// below and above are the edges of the band around a threshold, within 16 bits.
func below(threshold uint16) uint32 { return uint32(max(threshold, HysteresisBps) - HysteresisBps) }
func above(threshold uint16) uint32 { return min(uint32(threshold)+HysteresisBps, 1<<16-1) }

// rateBps is part of whole in basis points, at most all of it; whole is not 0.
func rateBps(part, whole uint64) uint32 {
	part = min(part, whole)
	if part < 1<<50 { // a plain division is several times faster than a wide one
		return uint32(part * fullBps / whole)
	}
	hi, lo := bits.Mul64(part, fullBps)
	rate, _ := bits.Div64(hi, lo, whole) // hi < whole, because part <= whole and fullBps < 2^64
	return uint32(rate)
}
