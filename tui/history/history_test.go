package history

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vyretop/megakernel"
	"vyretop/tui/cells"
)

const ms = time.Millisecond

func snap(seq uint64, taken time.Duration, done uint64) *megakernel.Snapshot {
	s := &megakernel.Snapshot{Seq: seq, Taken: taken}
	s.Counters[megakernel.CountDone] = done
	return s
}

func TestRatesAreOverTheWindow(t *testing.T) {
	var h History
	if h.Stats().RatesKnown {
		t.Error("rates known before any sample")
	}
	h.Add(snap(1, 0, 0), nil, 0)
	if h.Stats().RatesKnown {
		t.Error("rates known after one sample")
	}
	for i := range uint64(40) {
		h.Add(snap(i+2, time.Duration(i+1)*100*ms, (i+1)*50), nil, 0)
	}
	st := h.Stats()
	if !st.RatesKnown || st.TasksPerSecond != 500 || st.SnapshotsPerSecond != 10 {
		t.Errorf("stats %+v, want 500 tasks/s and 10 snapshots/s", st)
	}
}

func TestSeekBackwardsKeepsWhatCameBefore(t *testing.T) {
	var h History
	for i := range uint64(50) {
		h.Add(snap(i+1, time.Duration(i)*100*ms, i*10), []megakernel.Worker{{Heartbeat: uint32(i), LaneSum: uint32(i * 6), Claims: uint32(i)}}, 0)
	}
	before := h.TaskRate(nil, 1900*ms, 100*ms, 8)
	h.Add(snap(20, 1900*ms, 190), []megakernel.Worker{{Heartbeat: 19, LaneSum: 19 * 6, Claims: 19}}, 0)
	if last, _ := h.last(); h.count != 20 || last.Seq != 20 {
		t.Errorf("%d samples, the last is %d, want 20 and 20", h.count, last.Seq)
	}
	if diff := cmp.Diff(before, h.TaskRate(nil, 1900*ms, 100*ms, 8)); diff != "" {
		t.Errorf("series changed: %s", diff)
	}
	if st := h.Stats(); st.TasksPerSecond != 100 {
		t.Errorf("rate %v after going back, want 100", st.TasksPerSecond)
	}
	if age := h.BeatAges(nil, 1)[0]; age != 0 {
		t.Errorf("heartbeat from the future: age %v", age)
	}
	h.Add(snap(1, 0, 0), nil, 0)
	if h.count != 1 || h.Stats().RatesKnown {
		t.Errorf("%d samples at the start of the recording", h.count)
	}
}

func TestSameSnapshotTwiceCountsOnce(t *testing.T) {
	var h History
	h.Add(snap(1, ms, 1), nil, 0)
	h.Add(snap(1, ms, 1), nil, 0)
	if h.count != 1 {
		t.Errorf("%d samples", h.count)
	}
}

func TestCounterThatGoesBackIsNoNegativeRate(t *testing.T) {
	var h History
	h.Add(snap(1, 0, 100), nil, 0)
	h.Add(snap(2, 500*ms, 3), nil, 0)
	if got := h.Stats().TasksPerSecond; got != 0 {
		t.Errorf("rate %v", got)
	}
}

func TestOccupancySurvivesTheWrapOfWorkerWords(t *testing.T) {
	var h History
	near := ^uint32(0) - 10
	h.Add(snap(1, 0, 0), []megakernel.Worker{{LaneSum: near, Claims: 5}, {LaneSum: 7, Claims: near}}, 0)
	h.Add(snap(2, 100*ms, 0), []megakernel.Worker{{LaneSum: near + 60, Claims: 9}, {LaneSum: 7 + 40, Claims: near + 16}}, 0)
	st := h.Stats()
	if !st.OccupancyKnown || st.LanesPerClaim != 5 {
		t.Errorf("stats %+v, want 5 lanes a claim", st)
	}
}

func TestBeatAges(t *testing.T) {
	var h History
	h.Add(snap(1, 0, 0), []megakernel.Worker{{Heartbeat: 1}, {Heartbeat: 1}}, 0)
	h.Add(snap(2, 100*ms, 0), []megakernel.Worker{{Heartbeat: 2}, {Heartbeat: 1}}, 0)
	h.Add(snap(3, 250*ms, 0), []megakernel.Worker{{Heartbeat: 2}, {Heartbeat: 1}}, 0)
	want := []time.Duration{150 * ms, 250 * ms, 0}
	if diff := cmp.Diff(want, h.BeatAges(nil, 3)); diff != "" {
		t.Error(diff)
	}
}

func TestControlAges(t *testing.T) {
	var h History
	add := func(seq uint64, taken time.Duration, words ...uint32) {
		s := snap(seq, taken, 0)
		s.Control = words
		h.Add(s, nil, 0)
	}
	add(1, 0, 1, 1, 1)
	add(2, 100*ms, 1, 2, 1)
	add(3, 900*ms, 1, 2, 9)
	if diff := cmp.Diff([]time.Duration{Never, 800 * ms, 0}, h.ControlAges(nil)); diff != "" {
		t.Error(diff)
	}
	add(4, time.Second, 5, 5)
	if diff := cmp.Diff([]time.Duration{Never, Never}, h.ControlAges(nil)); diff != "" {
		t.Errorf("a buffer of another size counts as changed: %s", diff)
	}
}

