package targets

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"vyretop/megakernel"
	"vyretop/megakernel/alert"
	"vyretop/megakernel/filter"
	"vyretop/megakernel/stats"
)

var begin = time.Unix(1_700_000_000, 0)

func target(i int, name, host string) *Target {
	t := &Target{}
	t.Hear(&Status{Version: 1, ID: fmt.Sprintf("%016x", i), Name: name, Host: host, Workload: name, Interval: 1000, Sent: begin, Figures: Figures{Phase: "resident", Verdict: "working"}}, begin)
	return t
}

// TestColumnsAreThoseOfTheRegistry, in its order.
func TestColumnsAreThoseOfTheRegistry(t *testing.T) {
	var got []string
	for _, c := range Columns {
		got = append(got, c.Name)
	}
	if want := filter.TargetColumns.Names(filter.Command); !slices.Equal(got, want) {
		t.Errorf("columns %q, listed are %q", got, want)
	}
}

// TestTitlesAreUnique, and each finds its target.
func TestTitlesAreUnique(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var list []*Target
		for i, id := range rapid.SliceOfNDistinct(rapid.Uint64(), 1, 30, rapid.ID).Draw(r, "ids") {
			x := target(0, rapid.SampledFrom([]string{"scan", "bfs"}).Draw(r, "name"), rapid.SampledFrom([]string{"a", "b"}).Draw(r, "host"))
			x.ID = fmt.Sprintf("%016x", id)
			x.Ended = i%3 == 2
			list = append(list, x)
		}
		Name(list)
		seen := map[string]bool{}
		for _, x := range list {
			if seen[x.Title()] {
				r.Fatalf("two are %s", x.Title())
			}
			seen[x.Title()] = true
			if found, err := Find(list, x.Title()); err != nil || found != x {
				r.Fatalf("%s finds %v, %v", x.Title(), found, err)
			}
		}
	})
}

