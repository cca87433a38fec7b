package activations

import (
	"iter"
	"slices"
	"sync/atomic"

	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/lower"
	"vyretop/engine/reference/vm"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// Activation is one call of a handler for a task.
type Activation struct {
	Number int // among all, from 1
	Task   uint32
	Of     int // number among those of the task, from 1
	Opcode uint32
	Slot   int
	Lane   int
	Epoch  uint32
}

// Write is a write of a handler to a word that is watched. Old and New may be equal.
type Write struct {
	Activation
	Line
	Binding  uint32
	Word     int
	Old, New uint32
}

// Memory goes through the buffers of the kernel: the binding and the words, which change when the target continues.
type Memory = iter.Seq2[uint32, []uint32]

// Follower follows activations. It implements reference.Watcher.
type Follower struct {
	begins func(a Activation, m Memory)
	loads  func(a Activation, m Memory) // nil for none
	writes func(w Write)
	words  map[uint32]map[int]bool
	all    bool // every word of handlers is watched

	number  int
	slots   []seen                     // what was last in each slot
	running map[*vm.Group][]Activation // by lane
}

// seen counts the activations of the task in a slot.
type seen struct {
	task  uint32
	count int
}

// New makes a follower. begins is called before each activation, and writes after each write to a watched word; both may be nil,
// and are called from the goroutine of the backend.
func New(begins func(a Activation, m Memory), writes func(w Write)) *Follower {
	return &Follower{begins: begins, writes: writes, words: map[uint32]map[int]bool{}, running: map[*vm.Group][]Activation{}}
}

// Loads has f called each time the kernel is about to read the slot of a task, with the activation that begins next of it. What f
// writes into the slot is what the kernel reads. No target is running.
func (f *Follower) Loads(call func(a Activation, m Memory)) { f.loads = call }

// Watch adds a word to those whose writes are told. No target is running.
func (f *Follower) Watch(binding uint32, word int) {
	if f.words[binding] == nil {
		f.words[binding] = map[int]bool{}
	}
	f.words[binding][word] = true
}

// WatchAll has the writes to all memory of handlers told. No target is running.
func (f *Follower) WatchAll() { f.all = true }

// watched tells which words of a buffer are watched; nil for none.
func (f *Follower) watched(binding uint32) func(word int) bool {
	first, words := FirstWord(binding), f.words[binding]
	switch {
	case f.writes == nil:
		return nil
	case f.all && first >= 0:
		return func(word int) bool { return word >= first }
	case len(words) > 0:
		return func(word int) bool { return words[word] }
	}
	return nil
}

// Hooks implements reference.Watcher.
func (f *Follower) Hooks(_ *tree.Program, low *lower.Result) func(pc int) (before, after vm.Hook) {
	c := &code{Follower: f, Code: low.Code}
	return c.hooks
}

// Event implements reference.Watcher.
func (f *Follower) Event(*vm.Group, vm.Event) {}

// Begin implements reference.Watcher.
func (f *Follower) Begin(g *vm.Group) { f.running[g] = make([]Activation, g.Code().Lanes()) }

// Failed implements reference.Watcher.
func (f *Follower) Failed(*vm.Group) {}

// End implements reference.Watcher.
func (f *Follower) End() { clear(f.running) }

// code is one program of the kernel.
type code struct {
	*Follower
	*vm.Code
}

func (c *code) hooks(pc int) (before, after vm.Hook) {
	in := &c.Instrs[pc]
	if c.loads != nil && in.Op == vm.OpLoad && c.isBuffer(pc, megakernel.BindRing) && c.isIn(pc, "vt_load") {
		return func(g *vm.Group) { c.load(g, pc) }, nil
	}
	if vm.Ops[in.Op].Kinds[3] != vm.KindAccess || !writes(in.Op) || c.Accesses[in.C].Space < 0 || c.Spaces[c.Accesses[in.C].Space].Shared {
		return nil, nil
	}
	binding := c.Spaces[c.Accesses[in.C].Space].Binding
	if in.Op == vm.OpStore && binding == megakernel.BindRing && c.isIn(pc, "vt_begin") {
		return func(g *vm.Group) { c.begin(g, pc) }, nil
	}
	watched := c.watched(binding)
	if watched == nil {
		return nil, nil
	}
	line, handled := lineOf(c.Code, pc)
	if !handled {
		return nil, nil
	}
	w := &writing{code: c, space: int(c.Accesses[in.C].Space), pc: pc, line: line, binding: binding, watched: watched, together: c.isIn(pc, together)}
	return w.before, w.after
}

func writes(op vm.Op) bool {
	switch op {
	case vm.OpLoad, vm.OpLoadReg, vm.OpStoreReg, vm.OpOffset, vm.OpLength:
		return false
	}
	return true
}

func (c *code) isIn(pc int, function string) bool {
	return slices.ContainsFunc(c.Stack(pc), func(call vm.Call) bool { return call.Func == function })
}

// isBuffer reports whether the access of an instruction is to the buffer at a binding.
func (c *code) isBuffer(pc int, binding uint32) bool {
	space := c.Accesses[c.Instrs[pc].C].Space
	return space >= 0 && !c.Spaces[space].Shared && c.Spaces[space].Binding == binding
}

// slotOf is the slot that a lane touches with an instruction, and its words.
func slotOf(g *vm.Group, pc int, lane int32) (slot int, words []uint32, ok bool) {
	space, first, _, ok := g.Touches(pc, lane)
	if !ok {
		return 0, nil, false
	}
	slot = first / tasks.SlotWords
	return slot, g.Memory(int(space))[slot*tasks.SlotWords:][:tasks.SlotWords], true
}

// load tells of the slots that lanes are about to read.
func (c *code) load(g *vm.Group, pc int) {
	for _, lane := range g.LanesOn() {
		slot, words, ok := slotOf(g, pc, lane)
		if !ok {
			continue
		}
		a := Activation{Number: c.number + 1, Task: words[tasks.WordTaskID], Of: 1, Opcode: words[tasks.WordOpcode], Slot: slot, Lane: int(lane)}
		if slot < len(c.slots) && c.slots[slot].task == a.Task {
			a.Of += c.slots[slot].count
		}
		c.loads(a, c.memory(g))
	}
}

// begin notes the activations that begin with a store into their slots.
func (c *code) begin(g *vm.Group, pc int) {
	epoch := c.epoch(g)
	for _, lane := range g.LanesOn() {
		slot, words, ok := slotOf(g, pc, lane)
		if !ok {
			continue
		}
		c.number++
		a := Activation{Number: c.number, Task: words[tasks.WordTaskID], Opcode: words[tasks.WordOpcode], Slot: slot, Lane: int(lane), Epoch: epoch}
		a.Of = c.count(slot, a.Task)
		c.running[g][lane] = a
		if c.begins != nil {
			c.begins(a, c.memory(g))
		}
	}
}

// count is the number of a new activation of the task in a slot.
func (f *Follower) count(slot int, task uint32) int {
	for slot >= len(f.slots) {
		f.slots = append(f.slots, seen{})
	}
	s := &f.slots[slot]
	if s.task != task {
		*s = seen{task: task}
	}
	s.count++
	return s.count
}

func (c *code) epoch(g *vm.Group) uint32 {
	for i, s := range c.Spaces {
		if !s.Shared && s.Binding == megakernel.BindSched {
			return atomic.LoadUint32(&g.Memory(i)[megakernel.SchedEpoch])
		}
	}
	return 0
}

func (c *code) memory(g *vm.Group) Memory {
	return func(yield func(uint32, []uint32) bool) {
		for i, s := range c.Spaces {
			if !s.Shared && !yield(s.Binding, g.Memory(i)) {
				return
			}
		}
	}
}

// writing looks at an instruction of a handler that may write watched words.
type writing struct {
	*code
	pc       int
	line     Line
	binding  uint32
	watched  func(word int) bool
	together bool
	space    int
	about    []Write // that the instruction is about to make
}

func (w *writing) before(g *vm.Group) {
	w.about = w.about[:0]
	for _, lane := range g.LanesOn() {
		_, first, n, ok := g.Touches(w.pc, lane)
		if !ok {
			continue
		}
		for i := first; i < first+n; i++ {
			if w.watched(i) {
				w.about = append(w.about, Write{Activation: w.of(g, lane), Line: w.line, Binding: w.binding, Word: i, Old: atomic.LoadUint32(&g.Memory(w.space)[i])})
			}
		}
	}
}

// of is the activation that a lane runs.
func (w *writing) of(g *vm.Group, lane int32) Activation {
	if w.together {
		lane = 0
	}
	return w.running[g][lane]
}

func (w *writing) after(g *vm.Group) {
	for _, x := range w.about {
		x.New = atomic.LoadUint32(&g.Memory(w.space)[x.Word])
		w.Follower.writes(x)
	}
}
