package work_test

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"vyretop/megakernel/fleet/broker"
	"vyretop/megakernel/fleet/work"
	"vyretop/megakernel/workload"
)

// rounds is how often workers are killed; the nightly run gives more.
var rounds = flag.Int("kills", 2, "rounds of TestKilledWorkers")

// TestAQueueIsDoneByManyWorkers: each task once, each worker has the whole result in the end, and so has a process that did nothing.
func TestAQueueIsDoneByManyWorkers(t *testing.T) {
	h := connect(t, start(t, broker.Options{}).URL())
	q := submit(t, h, "q", 1000, 60)
	var group sync.WaitGroup
	done := make([]int, 3)
	for i := range done {
		group.Go(func() {
			s, n, err := do(t.Context(), q, fmt.Sprint("worker-", i))
			if err != nil || s.sum() != expected(1000) {
				t.Errorf("worker %d: %v, %+v", i, err, s)
			}
			done[i] = n
		})
	}
	group.Wait()
	if sum := done[0] + done[1] + done[2]; sum != 60 {
		t.Errorf("%v tasks were done, in all %d", done, sum)
	}
	s, err := collect(t.Context(), q)
	if err != nil || s.sum() != expected(1000) || s.twice > 0 {
		t.Errorf("collected: %v", err)
	}
	p, err := q.Progress(t.Context())
	if err != nil || p != (work.Progress{Done: 60}) {
		t.Errorf("progress is %+v, %v", p, err)
	}
	shares, err := q.Shares(t.Context())
	sum := 0
	for _, s := range shares {
		sum += s.Tasks
	}
	if err != nil || sum != 60 {
		t.Errorf("shares are %+v, %v", shares, err)
	}
}

// TestKilledWorkers: two of four processes are killed at random times, and the totals are exact.
func TestKilledWorkers(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for round := range *rounds {
		b := start(t, broker.Options{})
		h := connect(t, b.URL())
		const units, tasks = 5000, 100
		q := submit(t, h, "q", units, tasks)
		var list []*exec.Cmd
		for i := range 4 {
			c := exec.Command(program)
			c.Env = append(os.Environ(), childVariable+"="+b.URL())
			out, err := c.StdoutPipe()
			if err == nil {
				err = c.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
				t.Fatalf("worker %d: %v", i, err)
			}
			list = append(list, c)
		}
		for _, c := range list[:2] { // after a random number of tasks
			until(t, q, rand.IntN(tasks/2))
			_ = c.Process.Kill()
			_ = c.Wait()
		}
		for _, c := range list[2:] {
			if err := c.Wait(); err != nil {
				t.Errorf("round %d: a worker that was not killed: %v", round, err)
			}
		}
		s, err := collect(t.Context(), q)
		if err != nil || s.sum() != expected(units) {
			t.Errorf("round %d: %v", round, err)
		}
		b.Close()
	}
}

// until waits until that many tasks are done.
func until(t *testing.T, q *work.Queue, done int) {
	t.Helper()
	for end := time.Now().Add(patience); ; {
		p, err := q.Progress(t.Context()) // fails while a cluster elects a leader
		if err == nil && p.Done >= done {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d tasks are done, %d expected: %v", p.Done, done, err)
		}
	}
}

