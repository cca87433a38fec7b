package health_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/glsl/source"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/health"
	"vyretop/megakernel/ioservice"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// planted are handlers that do not end their tasks while the gate is closed, each for another reason.
const planted = `
layout(std430, binding = 8) coherent volatile buffer Gate { uint gate_open; };
void counts(inout Task t) {
    if (gate_open == 0u) { task_yield(t, t.continuation_pc + 1u, 0u); }
}
void spins(inout Task t) {
    if (gate_open == 0u) { task_yield(t, 0u, 0u); }
}
void waits(inout Task t) {
    if (gate_open == 0u) { task_pause_for(t, t.param, vt_epoch() + 1u, 0u, 0u); }
}
void breeds(inout Task t) {
    if (gate_open != 0u) { return; }
    task_yield(t, task_spawn(t, 0x102u, PRIORITY_NORMAL, 0u, 0u, WAIT_ANY) ? t.continuation_pc + 1u : t.continuation_pc, 0u);
}
void reads(inout Task t) {
    if (page_hold(0u, PAGE_NONE) == PAGE_NONE) { page_wait(t, 0u, 0u); return; }
    page_drop(0u);
}
`

const (
	opCounts = 0x100 + iota
	opSpins
	opWaits
	opBreeds
	opReads
)

// slow is a page source that does not answer until it is told to.
type slow struct{ answer chan struct{} }

func (s slow) Name(uint32) string { return "slow" }

func (s slow) ReadPage(_ uint32, p []byte, _ int64) (int, error) {
	<-s.answer
	return len(p), nil
}

// bench is a session with the planted handlers.
type bench struct {
	*testing.T
	*resident.Session
	ctx   context.Context
	pages slow
}

func startBench(t *testing.T, b engine.Backend) *bench {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute) // some drivers compile for half a minute
	t.Cleanup(cancel)
	c := kernel.Config{
		Name: "planted", WorkgroupSize: 8, Slots: 256, InboxTasks: 64, Completions: 1024, LogRecords: 1024, NoEvents: true, Pages: true,
		Sources: []*source.File{{Name: "planted.glsl", Text: planted}},
	}
	for i, name := range []string{"counts", "spins", "waits", "breeds", "reads"} {
		c.Handlers = append(c.Handlers, kernel.Handler{Opcode: uint32(opCounts + i), Name: name, Function: name})
	}
	c.Suit(b.Profile())
	k, err := kernel.Assemble(c)
	if err != nil {
		t.Fatal(err)
	}
	x := &bench{T: t, ctx: ctx, pages: slow{make(chan struct{})}}
	x.Session, err = resident.Start(ctx, b, k, resident.Options{
		Workers: 2, Activation: 600,
		Buffers: []resident.BufferInit{{Name: "gate", Binding: 8, Words: 1, Placement: engine.HostVisible}},
		Pages:   &ioservice.Pages{List: []megakernel.Page{{Bytes: 64}}, Frames: 1, Bytes: 64, Source: x.pages},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	return x
}

// must fails the test with an error.
func (x *bench) must(err error) {
	x.Helper()
	if err != nil {
		x.Fatal(err)
	}
}

// plant publishes tasks.
func (x *bench) plant(n int, task tasks.Task) {
	x.Helper()
	task.Priority = tasks.Normal
	list := make([]tasks.Task, n)
	for i := range list {
		list[i] = task
	}
	x.must(x.Publish(x.ctx, list))
	for s := x.Snapshot(); uint64(s.InboxTaken) < s.Submitted; s = x.Snapshot() {
		backendtest.Breathe()
		x.must(x.ctx.Err())
	}
}

// see waits for a verdict over a window with that many activations, and holds its words against a pattern.
func (x *bench) see(kind health.Kind, activations uint64, words string) *health.Report {
	x.Helper()
	before := x.after(x.Snapshot(), activations) // what was before is counted by then
	for ; ; backendtest.Breathe() {
		now := x.after(before, activations)
		r := health.Explain(now, before)
		if r.Kind == kind {
			if text := r.Health.String(); !regexp.MustCompile("^"+words).MatchString(text) || r.Stalled != kind.Bad() {
				x.Errorf("%s, stalled %v: %q, want %q", kind, r.Stalled, text, words)
			}
			return r
		}
		if x.ctx.Err() != nil || activations > 0 { // enough that nothing of what was before counts
			x.Fatalf("%s: %q, want %s", r.Kind, r.Health, kind)
		}
		before = now
	}
}

// after is a snapshot that many activations after another, in which every worker has run: the operating system may keep
// one of a software device waiting, and one that did not run is inside one activation all the time.
func (x *bench) after(before *megakernel.Snapshot, activations uint64) *megakernel.Snapshot {
	for {
		now := x.Snapshot()
		if now.Counters[megakernel.CountActivations]-before.Counters[megakernel.CountActivations] >= activations && (activations == 0 || allRan(now, before)) {
			return now
		}
		backendtest.Breathe()
		x.must(x.ctx.Err())
	}
}

// allRan reports whether each worker has made a pass between two snapshots.
func allRan(now, before *megakernel.Snapshot) bool {
	earlier := before.WorkerRecords()
	for i, w := range now.WorkerRecords()[:now.Workers] {
		if w.Heartbeat == earlier[i].Heartbeat {
			return false
		}
	}
	return true
}

// clear opens the gate until every task has ended, and closes it.
func (x *bench) clear() {
	x.Helper()
	x.Buffer("gate").Store(0, 1)
	// A handler that read the closed gate may read the epoch, which it waits for the end of, after the first of these.
	for x.must(x.AdvanceEpoch(x.ctx)); x.Judged().Kind != health.Idle; backendtest.Breathe() {
		x.must(x.AdvanceEpoch(x.ctx))
	}
	x.Buffer("gate").Store(0, 0)
	x.Poll(nil)
}

// Judged is the verdict on one snapshot.
func (x *bench) Judged() health.Health { return health.Judge(x.Snapshot(), nil) }

func (x *bench) set(setting megakernel.SettingID, index int, value int64) {
	x.Helper()
	_, err := x.Apply(x.ctx, megakernel.Setting{ID: setting, Index: index, Value: value})
	x.must(err)
}

func (x *bench) command(op megakernel.CommandOp) {
	x.Helper()
	ack, err := x.Do(x.ctx, megakernel.Command{Op: op})
	if err == nil && ack.Result != megakernel.AckApplied {
		err = errors.New(ack.Result.String())
	}
	x.must(err)
}

// enough activations that each worker has told of some that began after the earlier snapshot.
const enough = 20_000

// TestPlantedVerdicts: a run that yields as it should was called stalled, so was one that a breakpoint held, and a ring
// full of parents was said to spin.
func TestPlantedVerdicts(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		x := startBench(t, b)
		t.Run("idle", func(*testing.T) { x.see(health.Idle, 0, "idle: no task waits or runs$") })
		for name, f := range map[string]func(*bench){
			"yields with changing words": plantedProgress, "spins": plantedSpin, "breakpoint": plantedBreak, "paused": plantedPause,
			"host": plantedWaits, "tenants": plantedTenants, "ring": plantedRing, "starving": plantedStarving,
		} {
			t.Run(name, func(t *testing.T) {
				x.T = t
				defer x.clear()
				f(x)
			})
		}
		x.T = t
		x.must(x.Stop(x.ctx))
		x.see(health.Finished, 0, "finished: every task has ended$")
	})
}

