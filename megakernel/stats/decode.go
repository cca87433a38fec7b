package stats

import (
	"fmt"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/policy"
	"vyretop/tasks"
)

// Reading is what a Decoder read. Slots stay in the ring: see Slot.
type Reading struct {
	Control   megakernel.Control
	Occupancy StateCounts
	Windows   []Window // by ticket and opcode
	Counters  Counters
	Ring      []uint32 // the words given to Decode
}

// Slot is a slot as an inspector lists it.
type Slot struct {
	State  uint32 // tasks.State, or any other word
	Tenant uint32
	Opcode uint32
	Args   [3]uint32 // the first ones
}

// Slots is the number of slots.
func (r *Reading) Slots() int { return len(r.Ring) / tasks.SlotWords }

// Slot reads slot i, which is below Slots.
func (r *Reading) Slot(i int) Slot {
	w := r.Ring[i*tasks.SlotWords:][:tasks.SlotWords]
	return Slot{State: w[tasks.WordState], Tenant: w[tasks.WordTenant], Opcode: w[tasks.WordOpcode], Args: [3]uint32(w[tasks.WordArg0:])}
}

// Active reports whether the slot holds work that has not ended.
func (s *Slot) Active() bool {
	state := tasks.State(s.State)
	return s.State < UnknownState && state != tasks.Empty && !state.Terminal()
}

// Accounting is what the reading says about requeues, for drain advice: the slots that are requeued now.
func (r *Reading) Accounting() policy.Accounting {
	return policy.Accounting{Requeues: uint64(r.Counters.Requeued)}
}

// ActiveWindows is the number of windows with work left.
func (r *Reading) ActiveWindows() int {
	n := 0
	for i := range r.Windows {
		if r.Windows[i].Active() {
			n++
		}
	}
	return n
}

// Decoder decodes readings. The zero Decoder makes no windows. It is not safe for concurrent use.
type Decoder struct{ windows grouper }

// NewDecoder makes a decoder that groups the slots of the given opcodes into windows.
func NewDecoder(windowOpcodes []uint32) *Decoder {
	return &Decoder{windows: newGrouper(windowOpcodes)}
}

// Decode reads a control buffer and a ring into r, whose memory it reuses. Control needs all fixed
// words, the ring whole slots: megakernel.ErrFormat otherwise. Slots may hold anything.
func (d *Decoder) Decode(r *Reading, control, ring []uint32) error {
	if err := r.Control.Decode(control); err != nil {
		return err
	}
	if err := checkRing(ring); err != nil {
		return err
	}
	d.windows.reset()
	r.Ring = ring
	r.Occupancy, r.Windows = scan(ring, &d.windows, r.Windows[:0])
	sortWindows(r.Windows)
	var err error
	r.Counters, err = Derive(&r.Occupancy, r.Control.DoneCount, r.Control.TenantFair[:], r.Control.PriorityFair[:])
	return err
}

func checkRing(ring []uint32) error {
	if len(ring)%tasks.SlotWords == 0 {
		return nil
	}
	return &fault.Error{Kind: megakernel.ErrFormat, Subject: fmt.Sprintf("ring buffer, word %d", len(ring)), Detail: fmt.Sprintf("%d words are no whole number of %d-word slots", len(ring), tasks.SlotWords), Fix: "read whole slots"}
}

// hotWindowSlots is the number of slots from which on a window is hot.
const hotWindowSlots = 4

// Feed puts a reading into a launch request: what is hot, and the requeued slots on top. It says nothing of a graph: the
// slots of a ring are not the nodes of one, and queued tasks are not edges.
func (r *Reading) Feed(to *policy.Request) {
	to.HotOpcodes, to.HotWindows = 0, 0
	for _, n := range r.Control.Metrics {
		if n > 0 {
			to.HotOpcodes++
		}
	}
	for i := range r.Windows {
		if r.Windows[i].Slots() >= hotWindowSlots {
			to.HotWindows++
		}
	}
	to.RequeueCount += uint64(r.Counters.Requeued)
}

// FeedGraph puts what the workload itself says of its graph into a launch request.
func FeedGraph(g megakernel.Graph, to *policy.Request) {
	if g.Known() {
		to.GraphNodes, to.GraphEdges, to.FrontierDensityBps = g.Nodes, g.Edges, g.DensityBps()
	}
}

// FeedPeer is Feed with the graph that the published peer takes a ring for: at least as many nodes as there are slots and
// edges as tasks are queued, and the density of the frontier where the request has none.
func (r *Reading) FeedPeer(to *policy.Request) {
	to.GraphNodes, to.GraphEdges = max(to.GraphNodes, r.Counters.Total), max(to.GraphEdges, r.Counters.Depth)
	if to.FrontierDensityBps == 0 {
		to.FrontierDensityBps = uint16(r.Counters.FrontierBps)
	}
	r.Feed(to)
}
