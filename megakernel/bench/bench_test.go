package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/gl"
)

var (
	rewrite     = flag.Bool("rewrite", false, "rewrite the golden files")
	everyMetric = flag.Bool("everymetric", false, "TestShortRun measures with every kernel on OpenGL, where some take long to compile")
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// stubbed makes the report of a run in which every measurement gathered the same.
func stubbed() *Report {
	r := &Report{
		Schema: Schema, Version: "v1", Backend: "gl", Device: "egl:device/0", Renderer: "a <fast> device", Driver: "driver 1.2",
		Placement: map[string]string{"host-visible": "host-visible", "device-local": "host-visible"},
		Workers:   2, WorkgroupSize: 8, CPUs: 2, Software: true, Load: engine.Known(1.5), Oversubscribed: true, Rounds: 2, ElapsedMs: 60123,
		ForS: 90, Only: []string{"go_pool", "scan"},
	}
	known := engine.Known[float64]
	r.Memory = []gl.Memory{{
		Class: "host-visible", Placement: "host-visible", RoundTripNs: known(1200),
		HostRead: gl.Access{NsPerWord: known(2.5), MBPerS: known(8000)}, HostWrite: gl.Access{NsPerWord: known(10), MBPerS: known(4000)},
		DeviceRead: gl.Access{NsPerWord: known(900), MBPerS: known(1.5e6)},
	}}
	for i, s := range specs {
		t := &tally{
			parts: []part{{n: 1_000_000 * uint64(i+1), took: time.Second, shape: shape{2, 8}}, {n: 4_000_000, took: 2 * time.Second, shape: shape{2, 32}}},
			costs: []float64{0.5, -0.25, 1.25},
			shape: shape{2, 8}, picked: shape{2, 32},
		}
		t.count("lost", 1e6)
		t.count(started[0], 100)
		t.count("allocations", 5e3)
		for n := range 1000 {
			t.took = append(t.took, time.Duration(n+1)*time.Microsecond*time.Duration(i+1))
		}
		if s.name == "resident_scaling" {
			t.parts[0].shape.workers = 1
		}
		if s.name == "naive_scan" {
			t.err = errors.New("it broke. Fix: mend it")
		}
		r.Metrics = append(r.Metrics, s.metric(t))
	}
	r.compare()
	r.limit()
	return r
}

// TestARecordThatIsNotWrittenIsNotTaken: the reader of a run cannot take more than a worker writes, which is known only where
// log_records is of one worker, too.
func TestARecordThatIsNotWrittenIsNotTaken(t *testing.T) {
	for workers, want := range map[int]float64{1: 8e6, 2: 0} {
		records := Metric{Name: "log_records", Value: engine.Known(6e6), Workers: workers, Also: map[string]float64{"lost_percent": 25}}
		r := &Report{Metrics: []Metric{records, {Name: "log_taken", Value: engine.Known(5e6), Workers: 1}}}
		r.limit()
		got := 0.0
		if l := r.Metric("log_taken").Limit; l != nil {
			got = l.Value
		}
		if got != want {
			t.Errorf("%d workers: limit %v, want %v", workers, got, want)
		}
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *rewrite {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got; go test -rewrite rewrites it):\n%s", name, diff)
	}
}

func TestReportDocument(t *testing.T) {
	text, err := json.MarshalIndent(stubbed(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "report.json", append(text, '\n'))
}

func TestReportForPeople(t *testing.T) {
	var b bytes.Buffer
	if err := stubbed().Write(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "report.txt", b.Bytes())
}

func TestFailedNamesWhatHasAnError(t *testing.T) {
	if diff := cmp.Diff([]string{"naive_scan"}, stubbed().Failed()); diff != "" {
		t.Error(diff)
	}
}

func TestGapIsTheTimeOfSlicesThatEndAtOnce(t *testing.T) {
	g := &tally{parts: []part{{n: 1000, took: 90 * time.Millisecond}, {n: 1000, took: 110 * time.Millisecond}}}
	g.count("long_slices", 8)
	g.count("long_us", 80e3)
	m := sumGap(g)
	want := map[string]float64{"slice_ms": 10, "share_of_slice_percent": 1}
	if got := m.Value.Or(0); got != 100 || !maps.Equal(m.Also, want) {
		t.Errorf("gap of %v us, want 100; also %v, want %v", got, m.Also, want)
	}
	if m := sumGap(&tally{}); m.Error == "" {
		t.Errorf("nothing measured gives %+v, want an error", m)
	}
}

func TestScalingIsAgainstOneWorker(t *testing.T) {
	g := &tally{parts: []part{
		{1000, time.Second, shape{1, 8}}, {2500, time.Second, shape{4, 8}}, {3000, time.Second, shape{1, 8}}, {7500, time.Second, shape{4, 8}},
	}}
	m := sumScaling(g)
	want := map[string]float64{"tasks_per_s_0001": 2000, "tasks_per_s_0004": 5000}
	if got := m.Value.Or(0); got != 62.5 || m.N != 14000 || !maps.Equal(m.Also, want) {
		t.Errorf("%v %% of linear, n %d, also %v", got, m.N, m.Also)
	}
	if m := sumScaling(&tally{}); m.Error == "" {
		t.Errorf("nothing measured gives %+v, want an error", m)
	}
}

func TestUnknownMetric(t *testing.T) {
	_, err := Run(t.Context(), Config{Only: []string{"go_pool", "warp_speed"}})
	if !errors.Is(err, ErrMetric) || !strings.HasPrefix(err.Error(), `unknown metric "warp_speed". Fix: use some of submit_to_done, `) {
		t.Errorf("error %v", err)
	}
}

func TestRoundsFollowTheTime(t *testing.T) {
	for whole, want := range map[time.Duration]int{time.Millisecond: 1, 15 * time.Second: 1, 20 * time.Second: 2, time.Minute: 4, time.Hour: 4} {
		if got := rounds(whole); got != want {
			t.Errorf("%v: %d rounds, want %d", whole, got, want)
		}
	}
}

// fewWorkgroups is a reference device with few workgroups at once: it takes seconds over each launch shape that suits the
// default one.
var fewWorkgroups = reference.Options{Seed: 1, Resident: 4}

// Everything is measured briefly; nothing may fail.
func TestShortRun(t *testing.T) {
	for name, open := range backendtest.All {
		t.Run(name, func(t *testing.T) {
			if name == "reference" {
				runShort(t, backendtest.Reference(t, fewWorkgroups))
			} else {
				runShort(t, open(t))
			}
		})
	}
}

func runShort(t *testing.T, b engine.Backend) {
	// A driver takes long over each kernel, and longest over a dozen handlers more.
	left := map[string][]string{"gl": {"resident_many", "resident_special"}}[b.Identity().Name]
	if len(left) > 0 && !*everyMetric {
		left = append(left, "resident_simd", "resident_full", "resident_scaling", "log_taken", "log_recorded", "log_every_cost", "retune_lanes")
	}
	var names []string
	for _, s := range specs {
		if s.needs == 0 && !slices.Contains(left, s.name) { // what needs a program has tests of its own
			names = append(names, s.name)
		}
	}
	turns := 0
	r, err := Run(t.Context(), Config{Backend: b, Version: "test", For: time.Second, Only: names, Progress: func(done, total int, next string) {
		if done != turns || total != len(names) || next != names[turns] {
			t.Errorf("progress %d of %d at turn %d", done, total, turns)
		}
		turns++
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range r.Metrics {
		_, hasValue := m.Value.Get()
		switch {
		case m.Error != "":
			t.Errorf("%s: %s", m.Name, m.Error)
		case hasValue == (m.Quantiles != nil) || m.N == 0 || m.Workers == 0 || m.WorkgroupSize == 0:
			t.Errorf("%s: %+v", m.Name, m)
		}
		if q := m.Quantiles; q != nil && (q.P50 <= 0 || q.P50 > q.P99 || q.P99 > q.P999 || q.P999 > q.Max) {
			t.Errorf("%s: quantiles %+v", m.Name, *q)
		}
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
}

// A measurement that does not watch its context would continue for an hour.
func TestRunEndsWithItsContext(t *testing.T) {
	b := backendtest.Reference(t, fewWorkgroups)
	c := Config{Backend: b, For: time.Hour, Program: fakeProgram(t, "exec sleep 3600")}
	can, err := choose(&c)
	if err != nil {
		t.Fatal(err)
	}
	for i := range can {
		name := can[i].name
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		c.Only = []string{name}
		_, err := Run(ctx, c)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: error %v, want that of the context", name, err)
		}
	}
}

// Ctrl-C, or a limit of time, lost what had been measured for minutes.
func TestAnInterruptedRunKeepsWhatItMeasured(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := Run(ctx, Config{
		Backend: backendtest.Reference(t, fewWorkgroups), For: 400 * time.Millisecond, Only: []string{"go_pool", "go_pool_latency"},
		Progress: func(done, _ int, _ string) {
			if done == 1 {
				cancel()
			}
		},
	})
	if !errors.Is(err, context.Canceled) || r == nil || !r.Interrupted {
		t.Fatalf("report %+v, error %v", r, err)
	}
	if len(r.Metrics) != 1 || r.Metrics[0].Name != "go_pool" || r.Metrics[0].Value.Or(0) <= 0 || len(r.Failed()) > 0 {
		t.Errorf("metrics %+v", r.Metrics)
	}
}

// The page is of a report that has gone through its document.
func TestReportAsMarkdown(t *testing.T) {
	text, err := json.Marshal(stubbed())
	if err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	list := []Figures{{"docs/bench/stub.json", &back, "It is a stub.\n"}, {"docs/bench/cuda.json", &Report{Backend: "cuda", Renderer: "a GPU"}, ""}}
	if err := WriteMarkdown(&b, list); err != nil {
		t.Fatal(err)
	}
	golden(t, "report.md", b.Bytes())
}

func TestGoalsNameMetrics(t *testing.T) {
	for _, g := range goals {
		if err := Check([]string{g.metric}); err != nil {
			t.Error(err)
		}
	}
	for _, c := range comparisons {
		if err := Check(append([]string{c.metric}, c.with...)); err != nil {
			t.Error(err)
		}
	}
}
