package stats

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// record is what a test says of a worker.
type record struct{ unit, ticks, handlers, idle, claims, lanes, activations uint32 }

// snapshot makes one of workers and waiting tasks: a task for each number in slots, which is its id, as a ready
// normal task; 0 is an empty slot.
func snapshot(at time.Duration, served uint64, workers []record, slots ...uint32) *megakernel.Snapshot {
	control, _ := megakernel.EncodeControl(1, 0)
	s := &megakernel.Snapshot{
		Taken: at, Workers: len(workers), Lanes: 8, Control: control,
		WorkerTable: make([]uint32, len(workers)*megakernel.WorkerWords), Slots: make([]uint32, len(slots)*tasks.SlotWords),
	}
	s.Served[tasks.Normal] = served
	for i, r := range workers {
		w := s.WorkerTable[i*megakernel.WorkerWords:]
		w[megakernel.WkUnit], w[megakernel.WkTicks], w[megakernel.WkHandler], w[megakernel.WkIdle] = r.unit, r.ticks, r.handlers, r.idle
		w[megakernel.WkLaneSum], w[megakernel.WkCounts+megakernel.CountClaims] = r.lanes, r.claims
		w[megakernel.WkCounts+megakernel.CountActivations] = r.activations
	}
	for i, id := range slots {
		if id != 0 {
			t := tasks.Task{State: tasks.Ready, Priority: tasks.Normal, TaskID: id}
			words := t.Words()
			copy(s.Slots[i*tasks.SlotWords:], words[:])
		}
	}
	return s
}

func TestShares(t *testing.T) {
	const wrapped = math.MaxUint32 - 99 // 100 before the counters wrap
	before := snapshot(0, 0, []record{{0, 1000, 500, 0, 0, 0, 0}, {0, wrapped, 7, 9, 0, 0, 0}, {}})
	after := snapshot(time.Second, 0, []record{{4, 2000, 1100, 300, 10, 60, 55}, {4, 100, 7, 109, 0, 0, 1}, {5, 0, 0, 0, 0, 0, 0}})
	r := OccupancyBetween(before, after)
	four, five := 3, 4
	want := &Occupancy{
		Over: time.Second, Share: &Share{Busy: 800. / 1200, Claim: 200. / 1200, Handler: 600. / 1200, Idle: 400. / 1200}, Fill: 60. / 80,
		Workers: []Worker{
			{ID: 0, Unit: &four, Share: &Share{Busy: 0.7, Claim: 0.1, Handler: 0.6, Idle: 0.3}, Activations: 55, Lanes: 6},
			{ID: 1, Unit: &four, Share: &Share{Busy: 0.5, Claim: 0.5, Handler: 0, Idle: 0.5}, Activations: 1},
			{ID: 2, Unit: &five},
		},
		Units:    []Unit{{ID: 3, Workers: 2, Busy: 800. / 1200}, {ID: 4, Workers: 1}},
		Estimate: &Estimate{},
	}
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })
	if diff := cmp.Diff(want, r, near); diff != "" {
		t.Error(diff)
	}
}

// TestAWorkerThatClaimsNothingIsNotBusy: a run that began with its workers paused was busy with importing its tasks.
func TestAWorkerThatClaimsNothingIsNotBusy(t *testing.T) {
	before := snapshot(0, 0, []record{{0, 1000, 0, 0, 3, 8, 2}})
	after := snapshot(time.Second, 0, []record{{0, 2000, 0, 860, 3, 8, 2}})
	if diff := cmp.Diff(&Share{Idle: 1}, OccupancyBetween(before, after).Share); diff != "" {
		t.Error(diff)
	}
}

func TestMeanWaitIsLittlesLaw(t *testing.T) {
	before := snapshot(0, 100, nil, 1, 2, 3, 4)
	after := snapshot(2*time.Second, 1100, nil, 5, 6, 0, 0)
	w := OccupancyBetween(before, after).Waits[tasks.Normal]
	if w.Waiting != 2 || w.Mean != 6*time.Millisecond { // 3 wait, 500 a second are served
		t.Errorf("%+v", w)
	}
	if w := OccupancyBetween(before, after).Waits[tasks.High]; w != (Wait{}) {
		t.Errorf("nothing waits, and nothing was served: %+v", w)
	}
}

func TestAgesOfTheTasksThatWait(t *testing.T) {
	var o Observer
	if o.Observe(snapshot(0, 0, nil, 1, 2, 3, 0)) != nil {
		t.Error("a report of one snapshot")
	}
	o.Observe(snapshot(1*time.Second, 5, nil, 1, 2, 4, 7))
	r := o.Observe(snapshot(2*time.Second, 9, nil, 1, 6, 4, 8))
	want := &Ages{P50: time.Second, P90: 4 * time.Second, P99: 4 * time.Second, Oldest: 2 * time.Second} // two came since, one waits for 1 s and one for 2
	if diff := cmp.Diff(want, r.Waits[tasks.Normal].Ages); diff != "" {
		t.Error(diff)
	}
	if o.Observe(snapshot(2*time.Second, 9, nil, 1)) != nil {
		t.Error("a report although no time has passed")
	}
	if r := o.Observe(snapshot(3*time.Second, 9, nil, 1)); r == nil || r.Waits[tasks.Normal].Ages.Oldest != time.Second {
		t.Error("a target that began again is not followed")
	}
}

// TestAnySnapshotHasAReport: words of a broken target give some report, that JSON can hold, with shares within
// 0 to 1.
func TestAnySnapshotHasAReport(t *testing.T) {
	word := rapid.OneOf(rapid.Uint32(), rapid.Uint32Range(0, 9))
	draw := func(rt *rapid.T) *megakernel.Snapshot {
		s := &megakernel.Snapshot{Taken: time.Duration(rapid.Int64().Draw(rt, "taken")), Lanes: rapid.IntRange(-1, 9).Draw(rt, "lanes")}
		s.WorkerTable = rapid.SliceOfN(word, 0, 3*megakernel.WorkerWords).Draw(rt, "workers")
		s.Slots = rapid.SliceOfN(word, 0, 5*tasks.SlotWords).Draw(rt, "slots")
		s.Control = rapid.SliceOfN(word, 0, 170).Draw(rt, "control")
		for p := range s.Served {
			s.Served[p] = rapid.Uint64().Draw(rt, "served")
		}
		return s
	}
	rapid.Check(t, func(rt *rapid.T) {
		var o Observer
		for range 3 {
			r := o.Observe(draw(rt))
			if r == nil {
				continue
			}
			if _, err := json.Marshal(r); err != nil {
				rt.Fatal(err)
			}
			for _, w := range r.Workers {
				if s := w.Share; s != nil && (s.Busy < 0 || s.Idle < 0 || s.Claim < 0 || s.Handler < 0 || math.Abs(s.Busy+s.Idle-1) > 1e-9) {
					rt.Fatalf("%+v", s)
				}
			}
		}
	})
}
