package resident

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/engine/glsl/source"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/kernel"
	"vyretop/tasks"
)

// ErrReload is matched by the error about handlers that cannot take the place of those that run, because memory that both use
// would mean something else.
const ErrReload fault.Kind = "the handlers cannot be reloaded"

// Reloaded says what came of a reload.
type Reloaded struct {
	Slice uint32        // the first that runs the text
	Took  time.Duration // from the call on
	Moved []MovedBreak  // breakpoints that are elsewhere now, or gone
}

// MovedBreak is what became of a breakpoint.
type MovedBreak struct {
	ID   int
	Gone bool   // it is removed
	Text string // for people
}

// Reload has the next slices run other handlers, and waits until they do. Queues, tasks, settings and breakpoints stay. The kernel is
// compiled beside slices of the one that runs; if ctx ends before that is done, nothing is changed. A kernel that is specialized is for all opcodes again.
//
// Breakpoints at lines move to where these lines are in the new text (breakpoint.MoveLine). One whose line is gone, or whose
// condition does not hold there any longer, is removed, and Moved says so.
//
// Errors: ErrReload with what differs, source.Diagnostics of the text, kernel.ErrConfig, ErrStopped, the backend's, and
// that of ctx.
func (s *Session) Reload(ctx context.Context, handlers []kernel.Handler, sources []*source.File) (Reloaded, error) {
	began := time.Now()
	for {
		base := s.texts.now.Load()
		p, err := s.newProgram(base, handlers, sources)
		if err != nil {
			return Reloaded{}, err
		}
		out, err := s.breakpoints.swap(ctx, base, p)
		if errors.Is(err, errOvertaken) {
			continue
		}
		s.tellHeld(&out)
		out.Took = time.Since(began)
		return out, err
	}
}

// tellHeld adds to what is told of removed breakpoints which tasks they hold: no list of breakpoints leads to these any longer.
func (v *slotView) tellHeld(r *Reloaded) {
	if !slices.ContainsFunc(r.Moved, func(m MovedBreak) bool { return m.Gone }) {
		return
	}
	v.refreshSlots()
	held := map[int][]uint32{} // tasks by breakpoint
	for i := range v.kernel.Config.Slots {
		slot := v.slotWords(i)
		t := tasks.Task{State: tasks.State(slot.Load(tasks.WordState)), Flags: slot.Load(tasks.WordFlags)}
		id := int(t.Breakpoint())
		held[id] = append(held[id], slot.Load(tasks.WordTaskID))
	}
	for i := range r.Moved {
		m := &r.Moved[i]
		switch list := held[m.ID]; {
		case !m.Gone || len(list) == 0:
		case len(list) == 1:
			m.Text += fmt.Sprintf("; it still holds task %s: resume task %[1]s", megakernel.TaskName(list[0]))
		default:
			m.Text += fmt.Sprintf("; it still holds %d tasks: resume all", len(list))
		}
	}
}

// newProgram assembles handlers behind the text that is wanted so far, and checks that they fit the session's memory.
func (l *launch) newProgram(base *program, handlers []kernel.Handler, sources []*source.File) (*program, error) {
	k, err := kernel.Assemble(base.kernel.Reloaded(handlers, sources, base.number()+1))
	if err != nil {
		return nil, err
	}
	list := base.kernel.Unlike(k)
	if n, room := len(k.IndexChecks()), l.checksRoom(); n > room {
		list = append(list, fmt.Sprintf("%d accesses are checked, and there is room for %d", n, room))
	}
	if len(list) > 0 {
		return nil, &fault.Error{Kind: ErrReload, Op: "reload", Detail: "they differ from those that run in memory that both use: " + strings.Join(list, "; "), Fix: "start the run again (rerun), or undo these changes"}
	}
	p := &program{kernel: k, id: l.texts.ids.Add(1), packed: packedText(l, k)}
	sum := sha256.Sum256(p.packed)
	p.digest = hex.EncodeToString(sum[:])
	return p, nil
}

// errOvertaken: another text has come into force while one was compiled.
const errOvertaken fault.Kind = "another text was faster"

// swap compiles the form of a program that takes the place of base, and brings it into force.
func (bs *breakpoints) swap(ctx context.Context, base, p *program) (out Reloaded, err error) {
	mine := func(k variantKey) bool { return k.text == p.id }
	if err = bs.precompile(ctx, base, p); err != nil {
		bs.forms.variants.drop(mine)
		return out, err
	}
	err = bs.forms.reform(ctx, "reload", func(wanted *form) (*form, error) {
		if bs.texts.now.Load() != base {
			return nil, errOvertaken
		}
		next, moves, err := bs.formOf(ctx, base, p, wanted.kernel.Config.WorkgroupSize)
		if err != nil {
			return nil, err
		}
		out.Moved = bs.move(moves, next)
		bs.texts.now.Store(p)
		bs.forms.variants.drop(func(k variantKey) bool { return k.text < p.id })
		return next, nil
	})
	if bs.texts.now.Load() != p {
		bs.forms.variants.drop(mine)
		return out, err
	}
	if out.Slice = bs.sliceOf(p); out.Slice == 0 && err == nil {
		err = gone("reload", bs.Phase(), ErrStopped, nil)
	}
	return out, err
}

// sliceOf is the first slice that runs a program; 0 where none does yet.
func (l *launch) sliceOf(p *program) uint32 {
	for _, r := range l.texts.reloads() {
		if r.Text == p.number() {
			return r.Slice
		}
	}
	return 0
}

