package run

import (
	"context"
	"sync"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel/resident"
)

// epochStates records what the buffers hold each time the workload advances the epoch, so that a run that is executed again is compared
// there, and not at its end alone.
type epochStates struct {
	recorder *fixtures.Writer // nil: nothing is recorded
	began    time.Time
	mu       sync.Mutex // of the others: users advance the epoch, too
	buffers  []epochBuffer
	spent    time.Duration
}

// epochBuffer is a buffer that is compared.
type epochBuffer struct {
	name        string
	before, now []uint32
}

// What recording the states may take: words of all buffers, a share of the time, and how long the target is waited for until it is at rest,
// where the workload advances the epoch, and where a user does: a slice without work takes a quarter of a second at most.
const (
	mostEpochWords = 1 << 20
	epochShare     = 100 // a hundredth
	epochCredit    = time.Second
	waitWorking    = 2 * time.Millisecond
	waitCommanded  = 300 * time.Millisecond
)

// begin records states from now on, where all inputs are recorded and the buffers are small enough.
func (e *epochStates) begin(w *fixtures.Writer, s *fixtures.Start, initial func(i int) []uint32, began time.Time) {
	words := 0
	for i, b := range s.Buffers {
		if b.Unordered {
			continue
		}
		if words += b.Words; words > mostEpochWords {
			return
		}
		x := epochBuffer{b.Name, make([]uint32, b.Words), make([]uint32, b.Words)}
		copy(x.before, initial(i))
		e.buffers = append(e.buffers, x)
	}
	if s.Incomplete == "" && len(e.buffers) > 0 {
		e.began, e.recorder = began, w
	}
}

// take records the state of a session that is at rest. One that does not come to rest soon is passed over, as is one for which too much
// time was spent already.
func (e *epochStates) take(ctx context.Context, s *resident.Session, wait time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.recorder == nil || e.spent > epochCredit+time.Since(e.began)/epochShare {
		return
	}
	began := time.Now()
	defer func() { e.spent += time.Since(began) }()
	soon, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	submitted := s.Summary().Submitted
	if s.AwaitRest(soon) != nil {
		return
	}
	for i := range e.buffers {
		if s.ReadBuffer(ctx, e.buffers[i].name, 0, e.buffers[i].now) != nil {
			return // the run ends, which others tell
		}
	}
	if s.Summary().Submitted != submitted {
		return // tasks were published beside it
	}
	at, epoch := time.Since(e.began), s.Epoch()
	for i := range e.buffers {
		b := &e.buffers[i]
		e.recorder.EpochState(at, epoch, b.name, b.before, b.now)
		b.before, b.now = b.now, b.before
	}
}
