package health

import (
	"cmp"
	"fmt"
	"slices"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// WaitKind says what tasks wait for.
type WaitKind string

// The kinds of wait; the package comment explains them.
const (
	ForEpoch   WaitKind = "epoch"
	ForMissed  WaitKind = "missed"
	ForCommand WaitKind = "command"
	ForBreak   WaitKind = "breakpoint"
	ForTenant  WaitKind = "tenant"
	ForQuota   WaitKind = "quota"
	ForIO      WaitKind = "io"
	ForOutput  WaitKind = "output"
	ForInput   WaitKind = "input"
	ForSlot    WaitKind = "slot"
	ForWorkers WaitKind = "workers"
	ForTurn    WaitKind = "starved"
	ForItself  WaitKind = "cycle"
)

// Wait is what a number of tasks wait for: an edge of the wait-for graph from slots to a word.
type Wait struct {
	Kind  WaitKind
	Word  string // the word that would let them continue, such as control.epoch; slot.… is one of each slot
	Value uint32 // what it holds
	Needs string // what it would have to hold, or what has to happen, in words
	Count int    // tasks
	Slots []int  // of the first MaxSlots of them, in order
	Tasks []uint32
}

// MaxSlots bounds the slots that a Wait lists.
const MaxSlots = 8

// edge is what makes two waits the same.
type edge struct {
	kind  WaitKind
	word  string
	needs string
}

// graph collects waits by edge.
type graph map[edge]*Wait

func (g graph) add(e edge, value uint32, slot int, task uint32) {
	w := g[e]
	if w == nil {
		w = &Wait{Kind: e.kind, Word: e.word, Value: value, Needs: e.needs}
		g[e] = w
	}
	w.Count++
	if len(w.Slots) < MaxSlots {
		w.Slots = append(w.Slots, slot)
		w.Tasks = append(w.Tasks, task)
	}
}

// explainTasks finds what every task waits for, and whether something may happen without the host.
func (v *view) explainTasks() []Wait {
	g := graph{}
	starved := starved(v.now, v.before)
	for i := range v.now.NumSlots() {
		t := tasks.FromWords(v.now.Slot(i))
		e, value := edge{}, uint32(0)
		switch {
		case t.State == tasks.Paused:
			e, value = v.paused(i, &t)
		case t.State.Schedulable():
			e, value = v.unserved(&t, starved)
		case t.State == tasks.Running:
			v.alive = v.alive || v.claimers > 0 || len(v.workers) == 0
			if v.kind == RingFull { // the verdict counts it, too
				e = edge{ForSlot, freeSlots, "at least 1"}
			}
		}
		if e.kind != "" {
			g.add(e, value, i, t.TaskID)
		}
	}
	for _, c := range cycles(v.now) {
		g.add(edge{ForItself, "slot.parent_task_id", "no descendant of its own"}, c.parent, c.slot, c.task)
	}
	out := make([]Wait, 0, len(g))
	for _, w := range g {
		out = append(out, *w)
	}
	rank := func(w *Wait) int {
		if w.Kind == culprits[v.kind] {
			return 0
		}
		return 1
	}
	slices.SortFunc(out, func(a, b Wait) int {
		return cmp.Or(cmp.Compare(rank(&a), rank(&b)), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Word, b.Word), cmp.Compare(a.Needs, b.Needs))
	})
	return out
}

const (
	epochWord = "control.epoch"
	freeSlots = "ring.free"
)

// paused says what a paused task waits for.
func (v *view) paused(slot int, t *tasks.Task) (e edge, value uint32) {
	epoch := v.now.Epoch()
	if t.ResumeEpoch == megakernel.HeldEpoch && t.Flags&tasks.FlagHalted != 0 {
		by := "a breakpoint"
		if n := t.Breakpoint(); n > 0 {
			by = fmt.Sprintf("breakpoint %d", n)
		}
		return edge{ForBreak, "slot.state", "resumed: " + by + " holds it"}, uint32(t.State)
	}
	if t.ResumeEpoch == megakernel.HeldEpoch {
		return edge{ForCommand, "slot.state", "resumed by a command"}, uint32(t.State)
	}
	if !Reached(epoch, t.ResumeEpoch) {
		e = edge{ForEpoch, epochWord, fmt.Sprintf("at least %d", t.ResumeEpoch)}
		if why, ok := reasons[t.Reason()]; ok {
			e.kind, e.needs = why.kind, e.needs+", when the host "+why.deed
		}
		return e, epoch
	}
	if v.wasPaused(slot, t) {
		return edge{ForMissed, "slot.state", "changed by a look at the parked tasks"}, uint32(t.State)
	}
	v.alive = true
	return edge{}, 0
}

