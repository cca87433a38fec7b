package policy

import (
	"math"

	"vyretop/engine"
)

// Fixed numbers of the sizing rules.
const (
	DefaultWorkers = 64
	MaxGridGroups  = 1024 // workgroups of a computed grid, at most

	groupsPerLimit       = 256 // one default workgroup for enough that the device allows
	manyInvocations      = 4096
	groupsForInvocations = 64
)

// Limits are what a device allows in the x dimension.
type Limits struct {
	MaxWidth       uint32 `json:"max_workgroup_size_x"` // lanes of a workgroup along x
	MaxGroups      uint32 `json:"max_compute_workgroups_per_dimension"`
	MaxInvocations uint32 `json:"max_compute_invocations_per_workgroup"`
}

// check finds the first limit that is zero.
func (l *Limits) check() error {
	const fix = "give the limits that the device reports; vyretop doctor lists them"
	switch {
	case l.MaxWidth == 0:
		return zero("max_workgroup_size_x", fix)
	case l.MaxGroups == 0:
		return zero("max_compute_workgroups_per_dimension", fix)
	case l.MaxInvocations == 0:
		return zero("max_compute_invocations_per_workgroup", fix)
	}
	return nil
}

// DefaultGroups is the number of workgroups to start where the caller asked for no number: what usually
// keeps a device with these limits occupied.
func (l *Limits) DefaultGroups() uint32 {
	groups := min(max(l.MaxGroups/groupsPerLimit, 1), MaxGridGroups)
	if l.MaxInvocations >= manyInvocations {
		groups = max(groups, groupsForInvocations)
	}
	return groups
}

// Width is the number of lanes of a workgroup for a number of workers.
func Width(workers, maxWidth uint32) uint32 { return min(max(workers, 1), max(maxWidth, 1)) }

// PaddedSlots rounds a number of slots up to whole workgroups of width lanes, at least one. Near the
// end of the range it saturates to what fits.
func PaddedSlots(slots, width uint32) uint32 {
	width = max(width, 1)
	groups := max(saturatingAdd(slots, width-1)/width, 1)
	return saturatingMul(groups, width)
}

// Grid is the number of workgroups that cover a queue when each is as wide as the device allows: no
// more than there are workers, at least one.
func Grid(workers, queue, maxWidth uint32) [3]uint32 {
	return grid(max(workers, 1), queue, max(maxWidth, 1))
}

func grid(workers, queue, width uint32) [3]uint32 {
	groups := min(ceilDiv(queue, width), workers, MaxGridGroups)
	return [3]uint32{max(groups, 1), 1, 1}
}

// ceilDiv is n/d rounded up, or down where the sum does not fit: the grids of the peer saturate.
func ceilDiv(n, d uint32) uint32 { return saturatingAdd(n, d-1) / d }

func saturatingAdd(a, b uint32) uint32 {
	return uint32(min(uint64(a)+uint64(b), math.MaxUint32))
}

func saturatingMul(a, b uint32) uint32 {
	return uint32(min(uint64(a)*uint64(b), math.MaxUint32))
}

// MinimumLimits are what every OpenGL 4.5 device allows.
//
// Source: OpenGL 4.5 core specification, table 23.60, implementation dependent compute shader limits.
var MinimumLimits = Limits{MaxWidth: 1024, MaxGroups: 65535, MaxInvocations: 1024}

// LimitsOf are the limits of a device; what it did not report is taken from MinimumLimits.
func LimitsOf(p *engine.DeviceProfile) Limits {
	l := MinimumLimits
	if size, ok := p.MaxWorkgroupSize.Get(); ok {
		l.MaxWidth = size[0]
	}
	if groups, ok := p.MaxWorkgroups.Get(); ok {
		l.MaxGroups = groups[0]
	}
	l.MaxInvocations = p.MaxInvocations.Or(l.MaxInvocations)
	return l
}
