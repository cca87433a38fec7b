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

// slicer runs slices until the session is stopped or fails.
func (s *Session) slicer() {
	defer func() {
		s.stopIO()
		s.queue.close()
		s.changed.fire()
		close(s.ended)
	}()
	for !s.stopping.Load() {
		err := s.full.takeFull(&s.forms)
		if err == nil {
			err = s.runSlice()
		}
		if err != nil {
			s.failure = err
			s.setPhase(megakernel.PhaseLost)
			s.events("error", err.Error())
			return
		}
		if s.control.Load(megakernel.CtrlShutdown) != 0 && !s.stopping.Swap(true) {
			s.events("phase", "a task has shut the kernel down")
		}
		if !s.stopping.Load() && !s.hasWork() && !s.lingers() {
			s.park()
		}
	}
	s.fetchSlots()
	s.markAbsent(0)
	s.setPhase(megakernel.PhaseStopped)
}

// linger is how long an idle session continues launching slices before it parks: what comes next is then
// noticed in a microsecond, and not after a launch.
const linger = 100 * time.Millisecond

// lingers reports whether an idle session should launch another slice nevertheless. A worker that
// left because it was idle has waited long enough.
func (s *Session) lingers() bool {
	done := s.outbox.Load(megakernel.OutCommandsTaken)
	for c := range megakernel.NumCounters {
		if c != megakernel.CountEmpty {
			done += s.outbox.Load(megakernel.OutCounters + c)
		}
	}
	if done != s.lastDone {
		s.lastDone, s.lastBusy = done, time.Now()
	}
	return s.outbox.Load(megakernel.OutEndReason) == megakernel.EndIterations && time.Since(s.lastBusy) < linger
}

// markAbsent says in the worker table that the workers from the n-th on are in no slice. Those of the last slice that are in
// the next one, too, never seem to be away. No slice is running.
func (s *Session) markAbsent(n int) {
	for w := n; w < int(s.mostWorkers()); w++ {
		at := w * megakernel.WorkerWords
		s.workers.Store(at+megakernel.WkSlot, megakernel.NoSlot)
		if s.workers.Load(at+megakernel.WkState) != uint32(megakernel.WorkerPaused) {
			s.workers.Store(at+megakernel.WkState, uint32(megakernel.WorkerAbsent))
		}
	}
}

// runSlice launches one slice and waits for its end.
func (s *Session) runSlice() error {
	s.reads.between.Lock()
	defer s.reads.between.Unlock()
	f := s.takeForm()
	if s.draining.Load() { // before the slice has its number: atRest relies on it
		s.setPhase(megakernel.PhaseDraining)
	} else {
		s.setPhase(megakernel.PhaseResident)
	}
	now := s.beginSlice(f)
	pending, err := f.pipeline.Start(context.Background(), s.bindings, engine.DispatchConfig{
		Label: cmp.Or(s.options.Label, s.kernel.Config.Name), Grid: [3]uint32{uint32(now.Workers), 1, 1},
	})
	if err != nil {
		return err
	}
	timer := time.AfterFunc(now.Slice, s.endSlice)
	_, err = pending.Wait(context.Background())
	timer.Stop()
	s.noteUndefined(pending)
	if err != nil {
		return err
	}
	s.keepCounters()
	s.keepHits(f)
	if slice := s.slice.Load(); s.outbox.Load(megakernel.OutEndedSlice) != slice || s.outbox.Load(megakernel.OutEndReason) == 0 {
		return &fault.Error{
			Kind: ErrCutShort, Detail: fmt.Sprintf("slice %d ended without its workers having left it; the driver cut the kernel short", slice),
			Fix: "use fewer iterations per activation (workload.toml) or run `vyretop doctor` to see the device's loop limit",
		}
	}
	return nil
}

