package resident_test

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// endless yields until its param word never changes: it runs until the test stops it.
const endless = `
void work(inout Task t) { t.output_handle++; task_yield(t, t.continuation_pc + 1u, 0u); }
void once(inout Task t) { task_done(t); }
`

func do(t *testing.T, s *resident.Session, c megakernel.Command) megakernel.Ack {
	t.Helper()
	ack, err := s.Do(deadline(t), c)
	if err != nil {
		t.Fatal(err)
	}
	return ack
}

func applied(t *testing.T, s *resident.Session, c megakernel.Command) megakernel.Ack {
	t.Helper()
	ack := do(t, s, c)
	if ack.Result != megakernel.AckApplied {
		t.Fatalf("%s: %s", c.Op, ack.Result)
	}
	return ack
}

func publish(t *testing.T, s *resident.Session, ts []tasks.Task) {
	t.Helper()
	if err := s.Publish(deadline(t), ts); err != nil {
		t.Fatalf("%v\n%s", err, describe(s))
	}
}

func taskState(s *resident.Session, slot uint32) tasks.Task {
	return tasks.FromWords(s.Snapshot().Slot(int(slot)))
}

// A kernel whose workers are all paused can do nothing with the tasks that are ready: it is parked until somebody
// resumes one, and not launched again and again.
func TestPausedKernelIsParked(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 2})
		publish(t, s, work(4, nil))
		awaitImport(t, s)
		applied(t, s, megakernel.Command{Op: megakernel.OpPauseAll})
		awaitPhase(t, s, megakernel.PhaseParked)
		parked := s.Snapshot().Slice
		applied(t, s, megakernel.Command{Op: megakernel.OpResumeAll})
		if err := s.AwaitSlice(deadline(t), parked+2); err != nil {
			t.Fatal(err)
		}
	})
}

// A step waits for a task, which may never come: until then the kernel is parked.
func TestStepThatWaitsForATaskKeepsNoKernelRunning(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 1})
		applied(t, s, megakernel.Command{Op: megakernel.OpPauseAll})
		stepped := make(chan megakernel.Ack, 1)
		go func() {
			ack, _ := s.Do(deadline(t), megakernel.Command{Op: megakernel.OpStepWorker, Arg: 1})
			stepped <- ack
		}()
		for ctx := deadline(t); s.Buffer("outbox").Load(megakernel.OutCommandsTaken) != 2; backendtest.Breathe() {
			if ctx.Err() != nil {
				t.Fatalf("the step was not taken\n%s", describe(s))
			}
		}
		awaitPhase(t, s, megakernel.PhaseParked)
		publish(t, s, work(1, func(_ int, t *tasks.Task) { t.Opcode = opWork + 1 }))
		if ack := <-stepped; ack.Result != megakernel.AckApplied {
			t.Errorf("the step of the task that came: %s", ack.Result)
		}
	})
}

func TestPauseResumeWorker(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 1})
		publish(t, s, work(4, nil))
		awaitImport(t, s)
		applied(t, s, megakernel.Command{Op: megakernel.OpPauseWorker, Worker: 0})
		first := s.Snapshot()
		if w := first.WorkerRecords()[0]; w.State != megakernel.WorkerPaused || !first.Consistent {
			t.Fatalf("worker %v, snapshot torn by %d", w.State, first.TornBy)
		}
		publish(t, s, work(1, func(_ int, t *tasks.Task) { t.Opcode = opWork + 1 }))
		for i := range 4 {
			if a, b := first.Slot(i), s.Snapshot().Slot(i); *a != *b {
				t.Fatalf("slot %d changed while its worker was paused:\n%v\n%v", i, a, b)
			}
		}
		if got := s.Poll(nil); len(got) != 0 {
			t.Fatalf("a paused worker finished %v", got)
		}
		applied(t, s, megakernel.Command{Op: megakernel.OpResumeWorker, Worker: 0})
		collect(t, s, 1)
	})
}

func TestResumeAllReachesWorkersOfOtherShapes(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 2})
		applied(t, s, megakernel.Command{Op: megakernel.OpPauseWorker, Worker: 1})
		for _, workers := range []int{1, 2} {
			if err := s.Retune(deadline(t), megakernel.Shape{Workers: workers}); err != nil {
				t.Fatal(err)
			}
			if workers == 1 {
				applied(t, s, megakernel.Command{Op: megakernel.OpResumeAll})
			}
		}
		applied(t, s, megakernel.Command{Op: megakernel.OpPauseWorker, Worker: 0})
		publish(t, s, work(1, func(_ int, t *tasks.Task) { t.Opcode = opWork + 1 }))
		collect(t, s, 1) // worker 1 is left to do it
	})
}

