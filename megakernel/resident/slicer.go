package resident

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// slicer owns the slices: it alone starts them, and decides between two of them what comes next. What others ask of it, it
// looks up there: forms.nextForm, tuning.next, readers of buffers, and the ends in life.
type slicer struct {
	*life
	forms       *forms
	breakpoints *breakpoints
	tuning      *tuning
	commander   *commander
	view        *slotView
	publisher   *publisher
	reads       *reads
	io          *pageIO
	tally       *tally
	notes       *notes

	lastDone uint32 // sum of what the target had done when it was last seen to do something
	lastBusy time.Time
}

// run runs slices until the session is stopped or fails.
func (c *slicer) run() {
	defer func() {
		c.io.stopIO()
		c.publisher.queue.close()
		c.reads.serve()
		c.changed.fire()
		close(c.ended)
	}()
	for !c.stopping.Load() {
		err := c.forms.full.takeFull(c.forms, c.reads.serve)
		if err == nil {
			err = c.runSlice()
		}
		if err != nil {
			c.failure = err
			c.setPhase(megakernel.PhaseLost)
			c.events("error", err.Error())
			return
		}
		if c.control.Load(megakernel.CtrlShutdown) != 0 && !c.stopping.Swap(true) {
			c.events("phase", "a task has shut the kernel down")
		}
		if !c.stopping.Load() && !c.hasWork() && !c.lingers() {
			c.park()
		}
	}
	c.view.fetchSlots()
	c.markAbsent(0)
	c.setPhase(megakernel.PhaseStopped)
}

// linger is how long an idle session continues launching slices before it parks: what comes next is then
// noticed in a microsecond, and not after a launch.
const linger = 100 * time.Millisecond

// lingers reports whether an idle session should launch another slice nevertheless. A worker that
// left because it was idle has waited long enough.
func (c *slicer) lingers() bool {
	done := c.outbox.Load(megakernel.OutCommandsTaken)
	for i := range megakernel.NumCounters {
		if i != megakernel.CountEmpty {
			done += c.outbox.Load(megakernel.OutCounters + i)
		}
	}
	if done != c.lastDone {
		c.lastDone, c.lastBusy = done, time.Now()
	}
	return c.outbox.Load(megakernel.OutEndReason) == megakernel.EndIterations && time.Since(c.lastBusy) < linger
}

// markAbsent says in the worker table that the workers from the n-th on are in no slice. Those of the last slice that are in
// the next one, too, never seem to be away. No slice is running.
func (c *slicer) markAbsent(n int) {
	for w := n; w < int(c.tuning.mostWorkers()); w++ {
		at := w * megakernel.WorkerWords
		c.workers.Store(at+megakernel.WkSlot, megakernel.NoSlot)
		if c.workers.Load(at+megakernel.WkState) != uint32(megakernel.WorkerPaused) {
			c.workers.Store(at+megakernel.WkState, uint32(megakernel.WorkerAbsent))
		}
	}
}

// runSlice launches one slice and waits for its end.
func (c *slicer) runSlice() error {
	c.reads.serve()
	f := c.takeForm()
	if c.draining.Load() { // before the slice has its number: atRest relies on it
		c.setPhase(megakernel.PhaseDraining)
	} else {
		c.setPhase(megakernel.PhaseResident)
	}
	now := c.beginSlice(f)
	pending, err := f.pipeline.Start(context.Background(), c.bindings, engine.DispatchConfig{
		Label: cmp.Or(c.options.Label, c.kernel.Config.Name), Grid: [3]uint32{uint32(now.Workers), 1, 1},
	})
	if err != nil {
		return err
	}
	timer := time.AfterFunc(now.Slice, c.endSlice)
	_, err = pending.Wait(context.Background())
	timer.Stop()
	c.notes.noteUndefined(pending, f)
	if err != nil {
		return err
	}
	c.tally.keepCounters()
	c.breakpoints.keepHits(f)
	if slice := c.slice.Load(); c.outbox.Load(megakernel.OutEndedSlice) != slice || c.outbox.Load(megakernel.OutEndReason) == 0 {
		return &fault.Error{
			Kind: ErrCutShort, Detail: fmt.Sprintf("slice %d ended without its workers having left it; the driver cut the kernel short", slice),
			Fix: "use fewer iterations per activation (workload.toml) or run `vyretop doctor` to see the device's loop limit",
		}
	}
	return nil
}