func TestSeries(t *testing.T) {
	var h History
	for i, done := range []uint64{0, 10, 30, 30, 90} {
		h.Add(snap(uint64(i+1), time.Duration(i)*100*ms, done), nil, i)
	}
	got := h.TaskRate(nil, 399*ms, 200*ms, 3)
	if diff := cmp.Diff([]float64{cells.Absent, 150, 300}, got); diff != "" {
		t.Errorf("rates: %s", diff)
	}
	got = h.TaskRate(nil, 399*ms, 100*ms, 6)
	if diff := cmp.Diff([]float64{cells.Absent, cells.Absent, 100, 150, 100, 300}, got); diff != "" {
		t.Errorf("rates in buckets finer than what is averaged over: %s", diff)
	}
	got = h.Queued(nil, 410*ms, 100*ms, 6)
	if diff := cmp.Diff([]float64{cells.Absent, 0, 1, 2, 3, 4}, got); diff != "" {
		t.Errorf("queued: %s", diff)
	}
}

func TestSeriesShowsLongSilenceAsUnknown(t *testing.T) {
	var h History
	h.Add(snap(1, 0, 0), nil, 5)
	h.Add(snap(2, 9*time.Second, 900), nil, 6)
	for i, v := range h.TaskRate(nil, 8*time.Second, time.Second, 8) {
		if v != cells.Absent {
			t.Errorf("second %d of a silence has rate %v", i, v)
		}
	}
	got := h.Queued(nil, 5*time.Second, time.Second, 6)
	if diff := cmp.Diff([]float64{5, 5, cells.Absent, cells.Absent, cells.Absent, cells.Absent}, got); diff != "" {
		t.Errorf("queued: %s", diff)
	}
}

func TestBucketFor(t *testing.T) {
	for _, tc := range []struct {
		end, want time.Duration
	}{{0, 50 * ms}, {3 * time.Second, 50 * ms}, {4 * time.Second, 100 * ms}, {time.Hour, 500 * ms}} {
		if got := BucketFor(tc.end, 60); got != tc.want {
			t.Errorf("BucketFor(%v) = %v, want %v", tc.end, got, tc.want)
		}
	}
}

func TestTop(t *testing.T) {
	for _, tc := range []struct{ peak, want float64 }{{0, 1}, {1, 1}, {1.5, 2}, {3, 5}, {7, 10}, {999, 1000}, {1001, 2000}} {
		if got := Top([]float64{cells.Absent, tc.peak}); got != tc.want {
			t.Errorf("Top(%v) = %v, want %v", tc.peak, got, tc.want)
		}
	}
}

// Memory stays bounded and lookups stay right after the ring has wrapped.
func TestRingWraps(t *testing.T) {
	var h History
	n := MaxSamples + 500
	for i := range n {
		h.Add(snap(uint64(i+1), time.Duration(i)*ms, uint64(i)), nil, 0)
	}
	if h.count != MaxSamples {
		t.Fatalf("%d samples kept", h.count)
	}
	rapid.Check(t, func(t *rapid.T) {
		at := time.Duration(rapid.IntRange(0, n+100).Draw(t, "at")) * ms
		oldest := time.Duration(n-MaxSamples) * ms
		want := min(max(at, oldest), time.Duration(n-1)*ms)
		if got := h.at(h.index(at)).Taken; got != want {
			t.Fatalf("sample for %v was taken at %v, want %v", at, got, want)
		}
	})
}

func TestServedRates(t *testing.T) {
	var h History
	for i := range uint32(21) {
		s := snap(uint64(i+1), time.Duration(i)*100*ms, 0)
		s.Control = make([]uint32, megakernel.ControlMinWords)
		s.Control[megakernel.CtrlTenantFair0+3] = i*50 - 100 // wraps
		s.Control[megakernel.CtrlPriorityFair0+1] = i * 7
		h.Add(s, nil, 0)
	}
	got := h.Served()
	if !got.Known || got.Tenants[3] != 500 || got.Priorities[1] != 70 || got.Tenants[0] != 0 {
		t.Errorf("%+v", got)
	}
}

// Columns that were asked for before are those of a history that is asked for the first time, whatever came between:
// samples, gaps, another width of the buckets, a look at an earlier snapshot, a seek.
func TestColumnsThatAreKeptStayTrue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h History
		var added []*megakernel.Snapshot
		for n := rapid.IntRange(1, 60).Draw(t, "steps"); n > 0; n-- {
			s := snap(1, 0, 0)
			if len(added) > 0 {
				last := added[len(added)-1]
				step := rapid.SampledFrom([]time.Duration{10, 50, 90, 700, 3000}).Draw(t, "step") * ms
				s = snap(last.Seq+1, last.Taken+step, last.Counters[megakernel.CountDone]+uint64(rapid.IntRange(0, 99).Draw(t, "done")))
			}
			if len(added) > 3 && rapid.IntRange(0, 9).Draw(t, "seek") == 0 {
				added = added[:len(added)/2]
				s = added[len(added)-1]
				added = added[:len(added)-1]
			}
			h.Add(s, nil, int(s.Seq)%17)
			added = append(added, s)

			var fresh History
			for _, x := range added {
				fresh.Add(x, nil, int(x.Seq)%17)
			}
			end := max(s.Taken-time.Duration(rapid.IntRange(0, 2).Draw(t, "back"))*300*ms, 0)
			bucket := rapid.SampledFrom(Buckets[:2]).Draw(t, "bucket")
			columns := rapid.IntRange(1, 40).Draw(t, "columns")
			if diff := cmp.Diff(fresh.TaskRate(nil, end, bucket, columns), h.TaskRate(nil, end, bucket, columns)); diff != "" {
				t.Fatalf("rates (-first asked +asked before): %s", diff)
			}
			if diff := cmp.Diff(fresh.Queued(nil, end, bucket, columns), h.Queued(nil, end, bucket, columns)); diff != "" {
				t.Fatalf("queued (-first asked +asked before): %s", diff)
			}
		}
	})
}