// precompile compiles what slices are to run as things are, so that the swap itself only waits for a boundary.
func (bs *breakpoints) precompile(ctx context.Context, base, p *program) error {
	f, _, err := bs.formOf(ctx, base, p, bs.forms.Workgroup())
	if err == nil {
		f.release() // the variant stays
	}
	return err
}

// move is what becomes of a breakpoint in another text.
type move struct {
	of   *placed
	to   breakpoint.Breakpoint
	gone string // why it has no place there; "" where it has one
}

// formOf compiles a form of a program with the breakpoints that are armed, where they are in its text.
func (bs *breakpoints) formOf(ctx context.Context, base, p *program, workgroup int) (*form, []move, error) {
	moves := bs.moves(base, p)
	f, err := bs.forms.variantOf(ctx, p, keyFor(workgroup, arrive(moves)))
	if errors.Is(err, breakpoint.ErrCondition) {
		checkMoves(p, moves) // a condition that does not fit does not keep the old text
		f, err = bs.forms.variantOf(ctx, p, keyFor(workgroup, arrive(moves)))
	}
	return f, moves, err
}

// arrive are the breakpoints that are armed in the new text, as they will be placed.
func arrive(moves []move) (list []*placed) {
	for _, m := range moves {
		if m.gone == "" && m.of.enabled {
			list = append(list, &placed{Breakpoint: m.to})
		}
	}
	return list
}

// moves finds the places of all breakpoints in another text.
func (bs *breakpoints) moves(base, p *program) (list []move) {
	bs.breaks.mu.Lock()
	defer bs.breaks.mu.Unlock()
	for _, x := range bs.breaks.place {
		if x != nil && !x.removed {
			list = append(list, moveTo(x, base.kernel, p.kernel))
		}
	}
	return list
}

// moveTo finds the place of a breakpoint in another text.
func moveTo(x *placed, before, now *kernel.Kernel) move {
	m := move{of: x, to: x.Breakpoint}
	if x.Place == nil {
		return m
	}
	at := *x.Place
	if at.Line != 0 {
		was, known := before.SourceText(at.File)
		is, stays := now.SourceText(at.File)
		if known && !stays {
			m.gone = "the file " + at.File + " is gone"
			return m
		}
		if known {
			line, ok := breakpoint.MoveLine(was, is, at.Line)
			if !ok {
				m.gone = "its line is gone"
				return m
			}
			at.Line, at.Moved = line, 0
		}
	}
	m.to.Place = &at
	if err := findPlace(now, &m.to); err != nil {
		m.gone = reason(err)
	}
	return m
}

// checkMoves finds the breakpoints whose conditions are not expressions at their new places.
func checkMoves(p *program, moves []move) {
	for i := range moves {
		m := &moves[i]
		if m.gone != "" || m.to.Place == nil {
			continue
		}
		c := p.kernel.Config
		c.Holds.Stops, _ = stopsOf([]*placed{{Breakpoint: m.to}})
		if _, err := kernel.Assemble(c); err != nil {
			m.gone = reason(kernel.BreakpointError(err))
		}
	}
}

func reason(err error) string {
	var f *fault.Error
	if errors.As(err, &f) && f.Detail != "" {
		return f.Detail
	}
	return err.Error()
}

// move puts the breakpoints to their new places, and tells of those that are elsewhere or gone. The form that looks for them there is next.
func (bs *breakpoints) move(moves []move, next *form) (told []MovedBreak) {
	bs.breaks.mu.Lock()
	defer bs.breaks.mu.Unlock()
	for _, m := range moves {
		was := m.of.Breakpoint.String()
		if m.gone != "" {
			m.of.removed, m.of.change, m.of.latency = true, bs.forms.wanted.number+1, 0
			told = append(told, MovedBreak{m.of.id, true, fmt.Sprintf("breakpoint %d at %s is removed: %s", m.of.id, was, m.gone)})
			continue
		}
		if m.to.String() != was { // what else it says stays
			told = append(told, MovedBreak{ID: m.of.id, Text: fmt.Sprintf("breakpoint %d moved from %s:%d to line %d", m.of.id, m.to.Place.File, m.of.Place.Line, m.to.Place.Line)})
		}
		m.of.Breakpoint = m.to
	}
	next.breaks = bs.breaks.armed()
	return told
}

// untouched reports whether no activation has had a task, and the host published it.
func untouched(slot engine.Words) bool {
	return tasks.State(slot.Load(tasks.WordState)) == tasks.Ready && slot.Load(tasks.WordParentTaskID) == 0 &&
		slot.Load(tasks.WordYieldCount) == 0 && slot.Load(tasks.WordRequeueCount) == 0 && slot.Load(tasks.WordFlags) == tasks.FlagNotify
}

// leastChecks is for how many accesses there is room at least where a kernel checks them (kernel.Config.IndexChecks): reloaded handlers may have
// more than those of the launch.
const leastChecks = 256

// checksRoom is for how many checked accesses the outbox has room.
func (l *launch) checksRoom() int {
	return (len(l.outbox) - l.kernel.ChecksAt()) / megakernel.CheckWords
}

// outboxWords is the size of the outbox, with room for the checked accesses of handlers to come.
func (l *launch) outboxWords() int {
	words := l.kernel.OutboxWords()
	if n := len(l.kernel.IndexChecks()); l.kernel.Config.IndexChecks {
		words += (max(2*n, leastChecks) - n) * megakernel.CheckWords
	}
	return words
}

// clearChecks forgets what another text has noticed. No slice is running.
func clearChecks(outbox engine.Words, k *kernel.Kernel) {
	if k.Config.IndexChecks {
		outbox.CopyFrom(k.ChecksAt(), slices.Repeat([]uint32{0}, len(outbox)-k.ChecksAt()))
	}
}
