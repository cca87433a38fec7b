package resident

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/megakernel/ioservice"
	"vyretop/megakernel/kernel"
	"vyretop/tasks"
)

// deviceless is a session without a device, with the words of one that the host can see.
func deviceless(t *testing.T, mirror bool) *Session {
	c := kernel.Config{Slots: 32, InboxTasks: 8, Completions: 16, Mirror: mirror}
	k := &kernel.Kernel{Config: c, Layout: megakernel.NewSchedLayout(c.Slots)}
	control, err := megakernel.EncodeControl(2, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := &Session{
		kernel: k, control: control, slots: make(engine.Words, c.Slots*tasks.SlotWords),
		inbox: make(engine.Words, megakernel.InboxWords(c.InboxTasks)), outbox: make(engine.Words, k.OutboxWords()),
		workers: make(engine.Words, megakernel.WorkerWords),
	}
	s.queue.words = s.inbox
	return s
}

// holds puts a task into a slot.
func (s *Session) holds(slot int, id uint32, state tasks.State) {
	engine.PutStruct(s.slotWords(slot), 0, &tasks.Task{TaskID: id, State: state, Opcode: 20, Flags: tasks.FlagNotify})
}

// publishes puts tasks into the inbox that no worker has taken.
func (s *Session) publishes(ids ...uint32) {
	for i, id := range ids {
		at := megakernel.InboxEntries + i*megakernel.InboxEntryWords
		engine.PutStruct(s.inbox[at:at+tasks.SlotWords], 0, &tasks.Task{TaskID: id, State: tasks.Ready, Opcode: 20})
	}
	s.queue.reserved.Store(uint64(len(ids)))
	s.inbox.Store(megakernel.InboxTasks, uint32(len(ids)))
}

func idsOf(ts []tasks.Task) (ids []uint32) {
	for i := range ts {
		ids = append(ids, ts[i].TaskID)
	}
	return ids
}

// What goes on after a loss: tasks that wait. Those that ran, or whose words make no sense, do not; and an
// import that was cut off leaves a task in the inbox as well as in its slot, which must not run twice.
func TestSalvage(t *testing.T) {
	s := deviceless(t, false)
	s.holds(0, 1, tasks.Ready)
	s.holds(1, 2, tasks.Running)
	s.holds(2, 3, tasks.State(tasks.NumStates))
	s.holds(3, 4, tasks.Done)
	s.holds(4, 5, tasks.Yielded)
	s.publishes(1, 4, 6)
	e, report := s.salvage()
	kept := map[int]uint32{}
	for i := range s.kernel.Config.Slots {
		if id := e.slots[i*tasks.SlotWords+tasks.WordTaskID]; id != 0 {
			kept[i] = id
		}
	}
	if diff := cmp.Diff(map[int]uint32{0: 1, 4: 5}, kept); diff != "" || report.Queued != 2 {
		t.Errorf("%d queued; slots that go on: %s", report.Queued, diff)
	}
	if got := idsOf(report.Interrupted); !slices.Equal(got, []uint32{2, 3}) {
		t.Errorf("interrupted: %v", got)
	}
	if got := idsOf(e.inbox); !slices.Equal(got, []uint32{6}) || report.Inbox != 1 {
		t.Errorf("in the inbox: %v, %d told", got, report.Inbox)
	}
}

// Ids of spawned tasks go on behind the highest that a slot has: the count that the host sees is older.
func TestSalvagedIDsAreNotGivenAgain(t *testing.T) {
	s := deviceless(t, false)
	s.outbox.Store(megakernel.OutCounters+megakernel.CountSpawned, 5)
	if e, _ := s.salvage(); e.spawned != 5 {
		t.Errorf("without spawned tasks: %d, want the count", e.spawned)
	}
	s.holds(9, megakernel.SpawnedIDBase+41, tasks.Ready)
	if e, _ := s.salvage(); e.spawned != 41 {
		t.Errorf("%d, want that of the task", e.spawned)
	}
}

// A mirror that is older than the last slice says nothing about what has run since.
func TestSalvageDoesNotTrustAnOldMirror(t *testing.T) {
	s := deviceless(t, true)
	s.holds(0, 1, tasks.Ready)
	if _, report := s.salvage(); report.Queued != 1 {
		t.Errorf("of a mirror that is up to date: %+v", report)
	}
	s.workers.Store(megakernel.WkSlices, 1)
	if _, report := s.salvage(); report.Queued != 0 || len(report.Interrupted) != 1 {
		t.Errorf("of an old mirror: %+v", report)
	}
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

func (m memory) Upload(_ context.Context, at int, words []uint32) error {
	m.words.CopyFrom(at, words)
	return nil
}

// The new session goes on where the old one was: in its epoch, with ids that nobody has, and with a look at
// the tasks that wait for an epoch. Where there are pages it is a new epoch: who waits for one must ask again.
func TestRestore(t *testing.T) {
	for name, tc := range map[string]struct {
		pages *ioservice.Pages
		epoch uint32
	}{"without pages": {nil, 7}, "with pages": {&ioservice.Pages{}, 8}} {
		s := deviceless(t, false)
		s.options.Pages = tc.pages
		sched := make(engine.Words, s.kernel.Layout.Words)
		s.buffers = map[string]engine.Buffer{"sched": memory{words: sched}, "ring": memory{words: make(engine.Words, len(s.slots))}}
		e := &estate{slots: make([]uint32, len(s.slots)), control: slices.Clone(s.control), epoch: 7, nextID: 12, spawned: 41}
		e.control[megakernel.CtrlDoneCount] = 99
		if err := e.restore(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		got := []uint32{s.Epoch(), sched[megakernel.SchedEpoch], sched[megakernel.SchedSwept], sched[megakernel.SchedSpawnID], s.queue.number(0, 0), s.control[megakernel.CtrlDoneCount]}
		if diff := cmp.Diff([]uint32{tc.epoch, tc.epoch, tc.epoch - 1, 42, 12, 0}, got); diff != "" {
			t.Errorf("%s: epoch, that of the scheduler, the one that was swept, the next ids, tasks done: %s", name, diff)
		}
	}
}
