package resident_test

import (
	"context"
	"flag"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

var soakFor = flag.Duration("soak", 2*time.Second, "how long TestSoak runs on each backend")

// TestSoak runs tasks of all outcomes at full speed, round after round, session after session, while
// commands, epochs and retunes come at random. Whenever a session is at rest the counts must be exact;
// in the end nothing may have been left behind, and memory must not have grown since the start.
func TestSoak(t *testing.T) {
	for name, open := range backendtest.All {
		t.Run(name, func(t *testing.T) {
			before := goleak.IgnoreCurrent()
			t.Cleanup(func() { goleak.VerifyNone(t, before) }) // after the backend has been closed
			b := open(t)
			k := shared(t, b)
			var grown growth
			var sum soakTotals
			for began := time.Now(); time.Since(began) < *soakFor && !t.Failed(); {
				soakSession(t, b, k, rand.New(rand.NewPCG(99, uint64(sum.Sessions))), &sum)
				grown.sample(t, time.Since(began))
			}
			t.Logf("%+v", sum)
			grown.check(t)
		})
	}
}

// soakTotals is what a soak did.
type soakTotals struct {
	Sessions                                                  int
	Tasks, Spawned, Activations, Faulted, Commands, Log, Lost uint64
}

const (
	soakRounds = 8
	soakTasks  = 250 // a round
)

// soakRun is one session of a soak and what its counters must be.
type soakRun struct {
	*testing.T
	s    *resident.Session
	rng  *rand.Rand
	want struct{ published, faulted, activations uint32 } // without what was spawned
	log  struct {
		reader  *megakernel.LogReader
		records []megakernel.LogRecord
		read    uint64
	}
	commands atomic.Uint64
}

// soakSession starts a session, runs rounds on it and closes it.
func soakSession(t *testing.T, b engine.Backend, k *kernel.Kernel, rng *rand.Rand, sum *soakTotals) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	s, err := resident.Start(ctx, b, k, resident.Options{Workers: 1 + rng.IntN(3), Activation: 256, Starvation: uint32(1 + rng.IntN(200))})
	if err != nil {
		t.Fatal(err)
	}
	r := soakRun{T: t, s: s, rng: rng}
	if r.log.reader, err = s.Log(); err != nil {
		t.Fatal(err)
	}
	for range soakRounds {
		r.round(ctx)
		r.check()
	}
	c := s.Summary().Counters
	sum.Sessions++
	sum.Tasks += c[megakernel.CountImported]
	sum.Spawned += c[megakernel.CountSpawned]
	sum.Activations += c[megakernel.CountActivations]
	sum.Faulted += c[megakernel.CountFaulted]
	sum.Commands += r.commands.Load()
	sum.Log += r.log.read
	sum.Lost += r.log.reader.Lost()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// round publishes tasks, disturbs them, reads the log now and then, and waits for rest.
func (r *soakRun) round(ctx context.Context) {
	first := r.want.published + 1
	ts := work(soakTasks, func(_ int, t *tasks.Task) {
		t.Opcode = opMixed
		t.Param = r.rng.Uint32()&^0xFF | uint32(1+r.rng.IntN(12))
		t.Priority = tasks.Priority(r.rng.IntN(tasks.NumPriorities))
		t.Tenant = uint32(r.rng.IntN(megakernel.Tenants))
		r.want.activations += t.Param & 0xFF
		r.want.faulted += t.Param >> 31
	})
	r.want.published += soakTasks
	disturbed, stop := context.WithCancel(ctx)
	seed := r.rng.Uint64()
	var others sync.WaitGroup
	others.Go(func() {
		ids := func(rng *rand.Rand) uint32 { return first + uint32(rng.IntN(soakTasks)) }
		r.commands.Add(disturb(disturbed, r.T, r.s, ids, 8, rand.New(rand.NewPCG(seed, 1))))
	})
	others.Go(func() {
		if err := r.s.Publish(ctx, ts); err != nil {
			r.Error(err)
		}
	})
	r.collect(ctx, ts, first)
	stop()
	others.Wait()
	if _, err := r.s.Do(ctx, megakernel.Command{Op: megakernel.OpResumeAll}); err != nil {
		r.Fatal(err)
	}
	if err := r.s.AwaitRest(ctx); err != nil {
		r.Fatalf("%v\n%s", err, describe(r.s))
	}
}

// collect takes the completions of a round, each of which must come once and tell of all activations.
func (r *soakRun) collect(ctx context.Context, ts []tasks.Task, first uint32) {
	var seen [soakTasks]bool
	var got []megakernel.Completion
	for n := 0; n < soakTasks; n += len(got) {
		var err error
		if got, err = r.s.Collect(ctx, got[:0]); err != nil {
			r.Fatalf("after %d of %d completions: %v\n%s", n, soakTasks, err, describe(r.s))
		}
		for _, c := range got {
			i := c.Task - first
			if i >= soakTasks || seen[i] {
				r.Fatalf("task %d ended twice, or is none of %d to %d", c.Task, first, first+soakTasks-1)
			}
			seen[i] = true
			if faulted := ts[i].Param>>31 != 0; c.Output != ts[i].Param&0xFF || (c.State == tasks.Faulted) != faulted {
				r.Errorf("task %d with param %#x: %+v", c.Task, ts[i].Param, c)
			}
		}
		if r.want.published/soakTasks%2 == 0 { // in the other rounds the log overtakes its reader
			r.readLog()
		}
	}
}

func (r *soakRun) readLog() {
	r.log.records, _ = r.log.reader.Read(r.log.records[:0], 1<<20)
	r.log.read += uint64(len(r.log.records))
}

// check compares the counters of a session at rest with what they must be. Counters and cursors are
// 32 bits wide and wrap.
func (r *soakRun) check() {
	r.Helper()
	r.readLog()
	var c [megakernel.NumCounters]uint32
	for i, n := range r.s.Summary().Counters {
		c[i] = uint32(n)
	}
	spawned := c[megakernel.CountSpawned]
	for _, x := range []struct {
		what      string
		got, want uint32
	}{
		{"imported", c[megakernel.CountImported], r.want.published},
		{"faulted", c[megakernel.CountFaulted], r.want.faulted},
		{"done", c[megakernel.CountDone], r.want.published - r.want.faulted + spawned},
		{"activations", c[megakernel.CountActivations], r.want.activations + spawned},
		{"violations", c[megakernel.CountViolations], 0},
		{"log records", r.s.Summary().Log, r.want.activations + 2*spawned},
		{"log records read or lost", uint32(r.log.read + r.log.reader.Lost()), r.want.activations + 2*spawned},
	} {
		if x.got != x.want {
			r.Errorf("%s: %d, want %d", x.what, x.got, x.want)
		}
	}
	snap := r.s.Snapshot()
	states, _ := snap.StateCounts()
	kept := uint64(c[megakernel.CountFaulted] - c[megakernel.CountReaped])
	if uint64(states[tasks.Faulted]) != kept || uint64(states[tasks.Empty]+states[tasks.Done])+kept != uint64(snap.NumSlots()) {
		r.Errorf("slots by state %v, and %d faulted tasks are not reaped", states, kept)
	}
	if r.Failed() {
		r.Fatal(describe(r.s))
	}
}
