package stats

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vyretop/megakernel"
	"vyretop/tasks"
)

func metricSnapshot(at time.Duration, done uint32, states ...tasks.State) *megakernel.Snapshot {
	s := &megakernel.Snapshot{Taken: at, Workers: 1, WorkerTable: make([]uint32, 2*megakernel.WorkerWords)}
	s.Control, _ = megakernel.EncodeControl(1, 0)
	s.Control[megakernel.CtrlDoneCount] = done
	for _, state := range states {
		words := (&tasks.Task{State: state}).Words()
		s.Slots = append(s.Slots, words[:]...)
	}
	return s
}

// values are the named metrics of a sample.
func values(s *Sample, names ...string) map[string]any {
	out := map[string]any{}
	for _, n := range names {
		out[n] = MetricNamed(n).Value(s)
	}
	return out
}

func TestMetrics(t *testing.T) {
	before := metricSnapshot(time.Second, 3)
	now := metricSnapshot(1500*time.Millisecond, 7, tasks.Empty, tasks.Ready, tasks.Yielded, tasks.Paused, tasks.Done, tasks.Faulted, tasks.State(99))
	now.WorkerTable[megakernel.WkState] = uint32(megakernel.WorkerPaused)
	want := map[string]any{
		"slots": uint64(7), "queue_depth": uint64(3), "waiting": uint64(2), "unknown_slots": uint64(1), "fault_slots": uint64(1),
		"done": uint64(7), "done_delta": uint64(4), "tasks_per_s": uint64(8), "taken_ms": uint64(1500), "phase": "starting",
		"consistent": false, "workers_paused": uint64(1), "workers_absent": uint64(0), "age_ms": nil, "served_low": uint64(0),
	}
	var names []string
	for n := range want {
		names = append(names, n)
	}
	if diff := cmp.Diff(want, values(NewSample(now, before), names...)); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
	raw := NewSample(now, nil)
	raw.Raw = true
	want = map[string]any{"slots": uint64(7), "done": uint64(7), "done_delta": nil, "tasks_per_s": nil, "taken_ms": nil, "workers": nil, "faulted": nil, "served_low": uint64(0)}
	if diff := cmp.Diff(want, values(raw, "slots", "done", "done_delta", "tasks_per_s", "taken_ms", "workers", "faulted", "served_low")); diff != "" {
		t.Errorf("metrics of raw buffers (-want +got):\n%s", diff)
	}
}

// TestProgressIsPrintedWhereItIsKnown: a share and a rate need what they are made of.
func TestProgressIsPrintedWhereItIsKnown(t *testing.T) {
	names := []string{"progress_done", "progress_total", "progress_unit", "progress_percent", "progress_per_s"}
	at := func(taken time.Duration, p megakernel.Progress) *megakernel.Snapshot {
		s := metricSnapshot(taken, 0)
		s.Progress = p
		return s
	}
	for _, c := range []struct {
		name        string
		before, now megakernel.Progress
		want        []any
	}{
		{"nothing is known", megakernel.Progress{}, megakernel.Progress{}, []any{nil, nil, nil, nil, nil}},
		{"no total", megakernel.Progress{Done: 1, Unit: "B"}, megakernel.Progress{Done: 4, Unit: "B"}, []any{uint64(4), nil, "B", nil, uint64(6)}},
		{"almost all", megakernel.Progress{}, megakernel.Progress{Done: 999, Total: 1000, Unit: "B"}, []any{uint64(999), uint64(1000), "B", uint64(99), nil}},
		{"all", megakernel.Progress{Done: 10, Total: 10, Unit: "B"}, megakernel.Progress{Done: 10, Total: 10, Unit: "B"}, []any{uint64(10), uint64(10), "B", uint64(100), uint64(0)}},
		{"nonsense of a damaged file", megakernel.Progress{Done: -9, Total: -1, Unit: "B"}, megakernel.Progress{Done: -9, Total: -1, Unit: "B"}, []any{uint64(0), nil, "B", nil, uint64(0)}},
	} {
		got := values(NewSample(at(1500*time.Millisecond, c.now), at(time.Second, c.before)), names...)
		for i, n := range names {
			if got[n] != c.want[i] {
				t.Errorf("%s: %s is %v, want %v", c.name, n, got[n], c.want[i])
			}
		}
	}
}

// TestACounterThatWentBackHasNotGrown: a broken kernel, or two snapshots in the wrong order.
func TestACounterThatWentBackHasNotGrown(t *testing.T) {
	s := NewSample(metricSnapshot(time.Second, 3), metricSnapshot(2*time.Second, 7))
	if diff := cmp.Diff(map[string]any{"done_delta": uint64(0), "tasks_per_s": nil}, values(s, "done_delta", "tasks_per_s")); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}

func TestMetricsAreNamedOnceAndExplained(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Metrics {
		if seen[m.Name] || m.Help == "" {
			t.Errorf("%s is there twice or has no help", m.Name)
		}
		seen[m.Name] = true
	}
	if MetricNamed("fly") != nil || len(MetricNames()) != len(Metrics) {
		t.Error("names do not fit")
	}
}

// TestNoSnapshotIsTooOddToMeasure: words are missing, or workers are.
func TestNoSnapshotIsTooOddToMeasure(t *testing.T) {
	for _, s := range []*megakernel.Snapshot{{}, {Workers: -1}, {Workers: 5, Control: make([]uint32, 3)}} {
		row := Row{Sample: NewSample(s, s)}
		for i := range Metrics {
			if text := string(row.Text(i)); (text != "") != row.Known(i) {
				t.Errorf("%s is %q, and known: %v", Metrics[i].Name, text, row.Known(i))
			}
			row.Number(i)
		}
	}
}

// TestAGraphSearchHasAFrontier: the metrics are there where the workload searches a graph, and only there.
func TestAGraphSearchHasAFrontier(t *testing.T) {
	for _, c := range []struct {
		graph megakernel.Graph
		want  []any
	}{
		{megakernel.Graph{}, []any{nil, nil}},
		{megakernel.Graph{Nodes: 1 << 25, Frontier: 1, Widest: 1}, []any{uint64(1), uint64(1)}},
		{megakernel.Graph{Nodes: 8, Frontier: 2, Widest: 5}, []any{uint64(2), uint64(6250)}},
		{megakernel.Graph{Nodes: 8, Widest: 1 << 30}, []any{uint64(0), uint64(10000)}}, // of a broken kernel
	} {
		s := metricSnapshot(time.Second, 0)
		s.Progress.Graph = c.graph
		for i, name := range []string{"frontier_nodes", "frontier_density_bps"} {
			if got := MetricNamed(name).Value(NewSample(s, nil)); got != c.want[i] {
				t.Errorf("%s of %+v is %v, want %v", name, c.graph, got, c.want[i])
			}
		}
	}
}