// reasons are the kinds of wait by what a task says that it waits for, and what the host does to end them.
var reasons = map[tasks.Reason]struct {
	kind WaitKind
	deed string
}{
	tasks.ReasonIO:     {ForIO, "has answered"},
	tasks.ReasonOutput: {ForOutput, "has drained the output"},
	tasks.ReasonInput:  {ForInput, "has provided data"},
}

// wasPaused reports whether the earlier snapshot shows the same task waiting for an epoch that had come.
func (v *view) wasPaused(slot int, t *tasks.Task) bool {
	if v.before == nil || slot >= v.before.NumSlots() {
		return false
	}
	was := tasks.FromWords(v.before.Slot(slot))
	return was == *t && Reached(v.before.Epoch(), t.ResumeEpoch)
}

// unserved says why a task that may run does not; no edge where it is served in its turn.
func (v *view) unserved(t *tasks.Task, starved [tasks.NumPriorities]bool) (e edge, value uint32) {
	if Masks(v.now, t.Tenant) {
		return edge{ForTenant, controlWord(megakernel.CtrlTenantMask0 + t.Tenant), "nonzero"}, 0
	}
	if OverQuotaIn(v.now, t.Tenant) {
		v.alive = true // the round ends by itself
		quota := megakernel.CtrlTenantQuota0 + t.Tenant
		return edge{ForQuota, controlWord(quota), "more, or the next round"}, v.now.Control[quota]
	}
	if v.kind == RingFull {
		v.alive = true
		return edge{ForSlot, freeSlots, "at least 1"}, 0
	}
	if len(v.workers) > 0 && v.claimers == 0 {
		return edge{ForWorkers, "workers.state", "idle or running"}, uint32(v.workers[0].State)
	}
	v.alive = true
	if t.Priority < tasks.NumPriorities && starved[t.Priority] {
		return edge{ForTurn, fmt.Sprintf("control.priority_served[%d]", t.Priority), "more"}, uint32(v.now.Served[t.Priority])
	}
	return edge{}, 0
}

func controlWord(i uint32) string { return "control." + megakernel.ControlWordName(int(i)) }

// starved are the priorities that were not served between two snapshots although others were; none where there is one only.
func starved(now, before *megakernel.Snapshot) (out [tasks.NumPriorities]bool) {
	if before == nil {
		return out
	}
	served := false
	for p := range out {
		out[p] = now.Served[p] == before.Served[p]
		served = served || !out[p]
	}
	if !served {
		return [tasks.NumPriorities]bool{}
	}
	return out
}

// Starving counts the tasks that may run and were not served between two snapshots, because tasks of other priorities were.
func Starving(now, before *megakernel.Snapshot) (n int) {
	list := starved(now, before)
	if list == ([tasks.NumPriorities]bool{}) {
		return 0
	}
	for i := range now.NumSlots() {
		w := now.Slot(i)
		p, tenant := w[tasks.WordPriority], w[tasks.WordTenant]
		if tasks.State(w[tasks.WordState]).Schedulable() && p < tasks.NumPriorities && list[p] && !Masks(now, tenant) && !OverQuotaIn(now, tenant) {
			n++
		}
	}
	return n
}

// member is a task that is its own ancestor.
type member struct {
	slot         int
	task, parent uint32
}

// cycles finds the tasks, among those that have not ended, whose chain of parents comes back to them.
func cycles(s *megakernel.Snapshot) []member {
	parents := map[uint32]member{}
	for i := range s.NumSlots() {
		t := tasks.FromWords(s.Slot(i))
		if t.State != tasks.Empty && !t.State.Terminal() && t.ParentTaskID != 0 {
			parents[t.TaskID] = member{i, t.TaskID, t.ParentTaskID}
		}
	}
	var out []member
	state := map[uint32]int{} // walk in which a task was first met
	for start := range parents {
		if walk := int(start) + 1; state[start] == 0 {
			out = append(out, newCycle(parents, state, start, walk)...)
		}
	}
	slices.SortFunc(out, func(a, b member) int { return cmp.Compare(a.slot, b.slot) })
	return out
}

// newCycle follows parents from a task until they end, or meet a task again. One that this walk has met
// closes a cycle.
func newCycle(parents map[uint32]member, met map[uint32]int, start uint32, walk int) (out []member) {
	at := start
	for met[at] == 0 {
		m, ok := parents[at]
		if !ok {
			return nil
		}
		met[at] = walk
		at = m.parent
	}
	if met[at] != walk {
		return nil
	}
	for m := parents[at]; len(out) == 0 || m.task != at; m = parents[m.parent] {
		out = append(out, m)
	}
	return out
}
