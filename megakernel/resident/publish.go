package resident

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// Publish gives tasks to the kernel, in order, with one release per batch that fits. A task without
// an id gets one, in ts. It blocks while the inbox is full or too many completions are uncollected;
// when ctx ends meanwhile, the error says how many tasks were published. A task that cannot be
// published fails the whole batch before anything is.
func (s *Session) Publish(ctx context.Context, ts []tasks.Task) error {
	if err := s.checkTasks(ts); err != nil {
		return err
	}
	s.publishMu.Lock()
	defer s.publishMu.Unlock()
	for done := 0; done < len(ts); {
		if err := s.accepting(); err != nil {
			return &PublishError{Published: done, Of: len(ts), Err: err}
		}
		if s.left < len(ts)-done {
			s.left = s.room()
		}
		n := min(len(ts)-done, s.left)
		if n == 0 {
			if err := s.awaitRoom(ctx); err != nil {
				return &PublishError{Published: done, Of: len(ts), Err: err}
			}
			continue
		}
		s.put(ts[done : done+n])
		s.left -= n
		done += n
	}
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

func (s *Session) checkTasks(ts []tasks.Task) error {
	for i := range ts {
		t := &ts[i]
		switch {
		case t.State != tasks.Empty && t.State != tasks.Ready:
			return &TaskError{i, t.TaskID, "its state is " + t.State.String(), "publish tasks in state ready"}
		case t.Priority >= tasks.NumPriorities:
			return &TaskError{i, t.TaskID, fmt.Sprintf("its priority is %d", uint32(t.Priority)), "use 0 (critical) to 4 (idle)"}
		case t.TaskID >= megakernel.SpawnedIDBase:
			return &TaskError{i, t.TaskID, "ids from 2147483648 on are for spawned tasks", "use a smaller id, or 0 for the next free one"}
		}
	}
	return nil
}

func (s *Session) accepting() error {
	if err := s.usable("publish"); err != nil {
		return err
	}
	if s.draining.Load() {
		return &StateError{Op: "publish", Phase: s.Phase(), Kind: ErrDraining}
	}
	return nil
}

// room is how many tasks can be published now: free inbox entries, and records in the completion
// ring that no task in flight has a claim on. It only grows until the next task is published, so
// Publish asks again only when what is left of the last answer is not enough: the word that the device
// writes stays out of the way of single tasks.
func (s *Session) room() int {
	waiting := uint32(s.published) - s.outbox.Load(megakernel.OutTasksTaken)
	inFlight := s.published + s.inherited - s.collected.Load()
	return min(s.kernel.Config.InboxTasks-int(waiting), s.kernel.Config.Completions-int(inFlight))
}

// put writes entries and then rings the bell once. There is room.
func (s *Session) put(ts []tasks.Task) {
	mask := s.kernel.Config.InboxTasks - 1
	for i := range ts {
		t := &ts[i]
		if t.TaskID == 0 {
			t.TaskID = s.nextID
		}
		s.nextID = max(s.nextID, t.TaskID) + 1
		if s.nextID >= megakernel.SpawnedIDBase {
			s.nextID = 1
		}
		t.State = tasks.Ready
		t.Flags |= tasks.FlagNotify
		words := t.Words()
		at := megakernel.InboxEntries + (int(s.published)+i)&mask*megakernel.InboxEntryWords
		copy(s.inbox[at:at+len(words)], words[:])
	}
	s.published += uint64(len(ts))
	s.inbox.Store(megakernel.InboxTasks, uint32(s.published))
	s.wakeIfParked()
}

// wakeIfParked spares a running kernel's publishers the channel.
func (s *Session) wakeIfParked() {
	if s.Phase() != megakernel.PhaseResident {
		s.wakeUp()
	}
}

// awaitRoom waits a little for the kernel or the collector to make room.
func (s *Session) awaitRoom(ctx context.Context) error {
	for w := (waiter{}); s.room() == 0; w.pause() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.usable("publish"); err != nil {
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
