package inspect

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/stats"
	"vyretop/tasks"
)

var sampleLine = regexp.MustCompile(`^([a-z_]+)\{workload="a\\"b\\\\c\\n",backend="reference"(?:,([a-z_]+)="([^"]*)"(?:,driver="")?)?\} (\S+)$`)

// TestOpenMetricsFollowTheirSpecification: each family once, its type and help before its sample, suffixes by type, base units, escaped labels, the end.
func TestOpenMetricsFollowTheirSpecification(t *testing.T) {
	words := (&tasks.Task{State: tasks.Ready, TaskID: 1, Opcode: 0x100}).Words()
	now := &megakernel.Snapshot{Taken: 1500 * time.Millisecond, Workers: 1, Lanes: 2, Slots: words[:], WorkerTable: make([]uint32, megakernel.WorkerWords), Control: make([]uint32, 16)}
	var text strings.Builder
	if err := WriteOpenMetrics(&text, &megakernel.Target{Workload: "a\"b\\c\n", Backend: "reference"}, stats.NewSample(now, nil)); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(text.String(), "\n")
	if n := len(lines); n < 3 || lines[n-1] != "" || lines[n-2] != "# EOF" || (n-2)%3 != 0 {
		t.Fatalf("%d lines:\n%s", n, &text)
	}
	values, seen := map[string]string{}, []string{}
	for group := range slices.Chunk(lines[:len(lines)-2], 3) {
		name, kind, _ := strings.Cut(strings.TrimPrefix(group[0], "# TYPE "), " ")
		if slices.Contains(seen, name) || !strings.HasPrefix(group[1], "# HELP "+name+" ") {
			t.Errorf("%q", group)
		}
		seen = append(seen, name)
		m := sampleLine.FindStringSubmatch(group[2])
		suffix := map[string]string{"counter": "_total", "info": "_info", "gauge": ""}[kind]
		if m == nil || m[1] != name+suffix || kind == "gauge" && regexp.MustCompile(`_(ms|us|ns|percent|mib|mhz|total)$`).MatchString(name) {
			t.Errorf("%s: %q", kind, group[2])
			continue
		}
		if _, err := strconv.ParseFloat(m[4], 64); err != nil {
			t.Error(err)
		}
		values[m[1]] = m[4]
	}
	for name, want := range map[string]string{"vyretop_taken_seconds": "1.5", "vyretop_ready": "1", "vyretop_done_total": "0", "vyretop_consistent": "0", "vyretop_target_info": "1", "vyretop_depth_ratio": "1"} {
		if values[name] != want {
			t.Errorf("%s is %q, want %q", name, values[name], want)
		}
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