func plantedProgress(x *bench) {
	x.plant(4, tasks.Task{Opcode: opCounts})
	r := x.see(health.Working, enough, `working: 4 tasks, 0 ended within `)
	for _, w := range r.Workers {
		if w.Verdict == health.Spinning {
			x.Errorf("worker %d is said to spin: %s", w.ID, w.Why)
		}
	}
}

func plantedSpin(x *bench) {
	x.plant(4, tasks.Task{Opcode: opSpins})
	x.see(health.Spins, enough, `stalled: spinning: \d+ activations changed no word of 4 tasks; nothing changed within `)
}

func plantedBreak(x *bench) {
	at := breakpoint.Breakpoint{Condition: "op=spins", Program: breakpoint.Program{{Field: tasks.WordOpcode, Accept: breakpoint.Equal, Value: opSpins}}}
	s, err := x.Arm(x.ctx, at)
	x.must(err)
	x.plant(3, tasks.Task{Opcode: opSpins})
	r := x.see(health.AtBreak, 0, fmt.Sprintf("held by breakpoint %d: [123] tasks?$", s.ID))
	for r.Tasks < 3 {
		r = x.see(health.AtBreak, 0, "held by breakpoint")
	}
	if c := r.Culprit(); c == nil || c.Kind != health.ForBreak || c.Needs != fmt.Sprintf("resumed: breakpoint %d holds it", s.ID) {
		x.Errorf("the tasks wait for %+v", c)
	}
	x.must(x.Disarm(x.ctx, s.ID))
	x.command(megakernel.OpResumeAll) // it left what breakpoints hold where it was
	x.see(health.Spins, enough, "stalled: spinning: ")
}

func plantedPause(x *bench) {
	x.plant(2, tasks.Task{Opcode: opCounts})
	x.see(health.Working, enough, "working: ")
	x.command(megakernel.OpPauseAll)
	x.see(health.AllPaused, 0, "paused: all workers; 2 tasks left$")
	x.command(megakernel.OpResumeAll)
	x.see(health.Working, enough, "working: ")
	for task := range tasksOf(x.Snapshot()) {
		_, err := x.Do(x.ctx, megakernel.Command{Op: megakernel.OpPauseTask, Task: task.id, Slot: task.slot})
		x.must(err)
	}
	x.see(health.Held, 0, `held: a command has paused 2 tasks$`)
	for task := range tasksOf(x.Snapshot()) {
		_, err := x.Do(x.ctx, megakernel.Command{Op: megakernel.OpResumeTask, Task: task.id, Slot: task.slot})
		x.must(err)
	}
	x.see(health.Working, enough, "working: ")
}