// A pause that a resume overtakes before every worker has obeyed must be answered all the same:
// the caller that gave it would wait forever, and the session would never come to rest.
func TestOvertakenPauseIsAnswered(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 4, Idle: 4})
		for _, ops := range [][2]megakernel.CommandOp{{megakernel.OpPauseAll, megakernel.OpResumeAll}, {megakernel.OpPauseWorker, megakernel.OpResumeWorker}} {
			for range 50 {
				paused := make(chan error, 1)
				go func() {
					_, err := s.Do(deadline(t), megakernel.Command{Op: ops[0], Worker: 3})
					paused <- err
				}()
				applied(t, s, megakernel.Command{Op: ops[1], Worker: 3})
				if err := <-paused; err != nil {
					t.Fatal(err)
				}
				applied(t, s, megakernel.Command{Op: ops[1], Worker: 3})
			}
		}
		if err := s.AwaitRest(deadline(t)); err != nil {
			t.Fatal(err)
		}
	})
}

func TestStepRunsOneActivation(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 1})
		applied(t, s, megakernel.Command{Op: megakernel.OpPauseAll})
		publish(t, s, work(1, nil))
		for n := range uint32(3) {
			applied(t, s, megakernel.Command{Op: megakernel.OpStepWorker, Worker: 0, Arg: 1})
			step := s.Snapshot().WorkerRecords()[0].Step
			if step == nil || step.Before[tasks.WordOutputHandle] != n || step.After[tasks.WordOutputHandle] != n+1 {
				t.Fatalf("step %d: %+v", n, step)
			}
			if now := taskState(s, step.Slot); now.YieldCount != n+1 {
				t.Fatalf("step %d ran %d activations", n, now.YieldCount)
			}
		}
		if ack := do(t, s, megakernel.Command{Op: megakernel.OpStepWorker, Worker: 7, Arg: 1}); ack.Result != megakernel.AckBadArgument {
			t.Fatalf("step of a worker that is not there: %s", ack.Result)
		}
	})
}

// TestStepsOutliveTheirSlice: where a slice ended before a worker had done its step, the session parked, as all workers were paused, and the
// step was never done.
func TestStepsOutliveTheirSlice(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 1, SliceTime: time.Millisecond})
		applied(t, s, megakernel.Command{Op: megakernel.OpPauseAll})
		publish(t, s, work(1, nil))
		for range 300 {
			applied(t, s, megakernel.Command{Op: megakernel.OpStepWorker, Worker: 0, Arg: 1})
		}
	})
}

// TestStepsStrandNoTask: a stepped task went into no set again when others were ready beside it.
func TestStepsStrandNoTask(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 2})
		applied(t, s, megakernel.Command{Op: megakernel.OpPauseAll})
		publish(t, s, of(opCountdown, work(20, nil)))
		for worker := range uint32(2) {
			applied(t, s, megakernel.Command{Op: megakernel.OpStepWorker, Worker: worker, Arg: 3})
		}
		applied(t, s, megakernel.Command{Op: megakernel.OpResumeAll})
		if err := s.AwaitRest(deadline(t)); err != nil {
			t.Fatal(err)
		}
		if done := s.Summary().Counters[megakernel.CountDone]; done != 20 {
			t.Errorf("%d of 20 tasks are done, and nothing continues", done)
		}
	})
}

func TestTaskCommands(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 1})
		ts := work(10, nil)
		publish(t, s, ts)
		id := ts[3].TaskID
		at := func(op megakernel.CommandOp, arg uint32) megakernel.Command {
			return megakernel.Command{Op: op, Task: id, Slot: resident.AnySlot, Arg: arg}
		}
		slot := applied(t, s, at(megakernel.OpPauseTask, 0)).Slot
		held := taskState(s, slot)
		if held.State != tasks.Paused || held.TaskID != id || held.Flags&tasks.FlagPaused == 0 {
			t.Fatalf("paused task is %+v", held)
		}
		applied(t, s, at(megakernel.OpReprioritize, uint32(tasks.Low)))
		if now := taskState(s, slot); now.Priority != tasks.Low || now.OutputHandle != held.OutputHandle || now.State != tasks.Paused {
			t.Fatalf("a held task ran or lost its state: %+v", now)
		}
		applied(t, s, at(megakernel.OpResumeTask, 0))
		if ack := do(t, s, at(megakernel.OpResumeTask, 0)); ack.Result != megakernel.AckIllegal {
			t.Fatalf("resume of a task that runs: %s", ack.Result)
		}
		applied(t, s, at(megakernel.OpRequeueTask, uint32(tasks.High)))
		if now := taskState(s, slot); now.Priority != tasks.High || now.RequeueCount != 1 {
			t.Fatalf("requeued task is %+v", now)
		}
		if ack := do(t, s, at(megakernel.OpRequeueTask, 9)); ack.Result != megakernel.AckBadArgument {
			t.Fatalf("requeue as priority 9: %s", ack.Result)
		}
		id = 4711
		if ack := do(t, s, at(megakernel.OpPauseTask, 0)); ack.Result != megakernel.AckNotFound {
			t.Fatalf("pause of a task that is not there: %s", ack.Result)
		}
	})
}

