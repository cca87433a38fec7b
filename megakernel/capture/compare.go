package capture

import (
	"fmt"
	"slices"

	"vyretop/engine/debugger"
	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/words"
	"vyretop/tasks"
)

// After is what the device has made of a captured activation, read when that had ended.
type After struct {
	Slot    []uint32            // the task's slot; nil where another task has it by now
	Held    bool                // the next activation of the task is held: state, flags and resume epoch are the hold's
	Buffers map[uint32][]uint32 // words of the workload's buffers by binding
	Others  uint64              // activations of other tasks that ended since the capture
}

// Difference is a word that the interpreter and the device have left with different values.
type Difference struct {
	Name        string `json:"name"` // as the kernel declares it
	Before      uint32 `json:"before"`
	Interpreter uint32 `json:"interpreter"`
	Device      uint32 `json:"device"`
	Line        string `json:"line,omitempty"` // of the last write on the interpreter, as file:line
}

// Comparison is what the interpreter and the device have made of the same activation.
type Comparison struct {
	Equal       int          `json:"equal"`           // words that the activation wrote, with the same values on both
	Differences []Difference `json:"differences"`     // at most MaxDifferences: first of the slot, then of the buffers
	More        int          `json:"more,omitempty"`  // differences that are not listed
	Foreign     int          `json:"foreign"`         // words that changed on the device and that the activation does not write
	NoSlot      bool         `json:"no_slot"`         // the slot was not compared: another task has it
	Cause       string       `json:"cause,omitempty"` // the likely one, where there are differences
}

// MaxDifferences bounds the differences that a comparison lists.
const MaxDifferences = 16

// Handled are the words of a slot that a handler's outcome decides, whatever happens to the task then.
var Handled = []int{
	tasks.WordOpcode, tasks.WordPriority, tasks.WordInputHandle, tasks.WordOutputHandle, tasks.WordParam,
	tasks.WordContinuationPC, tasks.WordContinuationData, tasks.WordRequeueCount, tasks.WordYieldCount,
}

// Compare compares what the activation has changed with what the device has made of it. The session stands at the end of the
// activation, and elsewhere afterwards.
func (a *Activation) Compare(after After) Comparison {
	c := &comparer{a: a, after: after, undefined: a.TakeUndefined()}
	c.slot()
	for _, b := range a.Capture.Target.Buffers {
		if b.Binding >= megakernel.FirstUserBinding {
			c.buffer(b)
		}
	}
	c.lines()
	if len(c.out.Differences) > 0 {
		c.out.Cause = c.cause()
	}
	if c.out.Differences == nil {
		c.out.Differences = []Difference{}
	}
	return c.out
}

type comparer struct {
	a         *Activation
	after     After
	undefined []debugger.Undefined
	out       Comparison
}

func (c *comparer) slot() {
	if c.after.Slot == nil {
		c.out.NoSlot = true
		return
	}
	list := Handled
	if !c.after.Held {
		list = slices.Concat([]int{tasks.WordState, tasks.WordResumeEpoch}, Handled)
	}
	k := c.a.Capture
	before, now := slotOf(k.Buffers[megakernel.BindRing], k.Slot), slotOf(c.a.Contents(megakernel.BindRing), k.Slot)
	for _, w := range list {
		c.word(func() string { return "task." + tasks.WordNames[w] }, before[w], now[w], c.after.Slot[w])
	}
}

func (c *comparer) buffer(b megakernel.BufferInfo) {
	before, now, device := c.a.Capture.Buffers[b.Binding], c.a.Contents(b.Binding), c.after.Buffers[b.Binding]
	names := words.For([]megakernel.BufferInfo{b})
	for i := range min(len(before), len(now), len(device)) {
		c.word(func() string { return names.Name(b.Name, i) }, before[i], now[i], device[i])
	}
}

// word compares one word.
func (c *comparer) word(name func() string, before, now, device uint32) {
	switch {
	case now == device:
		if now != before {
			c.out.Equal++
		}
	case now == before:
		c.out.Foreign++
	case len(c.out.Differences) == MaxDifferences:
		c.out.More++
	default:
		c.out.Differences = append(c.out.Differences, Difference{Name: name(), Before: before, Interpreter: now, Device: device})
	}
}

// lines finds the lines that wrote the words of buffers that differ: the activation runs once more, watched.
func (c *comparer) lines() {
	if len(c.out.Differences) == 0 {
		return
	}
	c.a.Continue(debugger.Back)
	var list []*debugger.Watchpoint
	at := map[*debugger.Watchpoint]int{}
	for i, d := range c.out.Differences {
		if w, err := debugger.FindWatchpoint(c.a.Session, d.Name); err == nil {
			at[w] = i
			list = append(list, w)
		}
	}
	if len(list) == 0 {
		return
	}
	debugger.SetWatchpoints(c.a.Session, list...)
	for stop := c.a.Continue(debugger.Forward); !ended(stop); stop = c.a.Continue(debugger.Forward) {
		if stop.Write == nil {
			continue // a statement that stops
		}
		if i, ok := at[stop.Write.At]; ok {
			c.out.Differences[i].Line = fmt.Sprintf("%s:%d", stop.Write.Pos.File, stop.Write.Pos.Line)
		}
	}
	debugger.SetWatchpoints(c.a.Session)
}

// Finish runs the activation to its end, past every breakpoint.
func (a *Activation) Finish() debugger.Stop {
	for {
		if stop := a.Continue(debugger.Forward); ended(stop) {
			return stop
		}
	}
}

func ended(s debugger.Stop) bool {
	return s.Reason != debugger.AtBreak && s.Reason != debugger.Written
}

// cause is the likely cause of the differences.
func (c *comparer) cause() string {
	switch k := c.a.Capture; {
	case len(c.undefined) > 0:
		u := c.undefined[0]
		return fmt.Sprintf("the activation does what GLSL leaves undefined, %v, at %s:%d", u, u.Pos.File, u.Pos.Line)
	case c.after.Others > 0:
		return fmt.Sprintf("%s of other tasks ended in between, and may write the same words", units.Plural(int(c.after.Others), "activation"))
	case len(k.Changed) > 0:
		return "other tasks wrote to the buffers while the task was captured"
	}
	return "nothing else ran and nothing is undefined, so the driver compiled the handler to something else"
}
