package capture

import (
	"context"
	"fmt"
	"slices"
	"time"

	"vyretop/engine/debugger"
	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/kernel"
	"vyretop/tasks"
)

// Held says where a breakpoint inside a handler was hit in the activation that is captured, which has ended on the
// device. Its task is captured as the activation found it.
type Held struct {
	Breakpoint int      `json:"breakpoint"` // its number
	Hit        uint32   `json:"hit"`        // number of the hit
	Where      string   `json:"where"`      // as the breakpoint was set; "" where it is gone
	File       string   `json:"file,omitempty"`
	Line       int      `json:"line,omitempty"` // 0: it is not at a line
	If         string   `json:"if,omitempty"`
	Watch      string   `json:"watch,omitempty"`
	Event      string   `json:"event,omitempty"`  // fault, spawn, statement, undefined
	Opcode     uint32   `json:"opcode,omitempty"` // of spawn
	Old        uint32   `json:"old"`              // of the watched value, as bits
	New        uint32   `json:"new"`
	End        []uint32 `json:"end"` // words of the slot as the activation has left them
}

// String says where the breakpoint was hit, and that the activation has ended.
func (h *Held) String() string {
	text := fmt.Sprintf("breakpoint %d", h.Breakpoint)
	if h.Where != "" {
		text += " at " + h.Where
	}
	text += fmt.Sprintf(", hit %d", h.Hit)
	if h.Watch != "" {
		text += fmt.Sprintf(": %d -> %d", h.Old, h.New)
	}
	return text + "; the device has ended this activation, which is stepped here from its beginning"
}

// Beginning is how the activation began that the task of a slot has ended last, where a breakpoint inside the handler was hit in it:
// words are those of the slot. ok is false where no such activation holds the task or has faulted, or its beginning is not
// kept.
func Beginning(ctx context.Context, from Source, text *kernel.Text, slot int, words *[tasks.SlotWords]uint32) (begun kernel.Beginning, ok bool, err error) {
	faulted := tasks.State(words[tasks.WordState]) == tasks.Faulted
	if !faulted && !endedBehindHit(words[:]) {
		return begun, false, nil
	}
	config, _ := text.WithThisKernel()
	k := &kernel.Kernel{Config: config}
	kept := make([]uint32, megakernel.KeptWords)
	if err := from.ReadBuffer(ctx, "outbox", k.KeptAt()+slot%k.Kept()*megakernel.KeptWords, kept); err != nil {
		return begun, false, err
	}
	begun, ok = kernel.ReadBeginning(kept, words[tasks.WordTaskID])
	return begun, ok && (!faulted || sameActivation(begun.Words[:], words[:])), nil
}

// endedBehindHit reports whether a breakpoint holds the task of a slot behind the activation in which it was hit.
func endedBehindHit(slot []uint32) bool {
	flags := slot[tasks.WordFlags]
	return tasks.State(slot[tasks.WordState]) == tasks.Paused && flags&tasks.FlagHalted != 0 && flags&tasks.FlagEnded != 0
}

// beginAtHit puts the words of the slot as they were when the activation began that a breakpoint inside the handler has
// held, if the target has kept them.
func (t *taker) beginAtHit(ctx context.Context, c *Capture) error {
	slot := slotOf(c.Buffers[megakernel.BindRing], c.Slot)
	ended := endedBehindHit(slot)
	if !t.o.Live || t.o.Next || !ended && tasks.State(slot[tasks.WordState]) != tasks.Faulted {
		return nil
	}
	begun, ok, err := Beginning(ctx, t.from, t.text, c.Slot, (*[tasks.SlotWords]uint32)(slot))
	if ctx.Err() != nil {
		return err
	}
	if err != nil || !ok {
		if ended {
			c.Notes = append(c.Notes, "how the activation began that a breakpoint has held is not kept: this is the one after it")
		}
		return nil
	}
	if err := t.takeText(c, begun.Text); err != nil {
		return err
	}
	c.Held = &Held{Breakpoint: int(begun.Breakpoint), Hit: begun.Hit, Old: begun.Old, New: begun.New, End: slices.Clone(slot)}
	c.Worker, c.Lane = int(begun.Worker), int(begun.Lane)
	if c.Together() {
		c.Lane = 0
	}
	t.locate(c.Held)
	copy(slot, begun.Words[:])
	return nil
}

