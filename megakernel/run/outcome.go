package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vyretop/engine"
	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/live"
	"vyretop/megakernel/resident"
	"vyretop/megakernel/workload"
)

// Outcome is what can be said about a run when its work is over.
type Outcome struct {
	Identity     engine.Identity
	Workload     string
	Shape        Shape
	Devices      []DeviceShare // of a run on several, in order; nil for one
	Summary      resident.Summary
	Began        time.Time // of the program, for the time to the first task; zero: not known
	Interim      *Interim  // of a run that the interpreter has begun; nil: the device did all of it
	Progress     megakernel.Progress
	Elapsed      time.Duration // from the first slice to the end of the work
	Paused       time.Duration // of that, how long all workers were paused
	LogRead      uint64
	LogLost      uint64
	LogLostKinds [megakernel.NumEvents]uint64
	Faults       []string            // the first ones, in words
	Undefined    []engine.Undefined  // executed by the kernel, where the backend notices
	Places       []*megakernel.Place // of Undefined; nil where that is not known
	Verified     bool                // Verification was made: the work had ended by itself
	Forgone      bool                // the work had ended by itself, and its verification was not waited for
	Verification workload.Verification
	Outputs      []Written
	Unwritten    error // why something that was asked for could not be written; nil where all was
	Result       any   // nil when the work was cut short
}

// Shape is the number of workers, and the lanes of one.
type Shape struct{ Workers, WorkgroupSize int }

// forgoneRest is how long a run whose verification is not waited for may take to come to rest.
const forgoneRest = time.Second

// Finish ends the hub, so that every debug-log record is read, and collects the totals. Where the
// work ran to its end the workload verifies its result.
func (r *Run) Finish(ctx context.Context, complete bool) (Outcome, error) {
	forgone := complete && r.forgone && r.checked == nil
	if forgone {
		resting, cancel := context.WithTimeout(ctx, forgoneRest)
		_ = r.group.awaitRest(resting) // what runs on without end is not waited for
		cancel()
	} else if complete {
		if err := r.group.awaitRest(ctx); err != nil { // a task may still be on its way into the counters
			return Outcome{}, err
		}
	}
	if complete && r.checked == nil && !forgone {
		r.Verify(ctx) // while those who are attached can still hear of it
	}
	written, err := outputsAtEnd(ctx, r, complete)
	if err != nil && !errors.Is(err, workload.ErrOutput) || errors.Is(err, engine.ErrDeviceLost) {
		return Outcome{}, err
	}
	unwritten := errors.Join(r.unwritten, err)
	r.keepAtEnd(ctx)
	progress := r.group.members[0].progress.exact() // the memory that it reads goes with the session
	if err := r.group.stop(ctx); err != nil {
		return Outcome{}, err
	}
	r.stopHub()
	r.stopHub = nil
	o := Outcome{
		Interim:  r.group.interim.did(),
		Identity: r.backend.Identity(), Workload: r.group.target.Workload, Shape: r.group.shape(), Devices: r.group.shares(),
		Summary: r.group.summary(), Elapsed: r.elapsed, Paused: min(r.paused, r.elapsed), Progress: progress,
		Faults: r.group.faults(), Outputs: written, Unwritten: unwritten,
	}
	o.LogRead, o.LogLost, o.LogLostKinds = r.group.logCounts()
	o.Undefined, o.Places = r.group.undefined()
	if !complete {
		return o, nil
	}
	if forgone {
		o.Forgone, o.Result = true, r.result()
		return o, nil
	}
	if o.Verification, err = r.verification(ctx); err != nil {
		return o, err
	}
	o.Verified, o.Result = true, r.result()
	return o, nil
}

// result is that of the workload, with the rates that the result knows of.
func (r *Run) result() any {
	result := r.workload.Result()
	if t, ok := result.(workload.Taker); ok {
		return t.Taking(max(r.worked-r.paused, 0))
	}
	return result
}

// Checked reports whether the result has been verified.
func (r *Run) Checked() bool { return r.checked != nil }

// Forgo has Finish leave out a verification that has not been made.
func (r *Run) Forgo() { r.forgone = true }

// checked is a verification, and the slice after which it was made.
type checked struct {
	workload.Verification
	slice uint32
}

// verification checks the result, unless that was done and no slice has run since.
func (r *Run) verification(ctx context.Context) (workload.Verification, error) {
	slice := r.group.summary().Slices
	if r.checked != nil && r.checked.slice == slice {
		return r.checked.Verification, nil
	}
	r.collectInjected()
	v, err := workload.Verify(ctx, r.workload, r.injected.without(r.group.ended()))
	if err != nil {
		return v, err
	}
	r.injected.note(&v)
	r.checked = &checked{v, slice}
	return v, nil
}

// Verify checks the result of work that has ended while the target is still there, and tells as an event what
// came of it. Finish checks it again if the target has done anything since.
func (r *Run) Verify(ctx context.Context) {
	if r.group.awaitRest(ctx) != nil {
		return // the caller that ends the run says why
	}
	r.tellResult()
	v, err := r.verification(ctx)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		r.hub.Event("error", megakernel.NotVerifiable+err.Error())
	case v.OK:
		r.hub.Event(megakernel.EventVerified, v.Detail)
	default:
		r.hub.Event(megakernel.EventVerificationFailed, v.Detail)
		_ = r.group.each(func(w *Watched) error { w.NoteFailedVerification(); return nil })
	}
}

// HoldEnd waits while a breakpoint holds the run because the verification of its result has failed, or tasks have faulted: until the
// breakpoint goes, all is resumed, or the end of the run is asked for.
func (r *Run) HoldEnd(ctx context.Context) {
	id, why := r.group.first().HoldsEnd()
	if id == 0 {
		return
	}
	select {
	case <-r.group.members[0].resumed: // what was resumed before is not the result
	default:
	}
	r.hub.Event(live.EventHit, fmt.Sprintf("breakpoint %d holds the run: %s. Resume all to end it", id, why))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		_ = r.group.first().AwaitReleased(ctx) // of a session that has ended nothing is held
		cancel()
	}()
	select {
	case <-r.group.members[0].resumed:
	case <-r.asked:
	case <-ctx.Done():
	}
}

// tellResult tells as an event how much work was done, in which time, and what identifies the result.
func (r *Run) tellResult() {
	done, _, unit := r.workload.Progress()
	took := max(r.worked-r.paused, 0)
	text := fmt.Sprintf("%s %s in %v", units.Count(uint64(max(done, 0))), unit, took.Round(time.Millisecond))
	if s := took.Seconds(); s > 0 {
		text += fmt.Sprintf(", %s %s/s", units.Count(uint64(float64(done)/s)), unit)
	}
	if r.paused > 0 {
		text += fmt.Sprintf(", paused for %v", r.paused.Round(time.Millisecond))
	}
	r.hub.Tell(megakernel.HostEvent{Kind: megakernel.EventResult, Text: text, Digest: workload.ResultDigest(r.workload.Result())})
}
