package resident_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// tight is a kernel whose inbox and completion ring are full most of the time.
func tight(t testing.TB, b engine.Backend) *kernel.Kernel {
	return assembleWith(t, b, kernel.Config{WorkgroupSize: 8, InboxTasks: 16, Completions: 32}, endless, "work", "once")
}

// TestPublishFromManyGoroutines has publishers with batches of all sizes, of which some lose patience,
// against an inbox that is full. What each was told it has published ends once, and nothing else does.
func TestPublishFromManyGoroutines(t *testing.T) {
	backendtest.OnEachVariant(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, tight(t, b), resident.Options{Workers: 2})
		const publishers, rounds = 6, 40
		var published [publishers]map[uint32]bool // ids
		var all sync.WaitGroup
		for p := range publishers {
			published[p] = map[uint32]bool{}
			all.Go(func() { publishImpatiently(t, s, rand.New(rand.NewPCG(7, uint64(p))), rounds, published[p]) })
		}
		ended := map[uint32]bool{}
		stop := make(chan struct{})
		var collector sync.WaitGroup
		collector.Go(func() { collectUntil(t, s, stop, ended) })
		all.Wait()
		if err := s.Drain(deadline(t)); err != nil {
			t.Errorf("%v\n%s", err, describe(s))
		}
		close(stop)
		collector.Wait()
		want := 0
		for p := range published {
			for id := range published[p] {
				if !ended[id] {
					t.Errorf("task %d of publisher %d was lost", id, p)
				}
			}
			want += len(published[p])
		}
		sum := s.Summary()
		if len(ended) != want || sum.Submitted != uint64(want) || sum.Counters[megakernel.CountImported] != uint64(want) || s.InFlight() != 0 {
			t.Errorf("%d tasks were published, %d submitted, %d imported, %d ended; %d are in flight", want, sum.Submitted, sum.Counters[megakernel.CountImported], len(ended), s.InFlight())
		}
	})
}

// publishImpatiently publishes batches, some with a context that ends soon, and notes what it has published.
func publishImpatiently(t *testing.T, s *resident.Session, rng *rand.Rand, rounds int, published map[uint32]bool) {
	patient := deadline(t)
	for range rounds {
		ctx, cancel := context.WithTimeout(patient, time.Duration(rng.IntN(400))*time.Microsecond)
		if rng.IntN(2) == 0 {
			ctx = patient
		}
		ts := work(1+rng.IntN(40), func(_ int, t *tasks.Task) { t.Opcode = opWork + 1 })
		err := s.Publish(ctx, ts)
		n := len(ts)
		if partial := (*resident.PublishError)(nil); errors.As(err, &partial) && errors.Is(err, context.DeadlineExceeded) {
			n = partial.Published
		} else if err != nil {
			t.Error(err)
		}
		cancel()
		for i := range ts[:n] {
			if published[ts[i].TaskID] {
				t.Errorf("id %d was given twice", ts[i].TaskID)
			}
			published[ts[i].TaskID] = true
		}
	}
}

// collectUntil collects until stop is closed, and then what is still there.
func collectUntil(t *testing.T, s *resident.Session, stop <-chan struct{}, ended map[uint32]bool) {
	ctx, cancel := context.WithCancel(deadline(t))
	go func() {
		<-stop
		cancel()
	}()
	for {
		got, err := s.Collect(ctx, nil)
		for _, c := range got {
			if ended[c.Task] {
				t.Errorf("task %d ended twice", c.Task)
			}
			ended[c.Task] = true
		}
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			return
		}
	}
}

// Publishers that wait for room when the session is closed get an error that says how far they came; they
// looked at memory that had been freed.
func TestCloseWhilePublishersWait(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		for range 5 {
			s, err := resident.Start(deadline(t), b, shared(t, b), resident.Options{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			var full atomic.Int32
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() {
					ts := work(400, nil) // more than there is room for
					full.Add(1)
					err := s.Publish(context.Background(), ts)
					if partial := (*resident.PublishError)(nil); !errors.As(err, &partial) || !errors.Is(err, resident.ErrStopped) || partial.Published >= 400 {
						t.Errorf("published into a closed session: %v", err)
					}
				})
			}
			for full.Load() != 4 || s.InFlight() < 32 {
				backendtest.Breathe()
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			all.Wait()
		}
	})
}

// TestCloseTwice: the second time waited for ever, for words of memory that had been freed.
func TestCloseTwice(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 1})
		publish(t, s, work(3, nil))
		if first, second := s.Close(), s.Close(); first != nil || second != nil {
			t.Error(first, second)
		}
	})
}
