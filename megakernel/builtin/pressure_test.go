package builtin_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/ioservice"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// TestNoPageIsLostUnderCommands: tasks go through pages with few frames while workers come and go and tasks
// are paused, resumed and moved at random; each ends once and has seen what the files hold.
func TestNoPageIsLostUnderCommands(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		for seed, frames := range []int{1, 3, 16} {
			rng := rand.New(rand.NewPCG(uint64(seed), 11))
			book := newBook(t, rng, 12)
			s := book.start(t, b, frames, 2, nil)
			ts := make([]tasks.Task, 20+10*frames)
			want := map[uint32]uint32{}
			for i := range ts {
				ts[i], want[uint32(i+1)] = book.draw(rng)
				ts[i].TaskID = uint32(i + 1)
			}
			ctx, stop := context.WithCancel(deadline(t))
			var others sync.WaitGroup
			others.Go(func() { disturb(ctx, t, s, len(ts), rand.New(rand.NewPCG(uint64(seed), 12))) })
			for id, got := range finish(t, s, ts) {
				if got.State != tasks.Done || ts[id-1].Opcode != megakernel.OpcodeLoadMiss && got.Output != want[id] {
					t.Errorf("%d frames: task %+v ended as %+v, want %d", frames, ts[id-1], got, want[id])
				}
			}
			stop()
			others.Wait()
		}
	})
}

// disturb gives commands for tasks 1 to n and changes the shape until ctx ends. What it pauses it resumes.
func disturb(ctx context.Context, t *testing.T, s *resident.Session, n int, rng *rand.Rand) {
	for ctx.Err() == nil {
		id := uint32(1 + rng.IntN(n))
		var errs []error
		do := func(c megakernel.Command) {
			c.Slot = resident.AnySlot
			_, err := s.Do(ctx, c)
			errs = append(errs, err)
		}
		switch rng.IntN(5) {
		case 0:
			errs = append(errs, s.Retune(ctx, megakernel.Shape{Workers: 1 + rng.IntN(4), Lanes: 1 + rng.IntN(8)}))
		case 1:
			do(megakernel.Command{Op: megakernel.OpPauseAll})
			do(megakernel.Command{Op: megakernel.OpResumeAll})
		case 2:
			errs = append(errs, s.AdvanceEpoch(ctx))
		case 3:
			do(megakernel.Command{Op: megakernel.OpRequeueTask, Task: id, Arg: uint32(rng.IntN(tasks.NumPriorities))})
		case 4:
			do(megakernel.Command{Op: megakernel.OpPauseTask, Task: id})
			do(megakernel.Command{Op: megakernel.OpResumeTask, Task: id})
		}
		for _, err := range errs {
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
	}
}

// counted is a Source of pages that hold their number, which waits until it is released.
type counted struct {
	release chan struct{}
	reads   *atomic.Int64
}

func (c counted) Name(uint32) string { return "counted" }
func (c counted) ReadPage(_ uint32, p []byte, offset int64) (int, error) {
	<-c.release
	c.reads.Add(1)
	p[0], p[1] = byte(offset/4), byte(offset/4>>8)
	return len(p), nil
}

func newCounted() counted { return counted{make(chan struct{}), new(atomic.Int64)} }

// options are those of a kernel with pages of one word.
func (c counted) options(pages, frames int) resident.Options {
	return resident.Options{Workers: 2, Activation: 512, Pages: &ioservice.Pages{
		List: ioservice.Cut(nil, 0, int64(4*pages), 4), Frames: frames, Bytes: 4, Source: c,
	}}
}

// TestMorePagesThanTheQueueHas: more tasks miss at once than the IO queue has slots. Those without one wait like
// the others, and each page is read once.
func TestMorePagesThanTheQueueHas(t *testing.T) {
	const n = 120
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		source := newCounted()
		s := startWith(t, b, source.options(n, megakernel.MaxFrames))
		ts := make([]tasks.Task, n)
		for i := range ts {
			ts[i] = operation(opSum, uint32(i))
			ts[i].TaskID = uint32(i + 1)
		}
		release := sync.OnceFunc(func() { close(source.release) })
		t.Cleanup(release)
		var released sync.WaitGroup
		released.Go(func() {
			awaitFullQueue(t, s)
			release()
		})
		for id, got := range finish(t, s, ts) {
			if got.State != tasks.Done || got.Output != id-1 {
				t.Errorf("%+v", got)
			}
		}
		released.Wait()
		if reads := source.reads.Load(); reads != n {
			t.Errorf("%d pages were read %d times", n, reads)
		}
	})
}

// awaitFullQueue waits until the device has filled the IO queue and has nothing else to do.
func awaitFullQueue(t *testing.T, s *resident.Session) {
	for ctx := deadline(t); ctx.Err() == nil; {
		full := true
		for slot := range megakernel.IOSlots {
			status := s.Buffer("io").Load(slot*megakernel.IOWords + megakernel.IOStatus)
			full = full && (status == megakernel.IOPublished || status == megakernel.IOClaimed)
		}
		if full && s.Phase() == megakernel.PhaseParked {
			return
		}
	}
	t.Error("the queue is never full")
}

// TestPagesNobodyCameFor: pages that were asked for ahead of need and never held give up their slots and frames.
func TestPagesNobodyCameFor(t *testing.T) {
	const n = 200
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		for _, frames := range []int{2, 100} {
			source := newCounted()
			s := startWith(t, b, source.options(2*n, frames))
			close(source.release)
			ts := make([]tasks.Task, 2*n)
			for i := range ts {
				ts[i] = operation(megakernel.OpcodeLoadMiss, uint32(i), uint32(1-i/n))
				ts[i].TaskID = uint32(i + 1)
			}
			for _, got := range finish(t, s, ts) {
				if got.State != tasks.Done {
					t.Errorf("%d frames: %+v", frames, got)
				}
			}
		}
	})
}
