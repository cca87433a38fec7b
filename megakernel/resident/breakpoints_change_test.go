package resident_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// halted are the tasks that breakpoints hold.
func halted(s *resident.Session) (ids []uint32) {
	snap := s.Snapshot()
	for i := range snap.NumSlots() {
		if t := tasks.FromWords(snap.Slot(i)); t.State == tasks.Paused && t.Flags&tasks.FlagHalted != 0 {
			ids = append(ids, t.TaskID)
		}
	}
	return ids
}

// release resumes the tasks that breakpoints hold; one that others have resumed in the meantime is not an error.
func release(t *testing.T, s *resident.Session) (n int) {
	for _, id := range halted(s) {
		if _, err := s.Do(deadline(t), megakernel.Command{Op: megakernel.OpResumeTask, Task: id, Slot: resident.AnySlot}); err != nil {
			t.Error(err)
		}
		n++
	}
	return n
}

// haltSome is a breakpoint that holds many tasks, some of them again and again.
var haltSome = breakpoint.Breakpoint{Program: breakpoint.Program{
	{Field: tasks.WordContinuationPC, Accept: breakpoint.Less, Value: 12},
	{Field: tasks.WordOpcode, Accept: breakpoint.Less | breakpoint.Equal, Value: opWork + 1},
	{Kind: breakpoint.And},
}, Every: 3}

// TestResultsAreEqualWithBreakpoints: while tasks are held and resumed, breakpoints come and go in a specialized
// kernel and the shape changes, no task is lost or run twice, and each ends as without all that.
func TestResultsAreEqualWithBreakpoints(t *testing.T) {
	backendtest.OnEachVariant(t, func(t *testing.T, b engine.Backend) {
		const n = 200
		text, names := several(4)
		k := assembleWith(t, b, kernel.Config{WorkgroupSize: 8}, text, names...)
		want := endings(t, b, k, n, func(*resident.Session) {})
		got := endings(t, b, k, n, func(s *resident.Session) {
			arm(t, s, breakpoint.Breakpoint{Program: opIs(0), Action: breakpoint.Count}) // stays, so that the kernel does too
			arm(t, s, haltSome)
			if err := s.Specialize(t.Context(), opWork, opWork+2); err != nil { // compiling takes as long as it takes
				t.Error(err)
			}
			var group sync.WaitGroup
			changed := make(chan struct{})
			group.Go(func() {
				for {
					release(t, s)
					select {
					case <-changed:
						return
					default:
					}
				}
			})
			changeAtRandom(t, s)
			close(changed)
			group.Wait()
			if err := s.Disarm(t.Context(), 0); err != nil {
				t.Error(err)
			}
			for again := 1; again > 0; again = release(t, s) {
				if err := s.AwaitRest(deadline(t)); err != nil {
					t.Fatal(err, describe(s))
				}
			}
		})
		for id, c := range want {
			if got[id] != c {
				t.Errorf("with breakpoints %+v\nwithout         %+v", got[id], c)
			}
		}
	})
}

func changeAtRandom(t *testing.T, s *resident.Session) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		list := s.Breakpoints()
		one := list[rng.IntN(len(list))].ID
		var err error
		switch rng.IntN(5) {
		case 0, 1:
			if len(list) < megakernel.MaxBreaks {
				_, err = s.Arm(t.Context(), breakpoint.Breakpoint{Program: condition(rng, 1+rng.IntN(6)), Action: breakpoint.Action(rng.IntN(4)), Every: 1 + rng.Uint32N(20)})
			}
		case 2:
			err = s.Enable(t.Context(), one, one == 1 || rng.IntN(2) == 0)
		case 3:
			if one > 1 {
				err = s.Disarm(t.Context(), one)
			}
		case 4:
			err = s.Retune(t.Context(), megakernel.Shape{Workers: 1 + rng.IntN(3), Lanes: 1 + rng.IntN(8)})
		}
		if err != nil {
			t.Error(err)
		}
	}
}