// beginSlice writes the settings of the next slice. No slice is running.
func (s *Session) beginSlice(f *form) megakernel.Settings {
	s.tuning.mu.Lock()
	before := s.tuning.now
	s.tuning.now = s.tuning.next
	now := s.tuning.now
	s.tuning.most = max(s.tuning.most, now.Workers)
	slice := s.slice.Add(1)
	s.tuning.mu.Unlock()
	if now.Workers < before.Workers {
		s.markAbsent(now.Workers)
	}
	every := s.sampling.next(&now, s.counters(), s.profile.SoftwareDevice.Or(true))
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
		megakernel.SettingIdle:         idlePasses(&s.options, s.profile, now.Workers),
		megakernel.SettingActivation:   f.limits.activation,
		megakernel.SettingStarvation:   now.Starvation,
		megakernel.SettingLog:          now.Log,
		megakernel.SettingPasses:       passes,
		megakernel.SettingPassCost:     f.kernel.Costs.Pass,
		megakernel.SettingScheduleCost: f.kernel.Costs.Schedule + burst*f.kernel.Costs.Burst,
		megakernel.SettingPlanCost:     f.kernel.Costs.Plan,
		megakernel.SettingWaitCost:     f.kernel.Costs.Wait,
		megakernel.SettingPollers:      pollers(s.profile, now.Workers),
		megakernel.SettingUrgency:      urgency(now.PriorityOffset),
		megakernel.SettingAging:        now.Aging,
		megakernel.SettingTickCost:     f.kernel.Costs.Tick,
		megakernel.SettingBurst:        burst,
		megakernel.SettingBurstEnd:     f.limits.burst,
		megakernel.SettingBreaks:       s.breakSteps,
	}
	setLogOpcodes(settings[megakernel.SettingLogOpcodes:], now.LogOpcodes)
	s.inbox.CopyFrom(megakernel.InboxSettings, settings[:])
	if s.stopping.Load() || s.reads.waiting.Load() > 0 || s.tuning.pending() || s.nextForm.Load() != nil {
		s.endSlice() // asked for between two slices: the request named the slice before
	}
	s.changed.fire()
	return now
}

// hasWork reports whether another slice would find something to do. No slice is running.
func (s *Session) hasWork() bool {
	s.reapFaulted()
	if s.onCore() && s.outbox.Load(megakernel.OutEndReason) == megakernel.EndService {
		return true
	}
	if s.inbox.Load(megakernel.InboxCommands) != s.outbox.Load(megakernel.OutCommandsTaken) {
		return true
	}
	if s.untaken() {
		if s.liveTasks() < uint64(s.kernel.Layout.ImportSlots()) {
			return true // fewer tasks than slots for them
		}
		s.fetchSlots()
		if s.importable() {
			return true
		}
	}
	return runnable(s) && !s.allPaused() || s.unanswered()
}

// runnable reports whether tasks are ready, or may become so by an epoch that was asked for. Where all workers are paused, that
// can wait. No slice is running.
func runnable(s *Session) bool {
	return s.outbox.Load(megakernel.OutRunnable) != 0 || s.inbox.Load(megakernel.InboxEpochs) != s.epochsSeen()
}

// untaken reports whether a task has been published, or is about to be, that the device has not taken. A
// publisher looks at the phase after it has reserved entries, and the slicer for reserved entries after it
// has changed the phase: one of them sees the other.
func (p *publisher) untaken() bool {
	return uint32(p.queue.count()) != p.outbox.Load(megakernel.OutTasksTaken)
}

// liveTasks is how many slots hold tasks. No slice is running.
func (s *Session) liveTasks() uint64 {
	c := s.counters()
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
func (s *Session) park() {
	s.fetchSlots()
	s.markAbsent(0)
	s.setPhase(megakernel.PhaseParked)
	for !s.stopping.Load() && !s.hasWork() && !s.tuning.pending() && s.nextForm.Load() == nil {
		<-s.wake
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
	rests := s.Phase() == megakernel.PhaseParked && !s.untaken() && (!runnable(s) || s.allPaused()) && !s.awaitsIO()
	return rests && s.slice.Load() == slice // none has begun while we looked
}

// AwaitRest waits until nothing is left that the kernel could do by itself.
func (s *Session) AwaitRest(ctx context.Context) error {
	return s.await(ctx, "wait for rest", s.atRest)
}
