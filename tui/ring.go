package tui

import (
	"vyretop/tui/cells"
	"vyretop/tui/pane"
)

// ring is the map of the ring, and what of it is shown.
type ring struct {
	*shared
	pane.RingState

	shell *model
}

// ringMap is the present layout of the map of the ring.
func (rp *ring) ringMap() pane.RingMap {
	place := pane.MapArea(rp.shell.layout().Main)
	return pane.LayRing(&rp.RingState, len(rp.frame().SlotCounts.Codes), place.W, place.H)
}

func (rp *ring) moveCell(columns, rows int) {
	r := rp.ringMap()
	rp.Cursor = r.Move(rp.Cursor, columns, rows)
}

// zoomFactor is how many times fewer slots a zoom shows.
const zoomFactor = 8

// zoomIn shows the slots around the cursor, down to a slot per cell; the slot itself comes last.
func (rp *ring) zoomIn() {
	r := rp.ringMap()
	if r.Per == 1 {
		rp.shell.expanded = !rp.shell.expanded
		return
	}
	cells := r.Columns * max(r.Rows, 1)
	rp.showSlots(rp.Cursor, max(r.Per/zoomFactor, 1)*cells)
}

// zoomOut undoes a zoom, and reports whether there was one.
func (rp *ring) zoomOut() bool {
	if rp.Span == 0 {
		return false
	}
	rp.showSlots(rp.Cursor, rp.Span*zoomFactor)
	return true
}

// showSlots shows span slots around one, starting at a round number; all of them when that is more.
func (rp *ring) showSlots(around, span int) {
	total := len(rp.frame().SlotCounts.Codes)
	if span >= total {
		rp.First, rp.Span = 0, 0
		return
	}
	first := min(max(around-span/2, 0), total-span)
	rp.First, rp.Span = first-first%rp.ringMap().Columns, span
}

func (rp *ring) drawRing(a cells.Area) { rp.look.DrawRing(a, rp.frame(), &rp.RingState) }

func (rp *ring) drawSlot(a cells.Area) int {
	r := rp.ringMap()
	return rp.look.DrawRingDetail(a, rp.frame(), &r, &rp.RingState)
}

// keepCursor keeps the cursor inside of what the ring has.
func (rp *ring) keepCursor() {
	rp.Cursor = min(max(rp.Cursor, 0), max(len(rp.frame().SlotCounts.Codes)-1, 0))
}
