package tui

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/command"
	"vyretop/tasks"
	"vyretop/tui/theme"
)

// breakpoints is what the dashboard knows of the breakpoints of the target.
type breakpoints struct {
	*shared

	shell *model
	list  []breakpoint.Status
	seen  map[int]uint64 // hits by id that the list has shown
}

// breaker is the target as one that has breakpoints, or nil.
func (bp *breakpoints) breaker() command.Breaker {
	return bp.can.breaker
}

// observeBreaks takes what the target says of its breakpoints.
func (bp *breakpoints) observeBreaks() {
	if bp.can.breaks == nil {
		return
	}
	bp.list = bp.can.breaks.Breakpoints()
	if _, looking := bp.modal.(*breakList); looking {
		bp.look()
	}
}

// slowBreak is how long a breakpoint is pending before that is said: most are in force at the next boundary.
const slowBreak = 500 * time.Millisecond

// armed counts the breakpoints that are on, those of them that wait to be in force, and the hits that were not looked at.
func (bp *breakpoints) armed() (on, pending int, hits uint64) {
	for i := range bp.list {
		b := &bp.list[i]
		if b.Enabled {
			on++
			if b.Pending && b.Latency >= slowBreak {
				pending++
			}
		}
		hits += b.Hits - min(bp.seen[b.ID], b.Hits)
	}
	return on, pending, hits
}

// look notes that the hits are looked at.
func (bp *breakpoints) look() {
	bp.seen = map[int]uint64{}
	for i := range bp.list {
		bp.seen[bp.list[i].ID] = bp.list[i].Hits
	}
}

// find is the breakpoint of a condition, or nil.
func (bp *breakpoints) find(condition string) *breakpoint.Status {
	for i := range bp.list {
		if strings.EqualFold(bp.list[i].Condition, condition) {
			return &bp.list[i]
		}
	}
	return nil
}

const errNoBreakpoints fault.Kind = "this target has no breakpoints. Fix: start it with this version"

// unchangeable says why the breakpoints cannot be changed here.
func (bp *breakpoints) unchangeable() error {
	if !bp.shell.live() {
		return &fault.Error{Kind: ErrControl, Subject: "breakpoints", Detail: "a recording cannot be changed", Fix: "attach to a live run"}
	}
	if bp.can.breaks != nil {
		return &fault.Error{Kind: ErrControl, Subject: "breakpoints", Detail: "this dashboard is read-only", Fix: "open it with --control, without --readonly"}
	}
	return errNoBreakpoints
}

// typedBreak carries out :bp. One that is to be set is tried on the past first, where somebody can look at
// that.
func (bp *breakpoints) typedBreak(o *command.Order) (tea.Cmd, error) {
	if bp.breaker() == nil {
		return nil, bp.unchangeable()
	}
	b := o.Break
	if err := b.Compile(bp.opcodes()); err != nil {
		return nil, err
	}
	if b.Do == command.BreakSet && b.Set.Place == nil && !bp.shell.control.script.running {
		return bp.askBreak(b.Set), nil
	}
	return bp.rebreak(&b), nil
}

// opcodes are the names of the target's opcodes, not nil.
func (bp *breakpoints) opcodes() map[uint32]string {
	if bp.target.Opcodes == nil {
		return map[uint32]string{}
	}
	return bp.target.Opcodes
}

// rebreak has the target change its breakpoints. It takes as long as its workers need to come to a boundary.
func (bp *breakpoints) rebreak(o *command.BreakOrder) tea.Cmd {
	t := bp.breaker()
	if t == nil {
		bp.fail(bp.unchangeable())
		return nil
	}
	return bp.shell.control.ask(breakText(o), func(ctx context.Context) error {
		_, err := o.Carry(ctx, t)
		return err
	})
}

func breakText(o *command.BreakOrder) string {
	on := fmt.Sprintf("breakpoint %d", o.ID)
	if o.ID == 0 {
		on = "all breakpoints"
	}
	switch o.Do {
	case command.BreakSet:
		return "break at " + o.Set.String()
	case command.BreakDelete:
		return "remove " + on
	case command.BreakEnable:
		return "enable " + on
	}
	return "disable " + on
}

// held are the tasks that breakpoints hold.
func (bp *breakpoints) held() (ids []uint32) {
	s := bp.latest.Snap
	if s == nil {
		return nil
	}
	for i := range s.NumSlots() {
		w := s.Slot(i)
		if tasks.State(w[tasks.WordState]) == tasks.Paused && w[tasks.WordFlags]&tasks.FlagHalted != 0 {
			ids = append(ids, w[tasks.WordTaskID])
		}
	}
	return ids
}

// release lets tasks that breakpoints hold continue.
func (bp *breakpoints) release(ids []uint32) tea.Cmd {
	if len(ids) == 0 {
		bp.say(theme.Plain, "no task is held by a breakpoint")
		return nil
	}
	sink := bp.sink
	return bp.shell.control.ask(fmt.Sprintf("resume %d tasks that breakpoints hold", len(ids)), func(ctx context.Context) error {
		return resumeTasks(ctx, sink, ids)
	})
}

func resumeTasks(ctx context.Context, sink Sink, ids []uint32) error {
	for _, id := range ids {
		if _, err := sink.Do(ctx, megakernel.Command{Op: megakernel.OpResumeTask, Task: id, Slot: megakernel.NoSlot}); err != nil {
			return err
		}
	}
	return nil
}