// paused is how many tasks have paused themselves.
func (x *bench) paused() (n int) {
	s := x.Snapshot()
	for slot := range s.NumSlots() {
		if tasks.State(s.Slot(slot)[tasks.WordState]) == tasks.Paused {
			n++
		}
	}
	return n
}

type placed struct{ id, slot uint32 }

// tasksOf are the tasks of a snapshot that have not ended.
func tasksOf(s *megakernel.Snapshot) func(func(placed) bool) {
	return func(yield func(placed) bool) {
		for slot := range s.NumSlots() {
			w := s.Slot(slot)
			if state := tasks.State(w[tasks.WordState]); state != tasks.Empty && !state.Terminal() && !yield(placed{w[tasks.WordTaskID], uint32(slot)}) {
				return
			}
		}
	}
}

func plantedWaits(x *bench) {
	for _, w := range []struct {
		why   tasks.Reason
		kind  health.Kind
		words string
	}{
		{tasks.ReasonNone, health.AwaitsEpoch, `stalled: 5 tasks wait for epoch \d+, and the epoch is \d+; nothing`},
		{tasks.ReasonOutput, health.OutFull, `stalled: output buffer full: 5 tasks wait for the host to drain it; nothing`},
		{tasks.ReasonInput, health.NoInput, `stalled: no input: 5 tasks wait for the host to provide data; nothing`},
	} {
		x.plant(5, tasks.Task{Opcode: opWaits, Param: uint32(w.why)})
		for x.see(w.kind, 0, "stalled: ").Tasks < 5 { // on their way
		}
		x.see(w.kind, 0, w.words)
		x.clear()
	}
	x.plant(1, tasks.Task{Opcode: opReads})
	r := x.see(health.AwaitsIO, 0, `stalled: IO unanswered: 1 task waits for the host to answer a read; nothing`)
	if c := r.Culprit(); c == nil || c.Kind != health.ForIO {
		x.Errorf("the task waits for %+v", c)
	}
	close(x.pages.answer)
}

func plantedTenants(x *bench) {
	x.plant(2, tasks.Task{Opcode: opCounts, Tenant: 3})
	x.set(megakernel.TenantMaskSetting, 3, 0)
	x.see(health.Masked, 0, `stalled: tenant masked: [12] tasks? waits? for tenant 3 to be allowed; nothing`)
	x.set(megakernel.TenantMaskSetting, 3, 1)
	x.set(megakernel.TenantQuotaSetting, 3, 1)
	x.plant(2, tasks.Task{Opcode: opCounts, Tenant: 4})
	for {
		r := x.see(health.Working, enough, "working: 4 tasks")
		if c := r.Culprit(); c != nil {
			if c.Kind != health.ForQuota || c.Word != "control.tenant_quota[3]" || c.Value != 1 {
				x.Errorf("the tasks wait for %+v", c)
			}
			break
		}
	}
	x.set(megakernel.TenantQuotaSetting, 3, megakernel.DefaultQuota)
}

func plantedStarving(x *bench) {
	x.set(megakernel.StarvationSetting, 0, 1<<30)
	defer x.set(megakernel.StarvationSetting, 0, 1024)
	for _, t := range []struct {
		n        int
		priority tasks.Priority
	}{{40, tasks.Critical}, {5, tasks.Normal}} {
		list := make([]tasks.Task, t.n)
		for i := range list {
			list[i] = tasks.Task{Opcode: opCounts, Priority: t.priority}
		}
		x.must(x.Publish(x.ctx, list))
	}
	for r := x.see(health.Working, enough, "working: "); r.Starve != 5; r = x.see(health.Working, enough, "working: ") { // until all are imported
		x.must(x.ctx.Err())
	}
	r := x.see(health.Working, enough, `working: 45 tasks, 0 ended within .*; 5 tasks wait for a turn while other priorities are served`)
	if c := r.Culprit(); c == nil || c.Kind != health.ForTurn || c.Count != 5 {
		x.Errorf("the tasks wait for %+v", c)
	}
}

func plantedRing(x *bench) {
	const tenant = 5
	x.set(megakernel.TenantMaskSetting, tenant, 0) // else the first parents fill the ring before the last are imported
	x.plant(32, tasks.Task{Opcode: opBreeds, Tenant: tenant})
	x.set(megakernel.TenantMaskSetting, tenant, 1)
	for children := 0; children < 256-32; children = x.paused() { // the last may be slow to run, which is progress
		x.must(x.ctx.Err())
	}
	r := x.see(health.RingFull, enough, `stalled: ring full: 32 tasks wait for a slot; nothing`)
	if c := r.Culprit(); c == nil || c.Kind != health.ForSlot || c.Count != 32 { // not the 224 that wait for the epoch, nor but those that do not run
		x.Errorf("the tasks wait for %+v", c)
	}
	for _, w := range r.Workers {
		if w.Verdict == health.Spinning {
			x.Errorf("worker %d is said to spin: %s", w.ID, w.Why)
		}
	}
}
