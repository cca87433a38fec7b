package replay

import (
	"context"
	"slices"

	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/activations"
	"vyretop/megakernel/capture"
	"vyretop/tasks"
)

// effect is what an activation has changed: words of buffers, and those of its task.
type effect struct {
	activations.Activation

	parent uint32   // that spawned the task; 0 for none
	after  []uint32 // words of the task's slot when the next activation begins; nil if the slot has another task by then
	writes map[key]change
}

// change is what an activation has made of a word.
type change struct {
	old, new uint32
	line     activations.Line // of the last write
}

// trail hands over the effects of a run, one after the other.
type trail struct {
	plan *plan
	out  chan *effect
	quit <-chan struct{} // closed once no more effects are wanted
	now  *effect         // of the activation that runs; nil before the first and behind the last that is wanted
	seen activations.Memory
	last map[uint32]activations.Activation
	edit *edit // nil for none
}

// follow executes a run, one activation after the other, and closes out when all effects are handed over.
func (t *trail) follow(ctx context.Context) (last end, err error) {
	begins := t.begins
	if t.plan.supposed != nil {
		t.edit = &edit{Supposed: t.plan.supposed}
		begins = func(a activations.Activation, m activations.Memory) {
			t.begins(a, m)
			t.edit.begins(a, m)
		}
	}
	f := activations.New(watched(t.plan, begins), t.writes)
	if t.edit != nil {
		f.Loads(t.edit.loads)
	}
	f.WatchAll()
	err = t.plan.ended(ctx, reference.Options{Watcher: f}, alone, func(e end) error {
		last = e
		t.send(t.seen) // while the buffers are there
		return nil
	})
	close(t.out)
	return last, err
}

func (t *trail) begins(a activations.Activation, m activations.Memory) {
	if a.Task < megakernel.SpawnedIDBase {
		t.last[a.Task] = a
	}
	if t.send(m); a.Number > 1 && t.now == nil {
		return
	}
	t.seen = m
	t.now = &effect{Activation: a, parent: slotOf(m, a.Slot)[tasks.WordParentTaskID], writes: map[key]change{}}
}

// send hands over what the activation that ran has changed.
func (t *trail) send(m activations.Memory) {
	e := t.now
	if e == nil {
		return
	}
	if words := slotOf(m, e.Slot); words[tasks.WordTaskID] == e.Task {
		t.edit.hide(e, words)
		e.after = words
	}
	select {
	case t.out <- e:
	case <-t.quit:
		t.now = nil
	}
}

func (t *trail) writes(w activations.Write) {
	if t.now == nil || w.Number != t.now.Number || t.plan.unordered(w.Binding) {
		return
	}
	at := key{w.Binding, w.Word}
	c, ok := t.now.writes[at]
	if !ok {
		c.old = w.Old
	}
	c.new, c.line = w.New, w.Line
	t.now.writes[at] = c
}

// unordered reports whether the words of a buffer depend on the order of tasks, so that they are not compared.
func (p *plan) unordered(binding uint32) bool {
	for i := range p.header.Start.Buffers {
		if b := &p.header.Start.Buffers[i]; b.Binding == binding {
			return b.Unordered
		}
	}
	return false
}

// unlike is a word that two effects of the same activation leave with other values: of a buffer, or of the task.
type unlike struct {
	place key
	word  int // of the slot, with binding BindRing
	a, b  uint32
}

// compared are the words of a slot that a handler decides, with the state that its outcome leads to.
var compared = append([]int{tasks.WordState}, capture.Handled...)

// differ finds the first word that two effects leave with other values: of buffers by binding and word, then of the task.
func differ(a, b *effect) (unlike, bool) {
	var all []key
	for k := range a.writes {
		all = append(all, k)
	}
	for k := range b.writes {
		if _, ok := a.writes[k]; !ok {
			all = append(all, k)
		}
	}
	slices.SortFunc(all, func(x, y key) int {
		if x.binding != y.binding {
			return int(x.binding) - int(y.binding)
		}
		return x.word - y.word
	})
	for _, k := range all {
		x, inA := a.writes[k]
		y, inB := b.writes[k]
		if !inA {
			x.new = y.old
		}
		if !inB {
			y.new = x.old
		}
		if x.new != y.new {
			return unlike{place: k, a: x.new, b: y.new}, true
		}
	}
	if a.after == nil || b.after == nil {
		return unlike{}, false
	}
	for _, w := range compared {
		if a.after[w] != b.after[w] {
			return unlike{place: key{binding: megakernel.BindRing}, word: w, a: a.after[w], b: b.after[w]}, true
		}
	}
	return unlike{}, false
}
