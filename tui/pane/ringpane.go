package pane

import (
	tea "charm.land/bubbletea/v2"

	"vyretop/tasks"
	"vyretop/tui/cells"
	"vyretop/tui/keymap"
	"vyretop/tui/layout"
)

var ringView = Kind{
	Spec: keymap.Spec{
		View: keymap.Ring, Digit: "4", Traits: keymap.Cells | keymap.SlotCells | keymap.HasModes | keymap.OwnEnter,
		Keys: []keymap.OwnKey{{After: keymap.Details, Binding: keymap.Binding{
			ID: keymap.Zoom, Keys: []string{"enter", "e"}, Source: keymap.Any, Section: keymap.TableSection, Short: "zoom", Help: "fewer slots, each larger; at last the slot in full",
		}}},
	},
	New: newRingPane, Want: layout.Want{Detail: true}, Head: RingHead, Flat: true, Text: true, Command: "words",
}

// RingPane is the map of the ring, and what of it is shown.
type RingPane struct {
	*Env
	RingState

	table *Table
	spec  Spec
}

func newRingPane(e *Env, k *Kind) Pane {
	p := &RingPane{Env: e, table: rowless(e, keymap.Ring)}
	p.spec = Spec{
		Kind: k, Of: func() uint64 { return uint64(p.Cursor) },
		Detail: func(a cells.Area) int {
			r := p.Map()
			return e.Look.DrawRingDetail(a, e.Frame(), &r, &p.RingState)
		},
		Options: func() []string { return []string{"--buffer", RingBuffer.String()} },
		Page:    func(place cells.Rect) int { return MapArea(place).H },
		Vary:    func() { p.ByPriority = !p.ByPriority },
		Back:    p.zoomOut,
		Track:   func() (Track, bool) { return slotTrack(p.Cursor), true },
		Task:    p.task,
		Source:  func() bool { return p.hasSource(p.task) },
		Hooks: Hooks{Settle: func() {
			p.Cursor = min(max(p.Cursor, 0), max(len(e.Frame().SlotCounts.Codes)-1, 0))
		}},
	}
	return p
}

// rowless is the table of a pane that has none.
func rowless(e *Env, v keymap.View) *Table {
	return &Table{Env: e, View: v, Make: func() Rows { return NoRows{} }}
}

// Spec implements Pane.
func (p *RingPane) Spec() *Spec { return &p.spec }

// Table implements Pane.
func (p *RingPane) Table() *Table { return p.table }

// Draw implements Pane.
func (p *RingPane) Draw(a cells.Area) { p.Look.DrawRing(a, p.Frame(), &p.RingState) }

// Map is the present layout of the slots.
func (p *RingPane) Map() RingMap {
	place := MapArea(p.Place())
	return LayRing(&p.RingState, len(p.Frame().SlotCounts.Codes), place.W, place.H)
}

// Move implements Pane.
func (p *RingPane) Move(columns, rows int) {
	r := p.Map()
	p.Cursor = r.Move(p.Cursor, columns, rows)
}

// Jump implements Pane.
func (p *RingPane) Jump(last bool) {
	r := p.Map()
	p.Cursor = r.First
	if last {
		p.Cursor = max(r.First+r.Slots-1, r.First)
	}
}

// zoomFactor is how many times fewer slots a zoom shows.
const zoomFactor = 8

// Enter implements Pane: it shows the slots around the cursor, down to a slot per cell; the slot itself comes last.
func (p *RingPane) Enter() bool {
	r := p.Map()
	if r.Per == 1 {
		return p.openSource(p.task)
	}
	p.showSlots(p.Cursor, max(r.Per/zoomFactor, 1)*r.Columns*max(r.Rows, 1))
	return true
}

// task is that in the slot under the cursor; none where a cell stands for several slots.
func (p *RingPane) task() (id uint32, ok bool) {
	s := p.Frame().Snap
	if r := p.Map(); s == nil || p.Cursor >= s.NumSlots() || r.Per > 1 {
		return 0, false
	}
	w := s.Slot(p.Cursor)
	return w[tasks.WordTaskID], tasks.State(w[tasks.WordState]) != tasks.Empty
}

// zoomOut undoes a zoom, and reports whether there was one.
func (p *RingPane) zoomOut() bool {
	if p.Span == 0 {
		return false
	}
	p.showSlots(p.Cursor, p.Span*zoomFactor)
	return true
}

// showSlots shows span slots around one, starting at a round number; all of them when that is more.
func (p *RingPane) showSlots(around, span int) {
	total := len(p.Frame().SlotCounts.Codes)
	if span >= total {
		p.First, p.RingState.Span = 0, 0
		return
	}
	first := min(max(around-span/2, 0), total-span)
	p.First, p.RingState.Span = first-first%p.Map().Columns, span
}

// Click implements Pane: it selects the slot under the pointer.
func (p *RingPane) Click(place cells.Rect, at tea.Mouse) (key uint64, ok bool) {
	place = MapArea(place)
	r := p.Map()
	slot, ok := r.At(at.X-place.X, at.Y-place.Y)
	if ok {
		p.Cursor = slot
	}
	return uint64(slot), ok
}