// TestBreakpointsOnWhatWantsAllLanes: activations that serving runs are looked at as those in passes, once each.
func TestBreakpointsOnWhatWantsAllLanes(t *testing.T) {
	backendtest.OnEachVariant(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, steered(t, b, 8), resident.Options{Workers: 2})
		all := arm(t, s, breakpoint.Breakpoint{Program: opIs(opTogether), Action: breakpoint.Count})
		last := arm(t, s, breakpoint.Breakpoint{Program: breakpoint.Program{{Field: tasks.WordContinuationPC, Accept: breakpoint.Equal, Value: 2}}})
		const n = 40
		publish(t, s, work(n, func(_ int, x *tasks.Task) { x.Opcode, x.InputHandle = opTogether, 1 }))
		if err := s.AwaitRest(deadline(t)); err != nil {
			t.Fatal(err)
		}
		if got := breakOf(t, s, all.ID).Hits; got != 3*n {
			t.Errorf("%d activations were hit, want %d", got, 3*n)
		}
		if got := breakOf(t, s, last.ID).Hits; got != n {
			t.Errorf("%d last activations were hit, want %d", got, n)
		}
		if got := release(t, s); got != n {
			t.Errorf("%d tasks were held, want %d", got, n)
		}
		for _, c := range collect(t, s, n) {
			if c.Output != 3*36 { // 1 + 2 + … + 8, three times
				t.Fatalf("%+v", c)
			}
		}
		if got := breakOf(t, s, all.ID).Hits; got != 3*n {
			t.Errorf("resumed tasks were hit again: %d hits", got)
		}
	})
}

// stuck is a backend whose dispatches do not end while hold is locked.
type stuck struct {
	engine.Backend
	hold *sync.RWMutex
}

type stuckPipeline struct {
	engine.Pipeline
	hold *sync.RWMutex
}

type stuckPending struct {
	engine.Pending
	hold *sync.RWMutex
}

func (b stuck) Compile(ctx context.Context, p *engine.Program) (engine.Pipeline, error) {
	out, err := b.Backend.Compile(ctx, p)
	return stuckPipeline{out, b.hold}, err
}

func (p stuckPipeline) Start(ctx context.Context, bindings []engine.Binding, c engine.DispatchConfig) (engine.Pending, error) {
	out, err := p.Pipeline.Start(ctx, bindings, c)
	return stuckPending{out, p.hold}, err
}

func (p stuckPending) Wait(ctx context.Context) (engine.Timing, error) {
	p.hold.RLock()
	defer p.hold.RUnlock()
	return p.Pending.Wait(ctx)
}

// TestBreakpointsThatAreNotAcknowledged: while no boundary comes a change is pending and says so; it is made when one
// comes, together with those that were asked for behind it.
func TestBreakpointsThatAreNotAcknowledged(t *testing.T) {
	var hold sync.RWMutex
	b := stuck{backendtest.All["reference"](t), &hold}
	s := start(t, b, steered(t, b, 8), resident.Options{Workers: 1})
	first := arm(t, s, breakpoint.Breakpoint{Program: opIs(opWork + 1), Action: breakpoint.Count})
	awaitPhase(t, s, megakernel.PhaseParked)
	hold.Lock()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	publish(t, s, work(1, nil)) // starts a slice, whose end is not reported
	collect(t, s, 1)
	asked, err := s.Arm(ctx, breakpoint.Breakpoint{Program: opIs(opWork)})
	if !errors.Is(err, resident.ErrPending) || !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "Fix: ") {
		t.Fatalf("%v", err)
	}
	if !asked.Pending || !breakOf(t, s, asked.ID).Pending || breakOf(t, s, first.ID).Pending {
		t.Errorf("pending are %+v", s.Breakpoints())
	}
	if err := s.Disarm(ctx, first.ID); !errors.Is(err, context.Canceled) || !breakOf(t, s, first.ID).Pending || breakOf(t, s, first.ID).Enabled {
		t.Errorf("%v, %+v", err, s.Breakpoints())
	}
	hold.Unlock()
	publish(t, s, work(1, nil))
	if err := s.AwaitRest(deadline(t)); err != nil {
		t.Fatal(err)
	}
	if list := s.Breakpoints(); len(list) != 1 || list[0].ID != asked.ID || list[0].Pending || list[0].Latency <= 0 || list[0].Hits != 1 {
		t.Errorf("in the end there are %+v", list)
	}
}

// TestResumeAllKeepsWhatIsHeldAfterIt: resuming all workers also released tasks that a breakpoint took after that, so that it hit
// them twice.
func TestResumeAllKeepsWhatIsHeldAfterIt(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, steered(t, b, 8), resident.Options{Workers: 2})
		armed := arm(t, s, breakpoint.Breakpoint{Program: opIs(opWork)})
		for range 10 {
			applied(t, s, megakernel.Command{Op: megakernel.OpPauseAll})
			publish(t, s, work(8, nil))
			if ack := applied(t, s, megakernel.Command{Op: megakernel.OpResumeAll}); ack.Detail != 0 {
				t.Fatalf("%d tasks were resumed that nothing held", ack.Detail)
			}
			for n := 0; n < 8; n += release(t, s) {
			}
			collect(t, s, 8)
		}
		if hits := breakOf(t, s, armed.ID).Hits; hits != 80 {
			t.Errorf("%d hits, want one of each of the 80 tasks", hits)
		}
	})
}
