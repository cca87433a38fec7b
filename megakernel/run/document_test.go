package run

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
	"vyretop/megakernel/workload"
)

func outcome() *Outcome {
	o := &Outcome{
		Identity: engine.Identity{Name: "gl", Renderer: "a <fast> device"}, Workload: "scan",
		Shape:   Shape{Workers: 2, WorkgroupSize: 8},
		Summary: resident.Summary{Submitted: 40, Slices: 3},
		Elapsed: 1500*time.Millisecond + 1234*time.Nanosecond, LogRead: 90, LogLost: 10,
		Verified: true, Verification: workload.Verification{OK: true, Detail: "counted again"},
		Result: struct {
			Files  int    `json:"files"`
			Digest string `json:"digest"`
		}{40, "ab12"},
	}
	for i := range o.Summary.Counters {
		o.Summary.Counters[i] = uint64(100 + i)
	}
	return o
}

const wholeRun = `{
  "schema": "vyretop.run/1",
  "backend": "gl",
  "renderer": "a <fast> device",
  "workload": "scan",
  "workers": 2,
  "workgroup_size": 8,
  "tasks": {
    "submitted": 40,
    "done": 102,
    "faulted": 103,
    "yields": 104,
    "requeues": 105,
    "pauses": 106,
    "spawned": 101,
    "left": 0
  },
  "slices": 3,
  "elapsed_ms": 1500.001,
  "tasks_per_s": 68,
  "log": {
    "records": 100,
    "lost": 10
  },
  "verified": true,
  "result": {
    "files": 40,
    "digest": "ab12"
  }
}
`

func TestRunDocument(t *testing.T) {
	if megakernel.CountSpawned != 1 || megakernel.CountPauses != 6 {
		t.Fatal("the counters have moved: adapt the document above")
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(NewDocument(outcome())); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wholeRun, b.String()); diff != "" {
		t.Errorf("document (-want +got):\n%s", diff)
	}
}

// TestAnUnfinishedRunIsNotVerified: null is neither true nor false.
func TestAnUnfinishedRunIsNotVerified(t *testing.T) {
	o := outcome()
	o.Verified, o.Result, o.Elapsed = false, nil, 0
	text, err := json.Marshal(NewDocument(o))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"verified":null`, `"result":null`, `"tasks_per_s":0`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is missing in %s", want, text)
		}
	}
}

const summary = `scan       on gl: a <fast> device
workers    2 of 8 lanes, 3 slices
tasks      40 submitted, 101 spawned, 102 done, 103 faulted
           104 yields, 105 requeues, 106 pauses
time       1500.0 ms, 68.0 tasks/s
debug log  100 records, 10 lost
files      40
digest     ab12
verified   yes: counted again
`

func TestSummary(t *testing.T) {
	var b strings.Builder
	if err := WriteSummary(&b, outcome()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(summary, b.String()); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
}

// TestLongTimesAreForPeople: a run of a minute was printed as 62126.1 ms.
func TestLongTimesAreForPeople(t *testing.T) {
	for ms, want := range map[float64]string{0.25: "0.2 ms", 9999: "9999.0 ms", 62126.1: "1m2.1s", 1e7: "2h46m40s"} {
		if got := timeText(ms); got != want {
			t.Errorf("%v ms is %q, want %q", ms, got, want)
		}
	}
}

func TestVerdict(t *testing.T) {
	o := outcome()
	o.Verification.OK = false
	if got := verdict(o); got != "FAILED: counted again" {
		t.Errorf("a failed verification is shown as %q", got)
	}
	o.Verified = false
	if got := verdict(o); got != "no, the work was cut short" {
		t.Errorf("no verification is shown as %q", got)
	}
}

// TestAListInAResultHasALineForEach: the sequences of infer were printed as one line of JSON.
func TestAListInAResultHasALineForEach(t *testing.T) {
	var out strings.Builder
	writeResult(&out, map[string]any{"list": []any{map[string]any{"n": 1}, map[string]any{"n": 2}}, "text": "a\nb"})
	if want := "list\tn 1\n\tn 2\ntext\ta\n\tb\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
