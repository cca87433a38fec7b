package tui

import (
	"vyretop/tui/cells"
	"vyretop/tui/pane"
)

// ringMap is the present layout of the map of the ring.
func (m *model) ringMap() pane.RingMap {
	place := pane.MapArea(m.layout().Main)
	return pane.LayRing(&m.ring, len(m.frame().SlotCounts.Codes), place.W, place.H)
}

func (m *model) moveCell(columns, rows int) {
	r := m.ringMap()
	m.ring.Cursor = r.Move(m.ring.Cursor, columns, rows)
}

// zoomFactor is how many times fewer slots a zoom shows.
const zoomFactor = 8

// zoomIn shows the slots around the cursor, down to a slot per cell; the slot itself comes last.
func (m *model) zoomIn() {
	r := m.ringMap()
	if r.Per == 1 {
		m.expanded = !m.expanded
		return
	}
	cells := r.Columns * max(r.Rows, 1)
	m.showSlots(m.ring.Cursor, max(r.Per/zoomFactor, 1)*cells)
}

// zoomOut undoes a zoom, and reports whether there was one.
func (m *model) zoomOut() bool {
	if m.ring.Span == 0 {
		return false
	}
	m.showSlots(m.ring.Cursor, m.ring.Span*zoomFactor)
	return true
}

// showSlots shows span slots around one, starting at a round number; all of them when that is more.
func (m *model) showSlots(around, span int) {
	total := len(m.frame().SlotCounts.Codes)
	if span >= total {
		m.ring.First, m.ring.Span = 0, 0
		return
	}
	first := min(max(around-span/2, 0), total-span)
	m.ring.First, m.ring.Span = first-first%m.ringMap().Columns, span
}

func (m *model) drawRing(a cells.Area) { m.look.DrawRing(a, m.frame(), &m.ring) }

func (m *model) drawSlot(a cells.Area) int {
	r := m.ringMap()
	return m.look.DrawRingDetail(a, m.frame(), &r, &m.ring)
}

// keepCursor keeps the cursor inside of what the ring has.
func (m *model) keepCursor() {
	m.ring.Cursor = min(max(m.ring.Cursor, 0), max(len(m.frame().SlotCounts.Codes)-1, 0))
}