// TestAWorkerThatLeavesGivesItsTasksBack at once, not at the end of its lease.
func TestAWorkerThatLeavesGivesItsTasksBack(t *testing.T) {
	h := connect(t, start(t, broker.Options{}).URL())
	q := submit(t, h, "q", 4, 4)
	w := q.NewWorker("leaves", time.Hour, func(string) {})
	s := newSquares(4)
	s.Feed(w.Feed())
	if err := w.Begin(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	for len(s.units.Take(0, 1, 1)) == 0 { // it has one now, and finishes nothing
	}
	w.Close()
	if _, n, err := do(t.Context(), q, "other"); err != nil || n != 4 {
		t.Errorf("the other has done %d, %v", n, err)
	}
}

// TestATaskThatEndsWorkersHasFailed, and the rest is done.
func TestATaskThatEndsWorkersHasFailed(t *testing.T) {
	h := connect(t, start(t, broker.Options{}).URL())
	q := submit(t, h, "q", 3, 3)
	js, err := jetstream.New(h.Conn)
	if err != nil {
		t.Fatal(err)
	}
	s, err := js.Stream(t.Context(), "vyretop-work-q")
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.CreateOrUpdateConsumer(t.Context(), jetstream.ConsumerConfig{Durable: "workers", AckPolicy: jetstream.AckExplicitPolicy, AckWait: lease, MaxAckPending: work.MaxTasks})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 { // workers that end with the tasks that they have taken
		batch, err := c.Fetch(3)
		if err != nil {
			t.Fatal(err)
		}
		for m := range batch.Messages() {
			if err := m.Nak(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_, _, err = do(t.Context(), q, "last")
	if !errors.Is(err, work.ErrFailed) || !strings.Contains(err.Error(), "Fix:") {
		t.Errorf("the worker says %v", err)
	}
	if _, err := collect(t.Context(), q); !errors.Is(err, work.ErrFailed) {
		t.Errorf("collected: %v", err)
	}
}

// TestOtherInputsAreRefused before anything is taken.
func TestOtherInputsAreRefused(t *testing.T) {
	h := connect(t, start(t, broker.Options{}).URL())
	q := submit(t, h, "q", 10, 2)
	for _, change := range []func(*squares){func(s *squares) { s.digest = "cubes" }, func(s *squares) { *s = *newSquares(11) }} {
		s := newSquares(10)
		change(s)
		w := q.NewWorker("w", lease, func(string) {})
		s.Feed(w.Feed())
		if err := w.Begin(t.Context(), s); !errors.Is(err, work.ErrInputs) || !strings.Contains(err.Error(), "Fix:") {
			t.Errorf("%v", err)
		}
		w.Close()
	}
	if p, err := q.Progress(t.Context()); err != nil || p.Waiting != 2 {
		t.Errorf("progress is %+v, %v", p, err)
	}
}

// TestSubmittingTwice continues a queue, and refuses one with other work.
func TestSubmittingTwice(t *testing.T) {
	h := connect(t, start(t, broker.Options{}).URL())
	submit(t, h, "q", 10, 5)
	q := submit(t, h, "q", 10, 3)
	if p, err := q.Progress(t.Context()); err != nil || p.Waiting != 5 || q.Job.Tasks != 5 {
		t.Errorf("progress is %+v, %v", p, err)
	}
	if _, err := work.Submit(t.Context(), h, "q", work.Job{Workload: "cubes", Inputs: workload.Inputs{Units: 10}, Tasks: 5}); !errors.Is(err, work.ErrQueue) || !strings.Contains(err.Error(), "other work") {
		t.Errorf("other work: %v", err)
	}
	if _, err := work.Submit(t.Context(), h, "a.b", work.Job{}); !errors.Is(err, work.ErrName) {
		t.Errorf("a name that is none: %v", err)
	}
	list, err := work.List(t.Context(), h)
	if err != nil || len(list) != 1 || list[0].Name != "q" {
		t.Errorf("queues are %v, %v", list, err)
	}
	if err := errors.Join(q.Delete(t.Context()), q.Delete(t.Context())); err != nil {
		t.Error(err)
	}
	if _, err := work.Open(t.Context(), h, "q"); !errors.Is(err, work.ErrQueue) || !strings.Contains(err.Error(), "no such queue") {
		t.Errorf("a queue that was deleted: %v", err)
	}
}

// TestAHubWithoutStreams says how to get one with them.
func TestAHubWithoutStreams(t *testing.T) {
	b, err := broker.Start(broker.Options{Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	_, err = work.Submit(t.Context(), connect(t, b.URL()), "q", work.Job{Workload: "squares", Inputs: workload.Inputs{Units: 1}, Tasks: 1})
	if !errors.Is(err, work.ErrQueue) || !strings.Contains(err.Error(), "--store") {
		t.Error(err)
	}
}

// TestLargeResults go through the object store.
func TestLargeResults(t *testing.T) {
	h := connect(t, start(t, broker.Options{}).URL())
	const units = 400_000 // squares that compress to more than a message
	q := submit(t, h, "q", units, 2)
	s, _, err := do(t.Context(), q, "one")
	if err != nil || s.sum() != expected(units) {
		t.Fatal(err)
	}
	js, err := jetstream.New(h.Conn)
	if err == nil {
		_, err = js.ObjectStore(t.Context(), "vyretop-work-q")
	}
	if err != nil {
		t.Errorf("nothing is in the object store: %v", err)
	}
	if s, err = collect(t.Context(), q); err != nil || s.sum() != expected(units) {
		t.Error(err)
	}
}

// TestAHubThatRestartsLosesNoTask: workers continue where they were.
func TestAHubThatRestartsLosesNoTask(t *testing.T) {
	store := t.TempDir()
	b := start(t, broker.Options{Store: store})
	h := connect(t, b.URL())
	q := submit(t, h, "q", 2000, 200)
	type outcome struct {
		sum uint64
		err error
	}
	ended := make(chan outcome)
	for i := range 2 {
		go func() {
			s, _, err := do(t.Context(), q, fmt.Sprint("worker-", i))
			if s == nil {
				s = newSquares(1)
			}
			ended <- outcome{s.sum(), err}
		}()
	}
	until(t, q, 20)
	b.Close()
	start(t, broker.Options{Store: store, Listen: strings.TrimPrefix(b.URL(), "nats://")})
	for range 2 {
		if o := <-ended; o.err != nil || o.sum != expected(2000) {
			t.Errorf("%d, %v", o.sum, o.err)
		}
	}
}

// TestInterruptedWorkersEnd when their context does.
func TestInterruptedWorkersEnd(t *testing.T) {
	h := connect(t, start(t, broker.Options{}).URL())
	q := submit(t, h, "q", 10, 10)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := do(ctx, q, "w"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
