package resident

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/kernel"
	"vyretop/tasks"
)

// deviceless is a session without a device, with the words of one that the host can see.
func deviceless(t *testing.T, mirror bool) *Session {
	c := kernel.Config{Slots: 32, InboxTasks: 8, Completions: 16, Mirror: mirror}
	k := &kernel.Kernel{Config: c, Layout: megakernel.NewSchedLayout(c.Slots), Program: new(engine.Program)}
	control, err := megakernel.EncodeControl(2, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := newSession(launch{
		kernel: k, control: control,
		inbox: make(engine.Words, megakernel.InboxWords(c.InboxTasks)), outbox: make(engine.Words, k.OutboxWords()),
		workers: make(engine.Words, megakernel.WorkerWords),
	})
	s.slots = make(engine.Words, c.Slots*tasks.SlotWords)
	s.queue.words = s.inbox
	return s
}

// holds puts a task into a slot.
func (s *Session) holds(slot int, id uint32, state tasks.State) {
	engine.PutStruct(s.slotWords(slot), 0, &tasks.Task{TaskID: id, State: state, Opcode: 20, Flags: tasks.FlagNotify})
}

// memory is a buffer of the device's own.
type memory struct {
	engine.Buffer
	words     engine.Words
	downloads *int
}

func (m memory) Size() int           { return len(m.words) }
func (m memory) Words() engine.Words { return nil }

func (m memory) Download(_ context.Context, at int, dst []uint32) error {
	*m.downloads++
	m.words.CopyTo(dst, at)
	return nil
}

// Between two slices the slots are fetched once, and who reads them sees what was fetched, though no worker has
// stamped it.
func TestFetchedSlotsAreSeen(t *testing.T) {
	s, downloads := deviceless(t, true), 0
	ring := memory{words: make(engine.Words, len(s.slots)), downloads: &downloads}
	s.buffers = map[string]engine.Buffer{"ring": ring}
	s.changes.init(s.kernel, s.slots, nil, s.outbox)
	copied := make([]uint32, len(s.slots))
	seen := s.changes.copyTo(copied, 0)
	s.slice.Add(1)
	ring.words[tasks.WordTaskID] = 42
	s.fetchSlots()
	s.fetchSlots()
	if s.changes.copyTo(copied, seen); copied[tasks.WordTaskID] != 42 || downloads != 1 {
		t.Errorf("task %d after %d downloads, want task 42 after one", copied[tasks.WordTaskID], downloads)
	}
}

// A reader of the device's memory asks the running slice to end, and none of those after it.
func TestReadersEndOneSlice(t *testing.T) {
	s, downloads := deviceless(t, true), 0
	s.buffers = map[string]engine.Buffer{"heap": memory{words: engine.Words{1, 2, 3}, downloads: &downloads}}
	s.slice.Store(5)
	dst := make([]uint32, 2)
	if err := s.ReadBuffer(t.Context(), "heap", 1, dst); err != nil || dst[0] != 2 || dst[1] != 3 {
		t.Fatalf("%v, %v", dst, err)
	}
	if s.inbox.Load(megakernel.InboxEndSlice) != 5 || s.reads.waiting.Load() != 0 {
		t.Errorf("slice %d is to end, and %d readers wait", s.inbox.Load(megakernel.InboxEndSlice), s.reads.waiting.Load())
	}
}

// Of two slots with the id the one counts whose task has not ended.
func TestFindTaskPrefersTheOneThatHasNotEnded(t *testing.T) {
	for _, tc := range []struct{ ended, live, want int }{{3, 9, 9}, {9, 3, 3}, {3, -1, 3}, {-1, 3, 3}} {
		s := deviceless(t, false)
		if tc.ended >= 0 {
			s.holds(tc.ended, 7, tasks.Done)
		}
		if tc.live >= 0 {
			s.holds(tc.live, 7, tasks.Yielded)
		}
		if got := s.findTask(7); got != uint32(tc.want) {
			t.Errorf("ended in %d, live in %d: slot %d", tc.ended, tc.live, got)
		}
		if got := s.findTask(8); got != AnySlot {
			t.Errorf("a task that is nowhere is in slot %d", got)
		}
	}
}

// A task that a breakpoint had held, and that is published again, is looked at again.
func TestPublishedTasksAreNotHeldYet(t *testing.T) {
	s := deviceless(t, false)
	s.put(0, []tasks.Task{{Flags: tasks.FlagHalted}})
	if got := s.inbox.Load(megakernel.InboxEntries + tasks.WordFlags); got != tasks.FlagNotify {
		t.Errorf("flags %#x, want those of a new task, %#x", got, tasks.FlagNotify)
	}
}

// Who waits for a session hears of its end, also when that comes after all that the session has told: waiting for
// a lost one to be at rest went on for ever.
func TestWaitersHearOfTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := deviceless(t, false)
		s.changed, s.ended = newSignal(), make(chan struct{})
		s.failure = engine.ErrDeviceLost
		ctx, cancel := context.WithCancel(t.Context())
		waited := make(chan error, 1)
		go func() { waited <- s.await(ctx, "wait", func() bool { return false }) }()
		synctest.Wait()
		s.changed.fire() // the last change
		synctest.Wait()
		close(s.ended)
		synctest.Wait()
		cancel()
		if err := <-waited; !errors.Is(err, ErrStopped) || !errors.Is(err, engine.ErrDeviceLost) {
			t.Errorf("the waiter got %v", err)
		}
	})
}

// The end of a run without breakpoints waited for the end of its slice, which may last longer than all of its work: the run was
// said to be slower than it is.
func TestARunThatHadNoBreakpointEndsWithinASlice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := deviceless(t, false) // not parked: as within a slice
		s.changed, s.ended = newSignal(), make(chan struct{})
		if err := AwaitUnheld(t.Context(), s); err != nil {
			t.Fatalf("without a breakpoint: %v", err)
		}
		s.tuning.most.Store(1)
		p, err := s.breaks.add(breakpoint.Breakpoint{})
		if err != nil {
			t.Fatal(err)
		}
		s.takeBreaks(&form{breaks: []*placed{p}})
		s.takeBreaks(&form{}) // it may have held tasks that it holds still
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := AwaitUnheld(ctx, s); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after a breakpoint, within a slice: %v", err)
		}
	})
}

// asked is a context that tells when it is looked at.
type asked struct {
	context.Context
	looks chan struct{} // 1 deep
}

func (a asked) Err() error {
	select {
	case a.looks <- struct{}{}:
	default:
	}
	return a.Context.Err()
}

// A command that waits for a free entry kept the slicer, which looks at the commands before it starts a slice, from starting
// the one that would have freed it.
func TestACommandThatWaitsDoesNotHoldUpTheSlicer(t *testing.T) {
	s := deviceless(t, false)
	s.commands = megakernel.CommandRing // none of them answered
	ctx, cancel := context.WithCancel(t.Context())
	waits := asked{ctx, make(chan struct{}, 1)}
	posted := make(chan error, 1)
	go func() {
		_, err := s.post(waits, megakernel.Command{Op: megakernel.OpPauseAll})
		posted <- err
	}()
	<-waits.looks
	waiting := make(chan bool, 1)
	go func() { waiting <- s.unanswered(false) }()
	select {
	case is := <-waiting:
		if !is {
			t.Error("no command is unanswered")
		}
	case <-time.After(time.Minute):
		t.Error("the slicer waits for the command")
	}
	cancel()
	if err := <-posted; !errors.Is(err, ErrUnanswered) {
		t.Errorf("the command: %v", err)
	}
}
