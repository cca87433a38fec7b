package capture

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vyretop/engine/debugger"
	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/words"
	"vyretop/tasks"
)

// Outcome is what an activation has changed by the time at which its session stands.
type Outcome struct {
	State   string // of the task
	Slot    []Word // words of the task's slot that changed
	Spawned []Spawned
	Buffers []Change // of the workload, and the ring for what the kernel has changed in it beside
}

// Spawned is a task that the activation has spawned.
type Spawned struct {
	Handler              string
	Input, Output, Param uint32
}

// String describes the task.
func (s Spawned) String() string {
	return fmt.Sprintf("%s, input %d, output %d, param %d", s.Handler, s.Input, s.Output, s.Param)
}

// Word is a word with two values.
type Word struct {
	Name     string
	Old, New string // the numbers, with their names where they have one
}

// Outcome compares the buffers with those that were captured.
func (a *Activation) Outcome() Outcome {
	c := a.Capture
	ring := a.Contents(megakernel.BindRing)
	before, now := slotOf(c.Buffers[megakernel.BindRing], c.Slot), slotOf(ring, c.Slot)
	out := Outcome{State: tasks.State(now[tasks.WordState]).String()}
	for i, w := range now {
		if w != before[i] {
			out.Slot = append(out.Slot, Word{tasks.WordNames[i], meaning(i, before[i]), meaning(i, w)})
		}
	}
	copy(slotOf(ring, c.Slot), before)
	out.Spawned = a.spawned(ring)
	out.Buffers = changes("ring", c.Buffers[megakernel.BindRing], ring)
	for _, b := range c.Target.Buffers {
		if b.Binding < megakernel.FirstUserBinding {
			continue
		}
		if now := a.Contents(b.Binding); now != nil {
			out.Buffers = append(out.Buffers, changes(b.Name, c.Buffers[b.Binding], now)...)
		}
	}
	slices.SortStableFunc(out.Buffers, func(x, y Change) int { return y.Words - x.Words })
	return out
}

// spawned lists the tasks that the activation has spawned, and takes them out of a copy of the ring.
func (a *Activation) spawned(ring []uint32) (list []Spawned) {
	c := a.Capture
	for slot := range len(ring) / tasks.SlotWords {
		before, now := slotOf(c.Buffers[megakernel.BindRing], slot), slotOf(ring, slot)
		if slices.Equal(before, now) || now[tasks.WordParentTaskID] != c.Task || now[tasks.WordTaskID] == before[tasks.WordTaskID] {
			continue
		}
		op := now[tasks.WordOpcode]
		list = append(list, Spawned{cmp.Or(c.Target.Opcodes[op], fmt.Sprintf("opcode %d", op)), now[tasks.WordInputHandle], now[tasks.WordOutputHandle], now[tasks.WordParam]})
		copy(now, before)
	}
	return list
}

// OutcomeText says what an activation that has ended has changed; "" before its end.
func (a *Activation) OutcomeText(stop debugger.Stop) string {
	if stop.Reason != debugger.Ended && stop.Reason != debugger.LaneEnded {
		return ""
	}
	out := a.Outcome()
	var b strings.Builder
	fmt.Fprintf(&b, "task %s is %s", megakernel.TaskName(a.Capture.Task), out.State)
	for _, w := range out.Slot {
		fmt.Fprintf(&b, "\n  %s: %s -> %s", w.Name, w.Old, w.New)
	}
	for _, s := range out.Spawned {
		fmt.Fprintf(&b, "\n  spawned: %v", s)
	}
	for _, c := range out.Buffers {
		fmt.Fprintf(&b, "\n  buffer %s: %s written, from word %d on", c.Buffer, units.Plural(c.Words, "word"), c.First)
	}
	return b.String()
}

func meaning(word int, v uint32) string {
	text := strconv.FormatUint(uint64(v), 10)
	if m := words.Meaning(words.Ring, word, v); m != "" {
		text += " " + m
	}
	return text
}

func slotOf(ring []uint32, slot int) []uint32 { return ring[slot*tasks.SlotWords:][:tasks.SlotWords] }