func TestRetuneKeepsTasks(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 1})
		const n = 300
		publish(t, s, of(opCountdown, work(60, nil)))
		for i, shape := range []megakernel.Shape{{Workers: 2, Lanes: 8}, {Workers: 1, Lanes: 1}, {Workers: 3, Lanes: 5}, {Workers: 1, Lanes: 8}} {
			if err := s.Retune(deadline(t), shape); err != nil {
				t.Fatal(err)
			}
			if got := s.Shape(); got != shape {
				t.Fatalf("change %d: shape %v, want %v", i, got, shape)
			}
			publish(t, s, of(opCountdown, work(60, nil)))
		}
		collect(t, s, n)
		if err := s.Retune(deadline(t), megakernel.Shape{Workers: 1, Lanes: megakernel.MaxWorkgroup + 1}); err == nil {
			t.Fatal("more lanes than any workgroup has were accepted")
		}
	})
}

// An answer that its giver had not looked at yet was overwritten when as many commands as the ring has
// entries came after it; the giver then waited for ever.
func TestAnswerStaysUntilItIsSeen(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 1})
		var givers sync.WaitGroup
		for range 6 {
			givers.Go(func() {
				ctx := deadline(t)
				for range 300 {
					if _, err := s.Do(ctx, megakernel.Command{Op: megakernel.OpRefreshTenants}); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		givers.Wait()
	})
}

// TestResumeEndsSteps: a worker that was resumed in the middle of a step counted it from none left, and a later pause
// went on stepping for ever.
func TestResumeEndsSteps(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 2})
		publish(t, s, work(16, nil))
		for range 50 {
			applied(t, s, megakernel.Command{Op: megakernel.OpPauseWorker})
			stepped := make(chan error, 1)
			go func() {
				_, err := s.Do(deadline(t), megakernel.Command{Op: megakernel.OpStepWorker, Arg: 1 << 30})
				stepped <- err
			}()
			for s.Snapshot().WorkerRecords()[0].StepsLeft == 0 {
				backendtest.Breathe()
			}
			applied(t, s, megakernel.Command{Op: megakernel.OpResumeWorker})
			if err := <-stepped; err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestWorkerCommandsInAnyOrder: whatever becomes of a worker's pause or steps when others come before they are done,
// each command is answered, and afterwards all workers continue.
func TestWorkerCommandsInAnyOrder(t *testing.T) {
	const commanders, each, workers = 3, 60, 3
	ops := []megakernel.CommandOp{megakernel.OpPauseWorker, megakernel.OpPauseWorker, megakernel.OpStepWorker, megakernel.OpResumeWorker, megakernel.OpPauseAll, megakernel.OpResumeAll}
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: workers})
		publish(t, s, work(16, nil))
		var all sync.WaitGroup
		for seed := range uint64(commanders) {
			all.Go(func() {
				rng := rand.New(rand.NewPCG(seed, 1))
				for range each {
					c := megakernel.Command{Op: ops[rng.IntN(len(ops))], Worker: rng.Uint32N(workers), Arg: 1 << rng.IntN(20)}
					if _, err := s.Do(deadline(t), c); err != nil {
						t.Errorf("%v of worker %d, %d: %v", c.Op, c.Worker, c.Arg, err)
					}
				}
			})
		}
		over := make(chan struct{})
		go func() { all.Wait(); close(over) }()
		for waiting := true; waiting; { // steps end when there are no more, or here
			applied(t, s, megakernel.Command{Op: megakernel.OpResumeAll})
			select {
			case <-over:
				waiting = false
			default:
			}
		}
		for worker := range uint32(workers) { // and are heard
			applied(t, s, megakernel.Command{Op: megakernel.OpPauseWorker, Worker: worker})
		}
		applied(t, s, megakernel.Command{Op: megakernel.OpResumeAll})
		publish(t, s, work(8, func(_ int, t *tasks.Task) { t.Opcode = opWork + 1 }))
		collect(t, s, 8)
	})
}
