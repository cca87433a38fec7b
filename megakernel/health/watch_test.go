package health

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/tasks"
)

const op = 20 // of a workload

// target makes snapshots of a target with four slots and two workers that the tests change.
type target struct{ now megakernel.Snapshot }

func newTarget(t testing.TB) *target {
	t.Helper()
	control, err := megakernel.EncodeControl(2, 0)
	if err != nil {
		t.Fatal(err)
	}
	x := &target{megakernel.Snapshot{
		Consistent: true, Phase: megakernel.PhaseResident, Control: control,
		Slots: make([]uint32, 4*tasks.SlotWords), WorkerTable: make([]uint32, 2*megakernel.WorkerWords),
	}}
	for i := range 4 {
		w := x.now.Slot(i)
		w[tasks.WordState], w[tasks.WordOpcode], w[tasks.WordTaskID], w[tasks.WordPriority] = uint32(tasks.Ready), op, uint32(10+i), uint32(tasks.Normal)
	}
	for i := range 2 {
		x.worker(i)[megakernel.WkState], x.worker(i)[megakernel.WkSlot] = uint32(megakernel.WorkerIdle), megakernel.NoSlot
	}
	x.now.Counters[megakernel.CountImported], x.now.Submitted, x.now.InboxTaken = 4, 4, 4
	return x
}

func (x *target) worker(i int) []uint32 { return x.now.WorkerTable[i*megakernel.WorkerWords:] }

// snapshot is the target now, later than the last.
func (x *target) snapshot() *megakernel.Snapshot {
	x.now.Seq++
	x.now.Taken += 50 * time.Millisecond
	s := x.now
	s.Control, s.Slots, s.WorkerTable = slices.Clone(s.Control), slices.Clone(s.Slots), slices.Clone(s.WorkerTable)
	return &s
}

func rules(list []Violation) []string {
	var out []string
	for _, v := range list {
		out = append(out, v.Rule+" "+v.Subject)
	}
	return out
}

func TestRules(t *testing.T) {
	for name, tc := range map[string]struct {
		before, change func(*target)
		want           []string
	}{
		"nothing":          {},
		"unknown state":    {nil, func(x *target) { x.now.Slot(2)[tasks.WordState] = 9 }, []string{"state.unknown slot 2"}},
		"unknown priority": {nil, func(x *target) { x.now.Slot(1)[tasks.WordPriority] = 5 }, []string{"priority.unknown slot 1"}},
		"priority of an empty slot": {nil, func(x *target) {
			x.now.Slot(1)[tasks.WordState], x.now.Slot(1)[tasks.WordPriority] = uint32(tasks.Empty), 99
		}, nil},
		"done and live again": {
			func(x *target) { x.now.Slot(0)[tasks.WordState] = uint32(tasks.Done) },
			func(x *target) { x.now.Slot(0)[tasks.WordState] = uint32(tasks.Running) }, []string{"transition slot 0"},
		},
		"slot used again": {
			func(x *target) { x.now.Slot(0)[tasks.WordState] = uint32(tasks.Done) },
			func(x *target) {
				x.now.Slot(0)[tasks.WordState], x.now.Slot(0)[tasks.WordTaskID] = uint32(tasks.Ready), 77
			}, nil,
		},
		"yields went back": {
			func(x *target) { x.now.Slot(3)[tasks.WordYieldCount] = 5 },
			func(x *target) { x.now.Slot(3)[tasks.WordYieldCount] = 4 }, []string{"task.counter slot 3"},
		},
		"arguments of an operation": {
			func(x *target) {
				x.now.Slot(3)[tasks.WordOpcode], x.now.Slot(3)[tasks.WordYieldCount] = megakernel.OpcodeAtomicAdd, 5
			},
			func(x *target) { x.now.Slot(3)[tasks.WordYieldCount] = 4 }, nil,
		},
		"two owners":             {nil, func(x *target) { x.now.Slot(3)[tasks.WordTaskID] = 10 }, []string{"owner slot 3"}},
		"slot that is not there": {nil, func(x *target) { x.worker(1)[megakernel.WkSlot] = 4 }, []string{"worker.slot worker 1"}},
		"unknown worker state":   {nil, func(x *target) { x.worker(0)[megakernel.WkState] = 8 }, []string{"worker.state worker 0"}},
		"heartbeat wraps": {
			func(x *target) { x.worker(0)[megakernel.WkHeartbeat] = ^uint32(0) },
			func(x *target) { x.worker(0)[megakernel.WkHeartbeat] = 3 }, nil,
		},
		"count of a worker went back": {
			func(x *target) { x.worker(0)[megakernel.WkCounts+megakernel.CountDone] = 3 },
			func(x *target) { x.worker(0)[megakernel.WkCounts+megakernel.CountDone] = 2 }, []string{"worker.counter worker 0"},
		},
		"tenant base": {nil, func(x *target) { x.now.Control[megakernel.CtrlTenantBase] = 4 }, []string{"control.base tenant_base"}},
		"epoch went back": {
			func(x *target) { x.now.Control[megakernel.CtrlEpoch] = 9 },
			func(x *target) { x.now.Control[megakernel.CtrlEpoch] = 8 }, []string{"control.counter epoch"},
		},
		"totals went back": {
			func(x *target) { x.now.LogCursor = 9; x.now.Counters[megakernel.CountYields] = 3 },
			func(x *target) { x.now.LogCursor = 8; x.now.Counters[megakernel.CountYields] = 1 }, []string{"total yields", "total log records"},
		},
		"the device's own": {nil, func(x *target) { x.now.Counters[megakernel.CountViolations] = 2 }, []string{"device violations"}},
		"sums at rest":     {func(x *target) { x.now.Phase = megakernel.PhaseParked }, nil, nil},
		"a lost task": {func(x *target) {
			x.now.Phase = megakernel.PhaseParked
			x.now.Slot(0)[tasks.WordState] = uint32(tasks.Empty)
		}, nil, []string{"sum.tasks tasks"}},
		"a fault that was not counted": {func(x *target) {
			x.now.Phase = megakernel.PhaseParked
			x.now.Slot(0)[tasks.WordState] = uint32(tasks.Faulted)
			x.now.Counters[megakernel.CountDone] = 1
		}, nil, []string{"sum.faulted faulted slots"}},
	} {
		t.Run(name, func(t *testing.T) {
			x, w := newTarget(t), &Watch{}
			if tc.before != nil {
				tc.before(x)
			}
			if got := w.Check(x.snapshot()); len(got) != 0 {
				t.Fatalf("before the change: %v", got)
			}
			if tc.change != nil {
				tc.change(x)
			}
			if diff := cmp.Diff(tc.want, rules(w.Check(x.snapshot()))); diff != "" {
				t.Error(diff)
			}
			if got := w.Check(x.snapshot()); len(got) != 0 {
				t.Errorf("reported again: %v", got)
			}
		})
	}
}