func TestFind(t *testing.T) {
	list := []*Target{target(1, "scan", "a"), target(2, "scan", "b"), target(3, "bfs", "b")}
	list[1].Ended = true
	Name(list)
	for name, want := range map[string]string{"scan": "scan@a", "bfs": "bfs@b", "scan@b": "scan@b", list[2].ID: "bfs@b"} {
		if got, err := Find(list, name); err != nil || got.Title() != want {
			t.Errorf("%s finds %v, %v", name, got, err)
		}
	}
	for name, want := range map[string]string{"": "there are 2 targets at the hub. Fix: name one of bfs@b, scan@a", "scam@a": "did you mean", "zzz": "name one of"} {
		if _, err := Find(list, name); !errors.Is(err, ErrName) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := Find(nil, "scan"); !errors.Is(err, ErrName) || !strings.Contains(err.Error(), "--hub") {
		t.Error(err)
	}
}

// TestSilentTargetsAreLost, and found again; one that has ended stays so.
func TestSilentTargetsAreLost(t *testing.T) {
	x := target(1, "scan", "a")
	if x.Age(begin.Add(2 * time.Second)); x.Lost {
		t.Error("lost after two intervals")
	}
	if !x.Age(begin.Add(3*time.Second)) || x.State() != "lost" {
		t.Error("not lost after three")
	}
	again := x.Status
	x.Hear(&again, begin.Add(time.Minute))
	if x.State() != "resident" {
		t.Errorf("state is %s", x.State())
	}
	ended := x.Status
	ended.Ended = true
	x.Hear(&ended, begin)
	x.Hear(&again, begin)
	if x.State() != "ended" || x.Age(begin.Add(time.Hour)) {
		t.Errorf("state is %s", x.State())
	}
}

// TestClocksApart: a target whose clock differs by an hour is neither lost nor refused; the difference is known.
func TestClocksApart(t *testing.T) {
	x := target(1, "scan", "a")
	s := x.Status
	s.Sent = begin.Add(time.Hour)
	x.Hear(&s, begin)
	if x.Age(begin.Add(time.Second)); x.Lost || x.Skew != time.Hour {
		t.Errorf("lost %v, skew %v", x.Lost, x.Skew)
	}
}

func TestQueries(t *testing.T) {
	list := []*Target{target(1, "scan", "a"), target(2, "scan", "b"), target(3, "bfs", "b")}
	rate := uint64(9)
	list[2].TasksPerS, list[1].Faulted = &rate, 2
	Name(list)
	choose := func(text, sort string) (out []string) {
		q, err := NewQuery(text, sort, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range q.Choose(list, begin) {
			out = append(out, x.Title())
		}
		return out
	}
	for _, tt := range []struct {
		text, sort string
		want       []string
	}{{"", "", []string{"scan@a", "scan@b", "bfs@b"}}, {"workload=scan", "-faulted", []string{"scan@b", "scan@a"}}, {"tasks_per_s>=0", "", []string{"bfs@b"}}, {"tasks_per_s<5", "", nil}, {"", "workload", []string{"bfs@b", "scan@a", "scan@b"}}} {
		if got := choose(tt.text, tt.sort); !slices.Equal(got, tt.want) {
			t.Errorf("%q by %q: %q, want %q", tt.text, tt.sort, got, tt.want)
		}
	}
	if g := Groups(list, "host", begin); len(g) != 2 || g[1].Key != "b" || g[1].Targets != 2 || g[1].Faulted != 2 || g[1].TasksPerS != 9 {
		t.Errorf("groups are %+v", g)
	}
	for _, bad := range [][3]string{{"nothing=1"}, {"", "speed"}, {"", "", "color"}} {
		if _, err := NewQuery(bad[0], bad[1], bad[2]); err == nil || !strings.Contains(err.Error(), "Fix:") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestAlertsHold as long as their condition has, and not before the time that they name.
func TestAlertsHold(t *testing.T) {
	a := NewAlerts(append(alert.Default(), alert.Rule{Name: "hot", Metric: "device_temperature_c", Warn: 70, Critical: 90}, alert.Rule{Name: "words", When: "copy_us>1"}))
	x := target(1, "scan", "a")
	temperature := uint64(75)
	x.Stalled, x.Temperature, x.Verdict = true, &temperature, "io"
	list := []*Target{x}
	if warning, critical := a.Observe(list, begin); warning != 1 || critical != 0 || !slices.Equal(x.Alerts, []string{"hot"}) {
		t.Errorf("at once: %d, %d, %q", warning, critical, x.Alerts)
	}
	if a.Observe(list, begin.Add(6*time.Second)); !slices.Equal(x.Alerts, []string{"stalled", "hot"}) {
		t.Errorf("after six seconds: %q", x.Alerts)
	}
	x.Stalled, temperature, x.Lost = false, 95, true
	if warning, critical := a.Observe(list, begin.Add(7*time.Second)); warning != 0 || critical != 1 || !slices.Equal(x.Alerts, []string{"hot", "lost"}) {
		t.Errorf("at the end: %d, %d, %q", warning, critical, x.Alerts)
	}
	if a.Observe(nil, begin); len(a.since) != 0 {
		t.Error("targets that are gone are kept")
	}
}

// TestFiguresAreTheMetrics: each has the value of the metric that its JSON name is.
func TestFiguresAreTheMetrics(t *testing.T) {
	snap := func(seq uint64) *megakernel.Snapshot {
		s := &megakernel.Snapshot{Seq: seq, Taken: time.Duration(seq) * time.Second, Phase: megakernel.PhaseResident, Workers: 4, Lanes: 8, Progress: megakernel.Progress{Done: int64(seq), Total: 10}}
		s.Counters[megakernel.CountDone], s.Counters[megakernel.CountFaulted] = 100*seq, seq
		return s
	}
	sample := stats.NewSample(snap(3), snap(2))
	body, err := json.Marshal(FiguresOf(sample))
	if err != nil {
		t.Fatal(err)
	}
	var values map[string]any
	if err := json.Unmarshal(body, &values); err != nil {
		t.Fatal(err)
	}
	if len(values) < 8 || values["tasks_per_s"] != 101.0 {
		t.Errorf("figures are %s", body)
	}
	for name, v := range values {
		m := stats.MetricNamed(name)
		if m == nil || fmt.Sprint(m.Value(sample)) != fmt.Sprint(v) {
			t.Errorf("%s is %v, the metric %v", name, v, m)
		}
	}
}

// TestTheTellerTellsChanges and nothing twice.
func TestTheTellerTellsChanges(t *testing.T) {
	x := target(1, "scan", "a")
	list := []*Target{x}
	teller := &Teller{}
	tell := func(after time.Duration) string { return strings.Join(teller.Tell(list, begin.Add(after)), "; ") }
	if got := tell(0); !strings.HasPrefix(got, "scan@a resident, scan on ; 1 target, 1 live") {
		t.Errorf("at first %q", got)
	}
	if got := tell(time.Second); got != "" {
		t.Errorf("without a change %q", got)
	}
	x.Stalled, x.Verdict, x.Faulted = true, "io", 2
	if got := tell(2 * time.Second); got != "scan@a stalled: io; scan@a 2 tasks faulted" {
		t.Errorf("%q", got)
	}
	x.Lost = true
	if got := tell(3 * time.Second); got != "scan@a lost" {
		t.Errorf("%q", got)
	}
}

// FuzzStatus: what Parse accepts can be shown, filtered and printed.
func FuzzStatus(f *testing.F) {
	f.Add([]byte(`{"v":1,"id":"0123456789abcdef","name":"scan","host":"a","interval_ms":1000,"tasks_per_s":5}`))
	f.Add([]byte(`{"v":1,"id":"x"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse(data)
		if err != nil {
			if !errors.Is(err, ErrStatus) {
				t.Fatal(err)
			}
			return
		}
		x := &Target{}
		x.Hear(s, begin)
		x.Age(begin.Add(time.Hour))
		row := &Row{Target: x, Now: begin}
		for i := range Columns {
			_, _, _ = row.Text(i), row.Number(i), row.Known(i)
		}
		if out, err := json.Marshal(row); err != nil || !json.Valid(out) {
			t.Fatalf("%s: %v", out, err)
		}
	})
}

// TestAStatusOfAnotherVersion names its target, whatever else has become of its members; one of this version is refused.
func TestAStatusOfAnotherVersion(t *testing.T) {
	const text = `{"v":%d,"id":"00000000000000aa","name":"scan","host":"one","program":"v9","interval_ms":1000,"device":{"name":"H100"},"done":"many"}`
	s, err := Parse(fmt.Appendf(nil, text, Version+1))
	if err != nil || s.Version != Version+1 || s.Name != "scan" || s.Host != "one" || s.Program != "v9" {
		t.Errorf("%+v, %v", s, err)
	}
	if s, err := Parse(fmt.Appendf(nil, text, Version)); !errors.Is(err, ErrStatus) {
		t.Errorf("%+v, %v", s, err)
	}
	for _, bad := range []string{`{"v":2,"device":{}}`, `{"v":2,"id":"00000000000000aa","name":"","interval_ms":1,"done":""}`, `{"v":2,"id":7}`} {
		if s, err := Parse([]byte(bad)); !errors.Is(err, ErrStatus) {
			t.Errorf("%s: %+v, %v", bad, s, err)
		}
	}
}
