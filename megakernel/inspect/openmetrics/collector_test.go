package openmetrics

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"vyretop/megakernel"
	"vyretop/megakernel/stats"
	"vyretop/tasks"
)

// collector is that of a target whose workload has every character that is escaped.
func collector() *Collector {
	words := (&tasks.Task{State: tasks.Ready, TaskID: 1, Opcode: 0x100}).Words()
	now := &megakernel.Snapshot{Taken: 1500 * time.Millisecond, Workers: 1, Lanes: 2, Slots: words[:], WorkerTable: make([]uint32, megakernel.WorkerWords), Control: make([]uint32, 16)}
	return New(&megakernel.Target{Workload: "a\"b\\c\n", Backend: "reference", Driver: "\xff"}, stats.NewSample(now, nil))
}

var sampleLine = regexp.MustCompile(`^([a-z_]+)\{backend="reference",(?:([a-z_]+)="([^"]*)",(?:renderer="",)?)?workload="a\\"b\\\\c\\n"\} (\S+)$`)

// TestOpenMetricsFollowTheirSpecification: each family once, its help and type before its sample, suffixes by type, base units, escaped labels, the end.
func TestOpenMetricsFollowTheirSpecification(t *testing.T) {
	r, err := collector().Registry()
	if err != nil {
		t.Fatal(err)
	}
	answer := httptest.NewRecorder()
	Handler(r).ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	if kind := answer.Header().Get("Content-Type"); !strings.HasPrefix(kind, "application/openmetrics-text; version=1.0.0; charset=utf-8") {
		t.Errorf("content type %q", kind)
	}
	lines := strings.Split(answer.Body.String(), "\n")
	if n := len(lines); n < 3 || lines[n-1] != "" || lines[n-2] != "# EOF" || (n-2)%3 != 0 {
		t.Fatalf("%d lines:\n%s", n, answer.Body)
	}
	values, seen := map[string]float64{}, []string{}
	for group := range slices.Chunk(lines[:len(lines)-2], 3) {
		name, kind, _ := strings.Cut(strings.TrimPrefix(group[1], "# TYPE "), " ")
		if slices.Contains(seen, name) || !strings.HasPrefix(group[0], "# HELP "+name+" ") {
			t.Errorf("%q", group)
		}
		seen = append(seen, name)
		m := sampleLine.FindStringSubmatch(group[2])
		suffix := map[string]string{"counter": "_total", "gauge": ""}[kind]
		if m == nil || m[1] != name+suffix || kind == "gauge" && regexp.MustCompile(`_(ms|us|ns|percent|mib|mhz|total)$`).MatchString(name) {
			t.Errorf("%s: %q", kind, group[2])
			continue
		}
		if values[m[1]], err = strconv.ParseFloat(m[4], 64); err != nil {
			t.Error(err)
		}
	}
	for name, want := range map[string]float64{"vyretop_taken_seconds": 1.5, "vyretop_ready": 1, "vyretop_done_total": 0, "vyretop_consistent": 0, "vyretop_target_info": 1, "vyretop_depth_ratio": 1} {
		if got, ok := values[name]; !ok || got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}

// TestNamesFollowConventions: those of Prometheus for names, units and help.
func TestNamesFollowConventions(t *testing.T) {
	problems, err := testutil.CollectAndLint(collector())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

// TestCollectorsMayBeGathered: what they have is consistent, and totals are counters.
func TestCollectorsMayBeGathered(t *testing.T) {
	want := "# HELP vyretop_done_total " + stats.MetricNamed("done").Help + "\n# TYPE vyretop_done_total counter\nvyretop_done_total 0\n"
	if err := testutil.CollectAndCompare(collector(), strings.NewReader(want), "vyretop_done_total"); err != nil {
		t.Error(err)
	}
}

// TestTotalsAreMetrics: a name that is none would leave a counter a gauge.
func TestTotalsAreMetrics(t *testing.T) {
	for name := range totals {
		if stats.MetricNamed(name) == nil {
			t.Errorf("%s is not a metric", name)
		}
	}
}
