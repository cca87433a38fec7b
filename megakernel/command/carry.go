package command

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vyretop/engine/fault"
	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/health"
	"vyretop/megakernel/tune"
	"vyretop/tasks"
)

// Target is what orders are carried out on. Each of its methods waits for the target's answer, but for
// Snapshot, which is the newest one or nil.
type Target interface {
	Snapshot() *megakernel.Snapshot
	Updates() <-chan struct{} // when there is a newer one; closed when none will come
	// Do carries out a command. A refusal is not an error: Ack.Result says so.
	Do(ctx context.Context, c megakernel.Command) (megakernel.Ack, error)
	// Apply changes settings and returns what they were and are.
	Apply(ctx context.Context, list ...megakernel.Setting) ([]megakernel.Change, error)
	// Undo takes the last change back and returns what it has changed.
	Undo(ctx context.Context) ([]megakernel.Change, error)
	// Drain has the target take no new tasks, and waits until nothing is left that continues by itself.
	Drain(ctx context.Context) error
	// Stop ends the target.
	Stop(ctx context.Context) error
}

// Result is what became of an order.
type Result struct {
	Order   string // as it was typed
	Answer  string // "applied", or why not
	Took    time.Duration
	Ack     *megakernel.Ack     // of a command and an edit
	Was     *uint32             // of an edit: what the word held
	Changes []megakernel.Change // of settings
	Break   *breakpoint.Status  // that was set
	Trial   *tune.Trial         // of a shape
	Stay    int                 // of resume all: tasks that stay paused until a command names them
}

// String says it for people.
func (r *Result) String() string {
	took := " in "
	if r.Answer == waited {
		took = " for "
	}
	text := r.Order + ": " + r.Answer + took + r.Took.Round(time.Microsecond).String()
	for _, c := range r.Changes {
		text += "; " + c.String()
	}
	if r.Stay > 0 {
		text += fmt.Sprintf("; %s %s: resume tasks state=paused", units.Plural(r.Stay, "task"), stay(r.Stay))
	}
	return text
}

func stay(n int) string {
	if n == 1 {
		return "stays paused"
	}
	return "stay paused"
}

// applied is the answer of an order that was carried out, and that no kind of order words in another way.
const applied = "applied"

// waited is the answer of a wait that is over.
const waited = "waited"

// whyNot is the answer of an order that failed before the target was asked: an error never stands beside "applied".
func whyNot(err error) string {
	var f *fault.Error
	if errors.As(err, &f) && f.Detail != "" {
		return f.Detail
	}
	return "not applied"
}

// Carry carries the order out and waits for the answer. An order that the target refused is a
// ErrRefused beside the result; other errors are those of the target, ErrCommand and ctx's.
func (o *Order) Carry(ctx context.Context, t Target) (Result, error) {
	r := Result{Order: o.Text, Answer: applied}
	began := time.Now()
	err := o.carry(ctx, t, &r)
	r.Took = time.Since(began)
	if r.Ack != nil && err == nil {
		r.Took = r.Ack.Latency
		r.Answer, err = r.Ack.Result.String(), Refusal(o.Text, r.Ack, t.Snapshot())
	}
	if s := t.Snapshot(); err == nil && o.Kind == Command && o.Command.Op == megakernel.OpResumeAll && s != nil {
		r.Stay = s.AwaitingCommand()
	}
	if err != nil && r.Answer == applied {
		r.Answer = whyNot(err)
	}
	return r, err
}

func (o *Order) carry(ctx context.Context, t Target, r *Result) (err error) {
	switch o.Kind {
	case Command:
		if o.On == Where {
			return o.each(ctx, t, r)
		}
		return r.do(ctx, t, o.Command)
	case Edit:
		return o.edit(ctx, t, r)
	case Set:
		r.Changes, err = t.Apply(ctx, o.Settings...)
		r.answer("in force", err)
	case Try:
		err = o.try(ctx, t, r)
	case Undo:
		r.Changes, err = t.Undo(ctx)
		r.answer("undone", err)
	case Break:
		err = o.breakpoints(ctx, t, r)
	case Drain:
		err = t.Drain(ctx)
		r.answer("drained", err)
	case Stop:
		err = t.Stop(ctx)
		r.answer("stopped", err)
	case Note:
		err = o.note(ctx, t)
		r.answer("noted", err)
	case Record:
		err = o.record(ctx, t, r)
	case Reload, Spawn, Rerun:
		err = o.steer(ctx, t, r)
	case Wait:
		err = o.wait(ctx, t)
		r.answer(waited, err)
	}
	return err
}

// answer is what is said of an order of its kind that was carried out.
func (r *Result) answer(text string, err error) {
	if err == nil {
		r.Answer = text
	}
}

// Trier is a target that can try shapes by itself: zero members are those in force, a zero shape is the recommended one.
type Trier interface {
	Try(ctx context.Context, s megakernel.Shape) (tune.Trial, error)
}

func (o *Order) try(ctx context.Context, t Target, r *Result) error {
	trier, ok := t.(Trier)
	if !ok {
		return &fault.Error{Kind: ErrCommand, Subject: o.Verb, Detail: "this target cannot try shapes", Fix: "change the shape with retune, and compare with vyretop ab"}
	}
	trial, err := trier.Try(ctx, o.Shape)
	r.Answer = trial.String()
	if trial.To == (megakernel.Shape{}) || trial.From == trial.To {
		r.Answer = "nothing was tried"
		return err
	}
	r.Trial = &trial
	return err
}

