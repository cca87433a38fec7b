package resident_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/glsl/source"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// patience bounds what a test waits for; no test needs a part of it, even on a host with ten times as much to do as it
// can. Some drivers compile for half a minute.
const patience = 5 * time.Minute

func deadline(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

const opWork = 16

// core has the sessions of all tests begin with the core variant.
var core = flag.Bool("core", false, "begin with the core variant of the kernel")

func assemble(t testing.TB, b engine.Backend, handlers string, lanes int, names ...string) *kernel.Kernel {
	return assembleWith(t, b, kernel.Config{WorkgroupSize: lanes}, handlers, names...)
}

// assembleWith fills in what c leaves open.
func assembleWith(t testing.TB, b engine.Backend, with kernel.Config, handlers string, names ...string) *kernel.Kernel {
	c := kernel.Config{
		Name: t.Name(), WorkgroupSize: with.WorkgroupSize, NoEvents: with.NoEvents, IndexChecks: with.IndexChecks,
		Slots: cmp.Or(with.Slots, 256), InboxTasks: cmp.Or(with.InboxTasks, 64), Completions: cmp.Or(with.Completions, 1024), LogRecords: 1024,
		Sources: []*source.File{{Name: "handlers.glsl", Text: handlers}},
	}
	c.Suit(b.Profile())
	c.Mirror, c.OneLoop = c.Mirror || with.Mirror, c.OneLoop || with.OneLoop
	for i, n := range names {
		c.Handlers = append(c.Handlers, kernel.Handler{Opcode: opWork + uint32(i), Name: n, Function: n})
	}
	k, err := kernel.Assemble(c)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func start(t testing.TB, b engine.Backend, k *kernel.Kernel, o resident.Options) *resident.Session {
	if o.Activation == 0 {
		o.Activation = 256
	}
	if o.Core == resident.CoreAuto { // the driver's caches must not decide which variant a test is of
		o.Core = resident.CoreOff
		if _, counted := b.(interface{ countsCompilations() }); *core && !counted {
			o.Core = resident.CoreHeld
		}
	}
	s, err := resident.Start(deadline(t), b, k, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func work(n int, edit func(i int, t *tasks.Task)) []tasks.Task {
	ts := make([]tasks.Task, n)
	for i := range ts {
		ts[i] = tasks.Task{Opcode: opWork, Priority: tasks.Normal}
		if edit != nil {
			edit(i, &ts[i])
		}
	}
	return ts
}

func collect(t testing.TB, s *resident.Session, n int) []megakernel.Completion {
	var out []megakernel.Completion
	for len(out) < n {
		var err error
		if out, err = s.Collect(deadline(t), out); err != nil {
			t.Fatalf("after %d of %d completions: %v\n%s", len(out), n, err, describe(s))
		}
	}
	return out
}

// awaitImport waits until everything published is in a slot.
func awaitImport(t testing.TB, s *resident.Session) {
	for ctx := deadline(t); ; backendtest.Breathe() {
		if snap := s.Snapshot(); uint64(snap.InboxTaken) == snap.Submitted {
			return
		}
		if ctx.Err() != nil {
			t.Fatalf("the tasks are still in the inbox\n%s", describe(s))
		}
	}
}

// awaitPhase waits until the session is in a phase.
func awaitPhase(t testing.TB, s *resident.Session, p megakernel.Phase) {
	for ctx := deadline(t); s.Phase() != p; backendtest.Breathe() {
		if ctx.Err() != nil {
			t.Fatalf("the session is not %s\n%s", p, describe(s))
		}
	}
}

// describe renders what the scheduler believes, for the message of a failed test.
func describe(s *resident.Session) string {
	var b strings.Builder
	sched := s.Buffer("sched")
	for line := range 10 {
		if sched == nil {
			break // in device memory
		}
		fmt.Fprintf(&b, "sched line %d: ", line)
		for i := range 8 {
			fmt.Fprintf(&b, "%d ", int32(sched.Load(line*megakernel.LineWords+i)))
		}
		b.WriteByte('\n')
	}
	snap := s.Snapshot()
	states, _ := snap.StateCounts()
	fmt.Fprintf(&b, "phase %s slice %d shape %v slots by state %v counters %v taken %d of %d\n", snap.Phase, snap.Slice, s.Shape(), states, snap.Counters, snap.InboxTaken, snap.Submitted)
	for _, w := range snap.WorkerRecords() {
		fmt.Fprintf(&b, "worker %d: %s heartbeat %d slices %d iterations %d\n", w.ID, w.State, w.Heartbeat, w.Slices, snap.WorkerTable[w.ID*megakernel.WorkerWords+megakernel.WkIterations])
	}
	return b.String()
}
