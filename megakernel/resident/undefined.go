package resident

import (
	"fmt"
	"slices"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// maxUndefined bounds the places that are kept.
const maxUndefined = 256

// noteUndefined adds what a slice has executed without GLSL defining it, where the backend or the kernel notices such
// things. The first time at each place is an event: the kernel continues, with results that are hard to explain later.
func (n *notes) noteUndefined(slice engine.Pending, f *form) {
	if r, ok := slice.(engine.UndefinedReporter); ok {
		for _, u := range r.Undefined() {
			n.tellUndefined(u)
		}
	}
	for _, u := range f.program.kernel.Checked(n.outbox) {
		n.tellUndefined(u)
	}
}

func (n *notes) tellUndefined(u engine.Undefined) {
	if n.addUndefined(u) {
		place := n.Place(&u)
		n.tell(megakernel.HostEvent{Kind: megakernel.EventUndefined, Text: UndefinedText(&u, place), Place: place})
	}
}

// addUndefined reports whether u is the first at its place. Its count is of a slice, or, where it is a bound, of all of
// them.
func (n *notes) addUndefined(u engine.Undefined) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	i := slices.IndexFunc(n.undefined, func(v engine.Undefined) bool { return v.Pos == u.Pos && v.What == u.What })
	if i >= 0 {
		if v := &n.undefined[i]; u.AtLeast {
			v.Times = max(v.Times, u.Times)
		} else {
			v.Times += u.Times
		}
		return false
	}
	if len(n.undefined) == maxUndefined {
		return false
	}
	n.undefined = append(n.undefined, u)
	return true
}

// Undefined lists the operations executed so far that GLSL does not define, in the order in which they first
// happened; nil where nothing notices them. A slice adds its own when it ends.
func (n *notes) Undefined() []engine.Undefined {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.undefined)
}

// Place is where in the target an undefined operation happened first; nil where the backend does not know.
func (l *launch) Place(u *engine.Undefined) *megakernel.Place {
	at := u.First
	if at == nil {
		return nil
	}
	p := &megakernel.Place{Worker: at.Workgroup, Lane: at.Lane, Source: u.Pos.String(), Handler: at.Function}
	if task := at.Structs["Task"]; len(task) == tasks.SlotWords { // as task.glsl declares it, in the order of a slot
		p.Task, p.Opcode = task[tasks.WordTaskID], task[tasks.WordOpcode]
		if name := l.handlerName(p.Opcode); name != "" {
			p.Handler = name
		}
	}
	if at.Len > 0 || at.Index > 0 {
		index, length := at.Index, at.Len
		p.Index, p.Len = &index, &length
	}
	return p
}

// UndefinedText says an undefined operation in one line.
func UndefinedText(u *engine.Undefined, p *megakernel.Place) string {
	text := fmt.Sprintf("%s: %s", u.Pos, u.What)
	if p == nil {
		return text
	}
	if p.Index != nil {
		text += fmt.Sprintf(", index %d of %d", int32(*p.Index), *p.Len)
	}
	if p.Task != 0 {
		text += ", task " + megakernel.TaskName(p.Task)
	}
	if p.Handler != "" {
		text += ", handler " + p.Handler
	}
	return text + fmt.Sprintf(", worker %d lane %d", p.Worker, p.Lane)
}

// tell gives an event to the options' Tell, or as a text to Events.
func (l *launch) tell(e megakernel.HostEvent) {
	if l.options.Tell != nil {
		l.options.Tell(e)
		return
	}
	l.events(e.Kind, e.Text)
}