// beginSlice writes the settings of the next slice. No slice is running.
func (c *slicer) beginSlice(f *form) megakernel.Settings {
	before, now := c.tuning.take()
	slice := c.slice.Add(1)
	if now.Workers < before.Workers {
		c.markAbsent(now.Workers)
	}
	every := c.tuning.sampling.next(&now, c.tally.counters(), c.profile.SoftwareDevice.Or(true))
	burst := now.Burst
	if every == 1 && f.kernel.LogsPasses() {
		burst = 1 // a pass notes the last activation of each of its tasks
	}
	settings := [megakernel.NumSettings]uint32{
		megakernel.SettingLogEvery:     every - 1,
		megakernel.SettingVersion:      megakernel.ProtocolVersion,
		megakernel.SettingSlice:        slice,
		megakernel.SettingWorkers:      uint32(now.Workers),
		megakernel.SettingLanes:        uint32(min(now.Lanes, f.kernel.Config.WorkgroupSize)),
		megakernel.SettingIterations:   f.limits.iterations,
		megakernel.SettingIdle:         idlePasses(&c.options, c.profile, now.Workers),
		megakernel.SettingActivation:   f.limits.activation,
		megakernel.SettingStarvation:   now.Starvation,
		megakernel.SettingLog:          now.Log,
		megakernel.SettingPasses:       passes,
		megakernel.SettingPassCost:     f.kernel.Costs.Pass,
		megakernel.SettingScheduleCost: f.kernel.Costs.Schedule + burst*f.kernel.Costs.Burst,
		megakernel.SettingPlanCost:     f.kernel.Costs.Plan,
		megakernel.SettingWaitCost:     f.kernel.Costs.Wait,
		megakernel.SettingPollers:      pollers(c.profile, now.Workers),
		megakernel.SettingUrgency:      urgency(now.PriorityOffset),
		megakernel.SettingAging:        now.Aging,
		megakernel.SettingTickCost:     f.kernel.Costs.Tick,
		megakernel.SettingBurst:        burst,
		megakernel.SettingBurstEnd:     f.limits.burst,
		megakernel.SettingBreaks:       c.breakpoints.breakSteps,
	}
	setLogOpcodes(settings[megakernel.SettingLogOpcodes:], now.LogOpcodes)
	c.inbox.CopyFrom(megakernel.InboxSettings, settings[:])
	if c.stopping.Load() || c.reads.waiting.Load() > 0 || c.tuning.pending() || c.forms.nextForm.Load() != nil {
		c.endSlice() // asked for between two slices: the request named the slice before
	}
	c.changed.fire()
	return now
}

// hasWork reports whether another slice would find something to do. No slice is running.
func (c *slicer) hasWork() bool {
	c.reapFaulted()
	if c.forms.onCore() && c.outbox.Load(megakernel.OutEndReason) == megakernel.EndService {
		return true
	}
	if c.inbox.Load(megakernel.InboxCommands) != c.outbox.Load(megakernel.OutCommandsTaken) {
		return true
	}
	if c.publisher.untaken() {
		if c.tally.liveTasks() < uint64(c.kernel.Layout.ImportSlots()) {
			return true // fewer tasks than slots for them
		}
		c.view.fetchSlots()
		if c.view.importable() {
			return true
		}
	}
	return c.runnable() && (!c.tuning.allPaused() || c.commander.unanswered(true)) || c.commander.unanswered(false)
}

// runnable reports whether tasks are ready, or may become so by an epoch that was asked for. Where all workers are paused, that
// can wait. No slice is running.
func (c *slicer) runnable() bool {
	return c.outbox.Load(megakernel.OutRunnable) != 0 || c.inbox.Load(megakernel.InboxEpochs) != c.epochsSeen()
}

// untaken reports whether a task has been published, or is about to be, that the device has not taken. A
// publisher looks at the phase after it has reserved entries, and the slicer for reserved entries after it
// has changed the phase: one of them sees the other.
func (p *publisher) untaken() bool {
	return uint32(p.queue.count()) != p.outbox.Load(megakernel.OutTasksTaken)
}

// liveTasks is how many slots hold tasks. No slice is running.
func (t *tally) liveTasks() uint64 {
	c := t.counters()
	return c[megakernel.CountImported] + c[megakernel.CountSpawned] - c[megakernel.CountDone] - c[megakernel.CountReaped]
}

// epochsSeen is how many epoch requests the kernel has taken: the poller reads them all at once, so
// a slice that ended has taken those that were there when it last polled.
func (l *life) epochsSeen() uint32 { return l.outbox.Load(megakernel.OutEpochsTaken) }

// importable reports whether there is a free slot for a task of the host; while a slice is running the
// answer may be out of date.
func (v *slotView) importable() bool {
	for i := range v.kernel.Layout.ImportSlots() {
		switch tasks.State(v.slotWords(i).Load(tasks.WordState)) {
		case tasks.Empty, tasks.Done:
			return true
		}
	}
	return false
}

// park waits until there is something to do. A caller rings after having written what is
// new, and we look again after having drained the bell, so nothing is missed.
func (c *slicer) park() {
	c.view.fetchSlots()
	c.markAbsent(0)
	c.setPhase(megakernel.PhaseParked)
	for !c.stopping.Load() && !c.hasWork() && !c.tuning.pending() && c.forms.nextForm.Load() == nil {
		c.reads.serve()
		<-c.wake
	}
}

// Drain refuses new tasks from now on and waits until everything published has ended or waits for
// something that only the host can do (a held task, an epoch, a resume).
func (s *Session) Drain(ctx context.Context) error {
	if err := s.usable("drain"); err != nil {
		return err
	}
	s.draining.Store(true)
	s.queue.close()
	s.wakeUp()
	return s.await(ctx, "drain", s.atRest)
}

// atRest reports whether the session is parked and has taken everything published and every epoch. A session that is parked
// after the number of a slice was read has ended that slice.
func (s *Session) atRest() bool {
	slice := s.slice.Load()
	rests := s.Phase() == megakernel.PhaseParked && !s.untaken() && (!s.runnable() || s.allPaused()) && !s.io.awaitsIO()
	return rests && s.slice.Load() == slice // none has begun while we looked
}

// AwaitRest waits until nothing is left that the kernel could do by itself.
func (s *Session) AwaitRest(ctx context.Context) error {
	return s.await(ctx, "wait for rest", s.atRest)
}
