package stats

import (
	"cmp"
	"slices"

	"vyretop/tasks"
)

// Window is a group of slots with one ticket and opcode.
type Window struct {
	Ticket    uint32
	Opcode    uint32
	Tenant    uint32 // of its first slot
	Required  uint32 // slots that are a required part
	Lookahead uint32 // slots that are read ahead
	States    StateCounts
}

// Slots is the number of its slots.
func (w *Window) Slots() uint64 { return w.States.total() }

// Active reports whether some slot has not ended.
func (w *Window) Active() bool {
	return w.States[tasks.Ready]+w.States[tasks.Running]+w.States[tasks.Paused]+w.States[tasks.Yielded]+w.States[tasks.Requeued] > 0
}

// Arguments of a slot that is part of a window.
const (
	wordTicket = tasks.WordArg0
	wordPart   = tasks.WordArg0 + 1

	partRequired  = 0
	partLookahead = 1
)

// grouper finds the window of a slot: an open hash table of indices into the windows, and a filter
// that tells most slots of other opcodes by one bit.
type grouper struct {
	opcodes []uint32 // sorted
	filter  uint64   // bit n: some opcode is n modulo 64
	table   []int32  // index+1 of a window, a power of two of entries
	last    int      // window of the slot before
}

const golden = 0x9E3779B97F4A7C15

func newGrouper(opcodes []uint32) grouper {
	g := grouper{opcodes: slices.Compact(slices.Sorted(slices.Values(opcodes)))}
	for _, op := range g.opcodes {
		g.filter |= 1 << (op % 64)
	}
	return g
}

// reset forgets the windows of the ring before.
func (g *grouper) reset() {
	clear(g.table)
	g.last = -1
}

// addAll counts whole slots in their windows.
func (g *grouper) addAll(windows []Window, slots []uint32) []Window {
	for ; len(slots) >= tasks.SlotWords; slots = slots[tasks.SlotWords:] {
		if g.filter>>(slots[tasks.WordOpcode]%64)&1 != 0 {
			windows = g.add(windows, (*[tasks.SlotWords]uint32)(slots))
		}
	}
	return windows
}

// add counts a slot in its window, a new one where there is none; a slot whose opcode is not one of
// windows is left out.
func (g *grouper) add(windows []Window, w *[tasks.SlotWords]uint32) []Window {
	ticket, opcode := w[wordTicket], w[tasks.WordOpcode]
	if g.last < 0 || windows[g.last].Ticket != ticket || windows[g.last].Opcode != opcode {
		if _, found := slices.BinarySearch(g.opcodes, opcode); !found {
			return windows
		}
		windows = g.find(windows, ticket, opcode, w[tasks.WordTenant])
	}
	win := &windows[g.last]
	win.States[min(w[tasks.WordState], UnknownState)]++
	switch w[wordPart] {
	case partRequired:
		win.Required++
	case partLookahead:
		win.Lookahead++
	}
	return windows
}

// find sets last to the window of a ticket and opcode.
func (g *grouper) find(windows []Window, ticket, opcode, tenant uint32) []Window {
	if 2*len(windows) >= len(g.table) {
		g.grow(windows)
	}
	at := g.home(ticket, opcode)
	for ; g.table[at] != 0; at = (at + 1) & (len(g.table) - 1) {
		if g.last = int(g.table[at]) - 1; windows[g.last].Ticket == ticket && windows[g.last].Opcode == opcode {
			return windows
		}
	}
	windows = append(windows, Window{Ticket: ticket, Opcode: opcode, Tenant: tenant})
	g.last = len(windows) - 1
	g.table[at] = int32(len(windows))
	return windows
}

func (g *grouper) home(ticket, opcode uint32) int {
	return int((uint64(ticket)<<32|uint64(opcode))*golden>>32) & (len(g.table) - 1)
}

// grow doubles the table and enters the windows again.
func (g *grouper) grow(windows []Window) {
	g.table = make([]int32, max(2*len(g.table), 64))
	for i := range windows {
		at := g.home(windows[i].Ticket, windows[i].Opcode)
		for g.table[at] != 0 {
			at = (at + 1) & (len(g.table) - 1)
		}
		g.table[at] = int32(i + 1)
	}
}

// sortWindows puts windows into the order of ticket and opcode.
func sortWindows(windows []Window) {
	slices.SortFunc(windows, func(a, b Window) int {
		return cmp.Or(cmp.Compare(a.Ticket, b.Ticket), cmp.Compare(a.Opcode, b.Opcode))
	})
}
