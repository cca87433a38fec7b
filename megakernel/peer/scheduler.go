package peer

import (
	"math"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// Thresholds of the peer's scheduler, in claims.
const (
	StarvationThreshold     = 16 // of higher priorities, before a lower one must be served
	TenantFairnessThreshold = 64 // of one tenant more than of another
)

// DefaultPriorityOffsets divides a ring into the parts of the priorities: a fifth each, and what is left
// over to the normal one. Part p starts at offset p and ends at offset p+1.
func DefaultPriorityOffsets(slots uint32) [tasks.NumPriorities + 1]uint32 {
	var out [tasks.NumPriorities + 1]uint32
	for p := range tasks.NumPriorities {
		size := slots / tasks.NumPriorities
		if tasks.Priority(p) == tasks.Normal {
			size += slots % tasks.NumPriorities
		}
		out[p+1] = out[p] + size
	}
	return out
}

// WriteDefaultPriorityOffsets puts the offsets into a control buffer, which must have all fixed words;
// otherwise nothing is written.
func WriteDefaultPriorityOffsets(control []uint32, slots uint32) error {
	offsets := DefaultPriorityOffsets(slots)
	if _, err := word("control", control, megakernel.CtrlPriorityOffset+uint64(len(offsets))-1); err != nil {
		return err
	}
	copy(control[megakernel.CtrlPriorityOffset:], offsets[:])
	return nil
}

// ProbeCount is the number of slots of a part that a lane looks at when lanes of a width share it.
func ProbeCount(slots, width uint32) uint32 {
	width = max(width, 1)
	return uint32((uint64(slots) + uint64(width) - 1) / uint64(width))
}

// ActiveLanes is the number of lanes that have a slot to look at.
func ActiveLanes(slots, width uint32) uint32 { return min(slots, max(width, 1)) }

// ProbeBudget is the number of looks that all lanes of a width take at a part, saturating.
func ProbeBudget(slots, width uint32) uint32 {
	return uint32(min(uint64(ProbeCount(slots, width))*uint64(ActiveLanes(slots, width)), math.MaxUint32))
}