// Noter is a target that keeps remarks among its events.
type Noter interface {
	Note(ctx context.Context, text string) error
}

func (o *Order) note(ctx context.Context, t Target) error {
	n, ok := t.(Noter)
	if !ok {
		return &fault.Error{Kind: ErrCommand, Subject: o.Verb, Detail: "this target keeps no remarks", Fix: "use a live run"}
	}
	return n.Note(ctx, o.Remark)
}

func (r *Result) do(ctx context.Context, t Target, c megakernel.Command) error {
	ack, err := t.Do(ctx, c)
	if err == nil {
		r.Ack = &ack
	}
	return err
}

// each carries a command out on every task that fulfils the condition. Tasks that refuse it are counted.
func (o *Order) each(ctx context.Context, t Target, r *Result) error {
	s := t.Snapshot()
	if s == nil {
		return &fault.Error{Kind: ErrCommand, Subject: o.Verb, Detail: "nothing is known of the target yet", Fix: "try again"}
	}
	var names map[uint32]string
	if named, ok := t.(interface{ Target() megakernel.Target }); ok {
		names = named.Target().Opcodes
	}
	list := Pick(s, o.Command.Op, o.Where, names)
	if len(list) == 0 {
		return NonePicked(o, s, names)
	}
	all := make([]megakernel.Command, len(list))
	for i, p := range list {
		all[i] = o.Command
		all[i].Task, all[i].Slot = p.ID, uint32(p.Slot)
	}
	done, err := megakernel.DoAll(ctx, t.Do, all)
	r.Answer = fmt.Sprintf("applied to %d of %d tasks", done, len(list))
	if err != nil {
		return fmt.Errorf("%s, then it stopped: %w", r.Answer, err)
	}
	if done == 0 {
		return &fault.Error{Kind: ErrRefused, Subject: o.Text, Detail: r.Answer, Fix: "see their states with vyretop tasks"}
	}
	return nil
}

// edit writes a word, if it still holds what the newest snapshot says.
func (o *Order) edit(ctx context.Context, t Target, r *Result) error {
	s := t.Snapshot()
	if s == nil {
		return &fault.Error{Kind: ErrCommand, Subject: o.Verb, Detail: "nothing is known of the target yet", Fix: "try again"}
	}
	c := megakernel.Command{Op: megakernel.OpEditControl, Desired: o.Edit.Value}
	if o.Edit.Word == "" {
		slot, found := s.FindTask(o.Edit.Task, -1)
		if !found {
			return &fault.Error{Kind: ErrRefused, Subject: o.Text, Detail: megakernel.AckNotFound.String(), Fix: "see what there is with vyretop tasks"}
		}
		if !Editable(o.Edit.Index) {
			return &fault.Error{Kind: ErrCommand, Subject: o.Verb, Detail: "the scheduler goes by " + tasks.WordNames[o.Edit.Index], Fix: "edit an operand or the continuation"}
		}
		c.Op, c.Task, c.Slot, c.Arg = megakernel.OpEditTask, o.Edit.Task, uint32(slot), uint32(o.Edit.Index)
		c.Expected = s.Slot(slot)[o.Edit.Index]
	} else {
		var err error
		if c, err = o.placed(ctx, t, s); err != nil {
			return err
		}
	}
	r.Was = &c.Expected
	return r.do(ctx, t, c)
}

// Editable reports whether a word of a task may be written: the scheduler goes by the others.
func Editable(word int) bool {
	return word >= tasks.WordInputHandle && word <= tasks.WordContinuationData
}

// Kept is the error of an edit of a word of the control buffer that the kernel keeps, or nil for one that can be edited.
func Kept(word int) error {
	switch by := megakernel.CtrlOwner(uint32(word)); by {
	case "":
		return nil
	case "-":
		return &fault.Error{Kind: ErrCommand, Subject: "edit", Detail: "the kernel keeps control." + megakernel.ControlWordName(word) + ", an edit would have no effect", Fix: "edit an observable word, or an operand of a task"}
	default:
		return &fault.Error{Kind: ErrCommand, Subject: "edit", Detail: "the kernel keeps control." + megakernel.ControlWordName(word) + ", an edit would have no effect", Fix: "use the command: " + by}
	}
}

// wait waits for the time or the condition of a wait. A condition that does not hold when the work has ended is given up after
// another look.
func (o *Order) wait(ctx context.Context, t Target) error {
	if o.Until == nil {
		select {
		case <-time.After(o.For):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	look := time.NewTicker(lookAgain)
	defer look.Stop()
	for w := o.Waiter(); !w.Over(t.Snapshot(), time.Now()); {
		if w.hopeless() {
			return &fault.Error{Kind: ErrRefused, Subject: o.Text, Detail: "the work has ended, and the condition does not hold", Fix: "wait for something that comes; vyretop do ... --target NAME chooses the run"}
		}
		select {
		case _, open := <-t.Updates():
			if !open && !w.Over(t.Snapshot(), time.Now()) {
				return &fault.Error{Kind: ErrRefused, Subject: o.Text, Detail: "the target ended before that", Fix: "wait for something that comes"}
			}
		case <-look.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// finished reports whether all work of a target has ended, so that nothing in it changes by itself.
func finished(s *megakernel.Snapshot) bool {
	return s != nil && health.Judge(s, nil).Kind == health.Finished
}

// lookAgain bounds the time between two looks of a wait, where somebody else takes the updates.
const lookAgain = 50 * time.Millisecond