// What is broken, mended and broken again is reported again.
func TestReportedAgainAfterItWasMended(t *testing.T) {
	x, w := newTarget(t), &Watch{}
	for range 3 {
		x.now.Slot(2)[tasks.WordState] = 9
		if got := rules(w.Check(x.snapshot())); len(got) != 1 {
			t.Errorf("%v", got)
		}
		x.now.Slot(2)[tasks.WordState] = uint32(tasks.Ready)
		if got := w.Check(x.snapshot()); len(got) != 0 {
			t.Errorf("%v", got)
		}
	}
}

// Words of a torn snapshot are of different times: they are not compared with each other.
func TestTornSnapshotsAreNotCompared(t *testing.T) {
	x, w := newTarget(t), &Watch{}
	x.now.Slot(0)[tasks.WordState] = uint32(tasks.Done)
	w.Check(x.snapshot())
	x.now.Consistent = false
	x.now.Slot(0)[tasks.WordState] = uint32(tasks.Ready)
	x.now.Slot(3)[tasks.WordTaskID] = 10
	if got := w.Check(x.snapshot()); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

func TestWordsBeforeAndAfter(t *testing.T) {
	x, w := newTarget(t), &Watch{}
	x.now.Control[megakernel.CtrlEpoch] = 9
	w.Check(x.snapshot())
	x.now.Control[megakernel.CtrlEpoch] = 8
	got := w.Check(x.snapshot())
	want := []Violation{{At: 100 * time.Millisecond, Rule: "control.counter", Subject: "epoch", Detail: "went back from 9 to 8", Before: []uint32{9}, After: []uint32{8}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A large ring is gone through in parts, and a violation in each is found, once: also one in the part before
// a shorter last one, which is not looked at again with that.
func TestLargeRings(t *testing.T) {
	x, w := newTarget(t), &Watch{}
	const n = 3*SlotsPerCheck + 5
	x.now.Slots = make([]uint32, n*tasks.SlotWords)
	bad := []int{0, SlotsPerCheck, 3*SlotsPerCheck - 1, n - 1}
	for _, i := range bad {
		x.now.Slot(i)[tasks.WordState] = 8
	}
	found := 0
	for range 9 {
		found += len(w.Check(x.snapshot()))
	}
	if found != len(bad) {
		t.Errorf("%d violations found, want each of %d once", found, len(bad))
	}
}

// A seek to an earlier snapshot is not a violation.
func TestSeekBack(t *testing.T) {
	x, w := newTarget(t), &Watch{}
	early := x.snapshot()
	x.now.Control[megakernel.CtrlEpoch] = 5
	w.Check(x.snapshot())
	if got := w.Check(early); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// The recording of a real run obeys every rule, sample by sample and in leaps.
func TestRecordingObeys(t *testing.T) {
	rec, err := fixtures.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	p := fixtures.NewPlayer(rec, nil)
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, leap := range []int{1, 7} {
		w := &Watch{}
		p.Seek(0)
		for last := uint64(0); p.Snapshot().Seq != last; p.Step(leap) {
			last = p.Snapshot().Seq
			for _, v := range w.Check(p.Snapshot()) {
				t.Errorf("steps of %d: %s", leap, v.String())
			}
		}
	}
}

// Whatever words there are, a check ends without a panic.
func TestAnyWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &Watch{}
		words := rapid.SliceOfN(rapid.Uint32(), 0, 400)
		for seq := range uint64(3) {
			w.Check(&megakernel.Snapshot{
				Seq: seq, Taken: time.Duration(seq), Consistent: rapid.Bool().Draw(t, "consistent"), Phase: megakernel.PhaseParked,
				Control: words.Draw(t, "control"), Slots: words.Draw(t, "slots"), WorkerTable: words.Draw(t, "workers"),
			})
		}
	})
}

// BenchmarkCheckMillionSlots is the cost of a check of a ring of a million slots.
func BenchmarkCheckMillionSlots(b *testing.B) {
	s := &megakernel.Snapshot{Consistent: true, Control: make([]uint32, megakernel.ControlMinWords), Slots: make([]uint32, megakernel.MaxSlots*tasks.SlotWords)}
	s.Control[megakernel.CtrlTenantBase] = megakernel.CtrlTenantMask0
	w := &Watch{}
	for b.Loop() {
		next := *s
		next.Seq, next.Taken = s.Seq+1, s.Taken+1
		w.Check(&next)
		s = &next
	}
}
