package policy

import (
	"fmt"
	"math"
	"time"

	"vyretop/engine"
	"vyretop/engine/fault"
)

// Geometry is the shape of a launch: lanes of a workgroup, slots padded to whole workgroups, and
// workgroups along x, y and z.
type Geometry struct {
	WorkgroupSizeX uint32    `json:"workgroup_size_x"`
	SlotCount      uint32    `json:"slot_count"`
	Grid           [3]uint32 `json:"dispatch_grid"`
}

// GeometryForSlots shapes a launch over a number of slots.
func GeometryForSlots(slots, workers, maxWidth uint32) Geometry {
	width := Width(workers, maxWidth)
	padded := PaddedSlots(slots, width)
	return Geometry{WorkgroupSizeX: width, SlotCount: padded, Grid: grid(max(workers, 1), padded, width)}
}

// GeometryForItems shapes a launch that has a slot for every item. Items that do not fit the slots
// that 32 bits can number, padding included, are ErrOverflow.
func GeometryForItems(items uint64, workers, maxWidth uint32) (Geometry, error) {
	g := GeometryForSlots(uint32(min(items, math.MaxUint32)), workers, maxWidth)
	if items > uint64(g.SlotCount) {
		return Geometry{}, overflow("slot count", fmt.Sprintf("%d items in workgroups of %d", items, g.WorkgroupSizeX), 32, "submit the items in several launches")
	}
	return g, nil
}

// CoveringGroups is the number of workgroups that visits every slot once.
func (g *Geometry) CoveringGroups() (uint32, error) {
	if g.WorkgroupSizeX == 0 {
		return 0, zero("workgroup_size_x", "use at least one lane")
	}
	return g.SlotCount / g.WorkgroupSizeX, nil
}

// GroupsForSlots is the number of workgroups of a ring: its slots must be a non-zero multiple of the
// width.
func GroupsForSlots(slots, width uint32) (uint32, error) {
	switch {
	case width == 0:
		return 0, zero("workgroup_size_x", "use at least one lane")
	case slots == 0:
		return 0, zero("slot_count", "make a ring of at least one workgroup's slots")
	case slots%width != 0:
		return 0, &fault.Error{Kind: ErrInput, Detail: fmt.Sprintf("slot_count %d is not a multiple of workgroup_size_x %d", slots, width), Fix: "round the ring up with PaddedSlots"}
	}
	return slots / width, nil
}

// OptimalGrid shapes a launch for a queue within a device's limits. Zero workgroups asked for means
// the default for these limits. It returns the workgroups, too, which are also the wanted width. A
// limit of zero is ErrInput.
func OptimalGrid(queue, groups uint32, limits *Limits) (Geometry, uint32, error) {
	var g Geometry
	groups, err := g.fit(queue, groups, limits)
	return g, groups, err
}

func (g *Geometry) fit(queue, groups uint32, limits *Limits) (uint32, error) {
	if err := limits.check(); err != nil {
		return 0, err
	}
	if groups == 0 {
		groups = limits.DefaultGroups()
	}
	groups = max(min(groups, limits.MaxGroups), 1)
	g.WorkgroupSizeX = Width(groups, limits.MaxWidth)
	g.SlotCount = PaddedSlots(max(queue, 1), g.WorkgroupSizeX)
	g.Grid = grid(groups, queue, g.WorkgroupSizeX)
	return groups, nil
}

// DispatchConfig is the dispatch that has this shape.
func (g *Geometry) DispatchConfig(timeout time.Duration) engine.DispatchConfig {
	return engine.DispatchConfig{
		Timeout: timeout, Grid: g.Grid, WorkgroupOverride: engine.Known([3]uint32{g.WorkgroupSizeX, 1, 1}),
	}
}