// OldText is the note about handlers that were reloaded before a capture was taken.
const OldText = "the handlers were reloaded since: this is the text that the activation ran"

// takeText has a capture be of the text that its activation ran: handlers may have been reloaded since.
func (t *taker) takeText(c *Capture, number int) (err error) {
	if number < 0 {
		return nil
	}
	packed := t.target.KernelOf(number)
	switch {
	case packed == nil:
		c.Notes = append(c.Notes, "the text of the handlers that the activation ran is not kept: this is the one that runs now")
	case string(packed) != string(t.target.KernelAt(t.now.Slice)):
		c.Notes = append(c.Notes, OldText)
		c.Text, err = unpack(packed)
	}
	return err
}

// sameActivation reports whether a slot has the counters with which an activation began: it faulted in that one.
func sameActivation(begun, now []uint32) bool {
	return begun[tasks.WordYieldCount] == now[tasks.WordYieldCount] && begun[tasks.WordRequeueCount] == now[tasks.WordRequeueCount]
}

// Together reports whether all lanes of a worker run the task.
func (c *Capture) Together() bool {
	return slices.ContainsFunc(c.Text.Config.Handlers, func(h kernel.Handler) bool { return h.Opcode == c.Opcode() && h.Cooperative })
}

// locate fills in where the breakpoint is, as the target lists it.
func (t *taker) locate(h *Held) {
	b, ok := t.from.(interface{ Breakpoints() []breakpoint.Status })
	if !ok {
		return
	}
	for _, s := range b.Breakpoints() {
		if s.ID == h.Breakpoint && s.Place != nil {
			h.Where, h.File, h.Line, h.If, h.Watch = s.Condition, s.Place.File, s.Place.Line, s.Place.If, s.Place.Watch
			h.Event, h.Opcode = s.Place.Event, s.Place.Opcode
		}
	}
}

// Replay says how a held activation ends on the interpreter, next to what the device has made of it.
type Replay struct {
	Comparison

	Reached bool // the activation comes to the place of the breakpoint
}

// String says what is exact.
func (r *Replay) String() string {
	switch n := len(r.Differences) + r.More; {
	case !r.Reached:
		return "the activation does not come to the breakpoint here: since it began, words that it reads were written, by itself or by other tasks"
	case n > 0:
		d := r.Differences[0]
		differ := "differ"
		if n == 1 {
			differ = "differs"
		}
		return fmt.Sprintf("%s that the activation wrote %s from what the device has left, the first is %s (here %d, device %d): since it began, words that it reads were written, by itself or by other tasks", units.Plural(n, "word"), differ, d.Name, d.Interpreter, d.Device)
	}
	return "every word that the activation writes here is what the device has left"
}

// replaying bounds the time in which a held activation is looked for its hit: it had ended on the device.
const replaying = 10 * time.Second

// goToHit replays a held activation to its end, compares that with what the device has left, and goes to where
// the breakpoint was hit. Where it does not come to its end in time, the session stands at the beginning.
func (a *Activation) goToHit(ctx context.Context) {
	h := a.Capture.Held
	if h == nil {
		return
	}
	limited, cancel := context.WithTimeout(ctx, replaying)
	defer cancel()
	a.WithContext(limited)
	_, reached := a.toHit()
	a.leaveHit()
	end, late := a.Finish(), limited.Err() != nil
	a.WithContext(ctx)
	switch {
	case late:
		a.Capture.Notes = append(a.Capture.Notes, fmt.Sprintf("the activation did not end on the interpreter within %v, so it was not compared with what the device has left", replaying))
		reached = false
	case end.Detail == "":
		r := &Replay{Comparison: a.Compare(After{Slot: h.End, Held: true, Buffers: a.Capture.Buffers}), Reached: reached}
		a.Capture.Notes = append(a.Capture.Notes, r.String())
	}
	a.toStart()
	debugger.ForgetUndefined(a.Session)
	if !reached {
		return
	}
	if stop, ok := a.toHit(); ok {
		a.Entry = stop
	}
}

// Restart goes back to the first line of the handler, without a breakpoint at the place of the hit.
func (a *Activation) Restart() {
	a.leaveHit()
	a.toStart()
	debugger.ForgetUndefined(a.Session)
}

// toStart goes back to the first line of the handler.
func (a *Activation) toStart() {
	for a.Continue(debugger.Back).Reason == debugger.AtBreak {
	}
}
