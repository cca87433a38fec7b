package resident

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// publisher puts tasks into the inbox, for any number of goroutines at once. It is the one part of a session whose callers
// wait neither for one another nor for the slicer.
type publisher struct {
	*life
	collector *collector // makes room in the completion ring

	mask   int // of an entry's number: its place in the inbox
	queue  queue
	roomMu lock[roomRank] // one look for room at a time, and none after the buffers are freed
}

// Publish gives tasks to the kernel, in order, with one release per batch that fits. A task without
// an id gets one, in ts. It blocks while the inbox is full or too many completions are uncollected;
// when ctx ends in the meantime, the error says how many tasks were published. A task that cannot be
// published fails the whole batch before anything is.
//
// Goroutines that publish at the same time do not wait for one another. Nothing is allocated, and no lock
// is taken unless there may be no room.
func (p *publisher) Publish(ctx context.Context, ts []tasks.Task) error {
	if err := p.checkTasks(ts); err != nil {
		return err
	}
	for done := 0; done < len(ts); {
		from, n := p.reserve(len(ts) - done)
		if n == 0 {
			if err := p.awaitRoom(ctx); err != nil {
				return &PublishError{Published: done, Of: len(ts), Err: err}
			}
			continue
		}
		p.put(from, ts[done:done+n])
		done += n
	}
	return nil
}

// Inject publishes one task, with an id of those for that (megakernel.IsInjected), unless there is no room for it now: ErrFull. Other
// errors are those of Publish.
func (p *publisher) Inject(t tasks.Task) error {
	one := []tasks.Task{t}
	if err := p.checkTasks(one); err != nil {
		return err
	}
	if err := p.accepting(); err != nil {
		return err
	}
	from, n := p.reserve(1)
	if n == 0 {
		return &fault.Error{Kind: ErrFull, Subject: fmt.Sprintf("task %d", t.TaskID), Detail: fmt.Sprintf("the inbox has no room for another of its %d tasks", p.kernel.Config.InboxTasks), Fix: "try again when the run has taken some of them"}
	}
	p.put(from, one)
	return nil
}

// PublishError says how much of a batch was published before it had to stop. Err is ErrStopped,
// ErrDraining or the context's error.
type PublishError struct {
	Published, Of int
	Err           error
}

// Error implements error.
func (e *PublishError) Error() string {
	return fmt.Sprintf("published %d of %d tasks: %v. Fix: publish the rest again, or collect completions faster", e.Published, e.Of, e.Err)
}

// Unwrap gives the cause.
func (e *PublishError) Unwrap() error { return e.Err }

func (p *publisher) checkTasks(ts []tasks.Task) error {
	for i := range ts {
		t := &ts[i]
		switch {
		case t.State != tasks.Empty && t.State != tasks.Ready:
			return &fault.Error{Kind: ErrTask, Subject: fmt.Sprintf("task %d of the batch (id %d)", i, t.TaskID), Detail: "its state is " + t.State.String(), Fix: "publish tasks in state ready"}
		case t.Priority >= tasks.NumPriorities:
			return &fault.Error{Kind: ErrTask, Subject: fmt.Sprintf("task %d of the batch (id %d)", i, t.TaskID), Detail: fmt.Sprintf("its priority is %d", uint32(t.Priority)), Fix: "use 0 (critical) to 4 (idle)"}
		case t.TaskID >= megakernel.SpawnedIDBase:
			return &fault.Error{Kind: ErrTask, Subject: fmt.Sprintf("task %d of the batch (id %d)", i, t.TaskID), Detail: "ids from 2147483648 on are for spawned tasks", Fix: "use a smaller id, or 0 for the next free one"}
		}
	}
	return nil
}

func (p *publisher) accepting() error {
	if err := p.usable("publish"); err != nil {
		return err
	}
	if p.draining.Load() {
		return gone("publish", p.Phase(), ErrDraining, nil)
	}
	return nil
}

// reserve takes entries for up to n tasks. It asks for the current room only when what is left
// of the last answer is not enough: the words that the device writes stay out of the way of single tasks.
func (p *publisher) reserve(n int) (from uint64, got int) {
	if p.queue.limit.Load()-p.queue.reserved.Load() < uint64(n) {
		p.raiseLimit()
	}
	return p.queue.reserve(n)
}

// raiseLimit finds out how far publishers may go: as far as the inbox has entries that the device has
// taken, and the completion ring records on which no task in flight has a claim. It reports whether there
// is room.
func (p *publisher) raiseLimit() bool {
	p.roomMu.Lock()
	defer p.roomMu.Unlock()
	if p.queue.reserved.Load() >= closedBit {
		return false // the buffers may be gone
	}
	taken := p.outbox.Load(megakernel.OutTasksTaken) // before the tasks are counted: it is not ahead of them
	p.queue.bell()                                   // so that what it has released is written before what takes its place
	published := p.queue.count()
	waiting := uint32(published) - taken
	limit := min(published-uint64(waiting)+uint64(p.kernel.Config.InboxTasks),
		p.collector.collected.Load()+uint64(p.kernel.Config.Completions))
	p.queue.limit.Store(limit)
	return limit > published
}

// put writes reserved entries and rings the bell once.
func (p *publisher) put(from uint64, ts []tasks.Task) {
	inbox, mask := p.queue.words, p.mask // here, not read again for each task
	for i := range ts {
		t := &ts[i]
		entry := from + uint64(i)
		at := megakernel.InboxEntries + int(entry)&mask*megakernel.InboxEntryWords
		words := inbox[at : at+tasks.SlotWords]
		engine.PutStruct(words, 0, t)
		t.TaskID = p.queue.number(entry, t.TaskID)
		t.State = tasks.Ready
		t.Flags = t.Flags&^tasks.FlagHalted | tasks.FlagNotify // no breakpoint has held it yet
		words[tasks.WordTaskID], words[tasks.WordState], words[tasks.WordFlags] = t.TaskID, uint32(t.State), t.Flags
	}
	running := p.Phase() == megakernel.PhaseResident // looked at after the reservation; see untaken
	p.queue.release(from, len(ts))
	if !running { // spares a running kernel's publishers the channel
		p.wakeUp()
	}
}

// awaitRoom waits a little for the kernel or the collector to make room.
func (p *publisher) awaitRoom(ctx context.Context) error {
	for w := (waiter{}); !p.raiseLimit(); w.pause() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.accepting(); err != nil {
			return err
		}
	}
	return nil
}

// waiter spaces out the looks at a word that the device will write. For a short while it only
// yields, because an answer that comes in microseconds must not wait for a timer; then it sleeps,
// longer and longer, because it must not take a core from a kernel that runs on it.
type waiter struct {
	began time.Time
	nap   time.Duration
}

const (
	spinFor  = 200 * time.Microsecond
	firstNap = 20 * time.Microsecond
	maxNap   = time.Millisecond
)

func (w *waiter) pause() {
	if w.began.IsZero() {
		w.began = time.Now()
	}
	if w.nap == 0 && time.Since(w.began) < spinFor {
		runtime.Gosched()
		return
	}
	w.nap = min(max(w.nap*5/4, firstNap), maxNap)
	time.Sleep(w.nap)
}
