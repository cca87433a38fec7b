package alert

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// scene is a snapshot with that many tasks that wait, in 100 slots, and that many done.
func scene(ms int, depth, done int) *megakernel.Snapshot {
	s := &megakernel.Snapshot{Taken: time.Duration(ms) * time.Millisecond, Slots: make([]uint32, 100*tasks.SlotWords)}
	for i := range depth {
		s.Slots[i*tasks.SlotWords+tasks.WordState] = uint32(tasks.Ready)
	}
	s.Counters[megakernel.CountDone] = uint64(done)
	return s
}

func watch(t *testing.T, rules ...Rule) *Watch {
	t.Helper()
	w, err := New(rules)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// said are the changes that a row of snapshots causes, each with its time.
func said(w *Watch, list ...*megakernel.Snapshot) (out []string) {
	for _, s := range list {
		for _, c := range w.Observe(s) {
			out = append(out, fmt.Sprintf("%v %s %v", s.Taken, c, c.Do))
		}
	}
	return out
}

func TestAConditionMustHoldForItsTime(t *testing.T) {
	w := watch(t, Rule{Name: "stall", When: "queue_depth>0 and done_delta==0 for 2s", Do: []string{DoBell}})
	got := said(w, scene(0, 5, 0), scene(500, 5, 0), scene(2000, 5, 0), scene(2400, 5, 1), scene(3000, 5, 1), scene(5000, 5, 1), scene(6000, 5, 1), scene(6500, 0, 6))
	want := []string{
		"5s warning stall: queue_depth>0 and done_delta==0 for 2s [bell]",
		"6.5s alert stall has ended: queue_depth>0 and done_delta==0 for 2s []",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}

func TestBoundsHaveHysteresis(t *testing.T) {
	w := watch(t, Rule{Name: "ring", Metric: "ring_percent", Warn: 70, Critical: 90})
	var got []string
	for i, depth := range []int{69, 70, 64, 63, 62, 95, 82, 80, 90, 10} {
		got = append(got, said(w, scene(i*1000, depth, 0))...)
	}
	want := []string{
		"1s warning ring: ring_percent>=70, critical from 90 [badge]", "4s alert ring has ended: ring_percent>=70, critical from 90 []",
		"5s critical ring: ring_percent>=70, critical from 90 [badge]", "7s warning ring: ring_percent>=70, critical from 90 []",
		"8s critical ring: ring_percent>=70, critical from 90 []", "9s alert ring has ended: ring_percent>=70, critical from 90 []",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	if list := w.List(); len(list) != 1 || list[0].Times != 2 || list[0].Worst != Critical || list[0].Level != Fine {
		t.Errorf("list is %+v", list)
	}
}

func TestAcknowledgedAlertsHaveNoBadge(t *testing.T) {
	w := watch(t, Rule{Name: "a", When: "ready>0"}, Rule{Name: "b", When: "ready>0", Level: "critical", Do: []string{}}, Rule{Name: "c", When: "ready>9"})
	said(w, scene(0, 1, 0))
	if got := w.List(); len(got) != 2 || got[0].Name != "b" {
		t.Errorf("list is %+v, want the worst first, and no alert that was never raised", got)
	}
	if got := w.Badges(); len(got) != 1 || got[0].Name != "a" {
		t.Errorf("badges are %+v", got)
	}
	w.Acknowledge("a")
	if got := w.Badges(); len(got) != 0 {
		t.Errorf("badges are %+v", got)
	}
	said(w, scene(1000, 0, 0), scene(2000, 1, 0))
	if got := w.Badges(); len(got) != 1 {
		t.Errorf("raised again, badges are %+v", got)
	}
	w.Acknowledge("")
	if got := w.Badges(); len(got) != 0 {
		t.Errorf("badges are %+v", got)
	}
}

// TestAStepBackBeginsAnew: in a recording the same snapshot gives the same alerts.
func TestAStepBackBeginsAnew(t *testing.T) {
	w := watch(t, Rule{Name: "a", When: "ready>0 for 1s"})
	first := said(w, scene(0, 1, 0), scene(1000, 1, 0))
	if again := said(w, scene(0, 1, 0), scene(1000, 1, 0)); !cmp.Equal(first, again) || len(first) != 1 {
		t.Errorf("first %q, again %q", first, again)
	}
	same := scene(2000, 0, 0)
	if said(w, same); len(w.Observe(same))+len(w.Observe(nil)) > 0 {
		t.Error("the same snapshot changes something")
	}
	var none *Watch
	if none.Acknowledge(""); none.Observe(same) != nil || none.List() != nil || none.Badges() != nil {
		t.Error("no watch has alerts")
	}
}

func TestRulesThatCannotBe(t *testing.T) {
	for _, r := range []Rule{
		{}, {Name: " ", When: "ready>0"}, {Name: "a"}, {Name: "a", When: "ready>0", Metric: "ready"}, {Name: "a", Metric: "fly", Warn: 1},
		{Name: "a", Metric: "ready"}, {Name: "a", Metric: "ready", Warn: 5, Critical: 4}, {Name: "a", When: "fly>0"}, {Name: "a", When: "ready>0 for ever"},
		{Name: "a", When: "ready>0 for -1s"}, {Name: "a", When: "ready>0", Do: []string{"sing"}}, {Name: "a", When: "ready>0", Level: "low"},
		{Name: "a", Metric: "ready", Warn: 1, Hysteresis: 101},
	} {
		if _, err := New([]Rule{r}); !errors.Is(err, ErrRule) || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if _, err := New([]Rule{{Name: "a", When: "ready>0"}, {Name: "a", When: "ready>0"}}); !errors.Is(err, ErrRule) {
		t.Errorf("two of a name: %v", err)
	}
	if _, err := New(Default()); err != nil {
		t.Errorf("the default rules: %v", err)
	}
}

// A run that has ended leaves a ring full of slots that are done, which are as good as free.
func TestAFullRingOfDoneTasksIsNoAlert(t *testing.T) {
	s := scene(0, 95, 95)
	for i := range 95 {
		s.Slots[i*tasks.SlotWords+tasks.WordState] = uint32(tasks.Done)
	}
	if got := said(watch(t, Default()...), s); got != nil {
		t.Errorf("said %q", got)
	}
}

// TestARingThatTheHostKeepsFullIsNoAlert: it was said to be critical on every run with more tasks than slots. One that is full of
// parents whose spawns are refused is.
func TestARingThatTheHostKeepsFullIsNoAlert(t *testing.T) {
	row := func(moves, refusals uint64) (list []*megakernel.Snapshot) {
		for i := range uint64(6) {
			s := scene(int(i)*500, 100, 0)
			s.Counters[megakernel.CountActivations], s.Counters[megakernel.CountSpawnFull] = 1+i, refusals*i
			s.Counters[megakernel.CountDone] = moves * i
			list = append(list, s)
		}
		return list
	}
	if got := said(watch(t, Default()...), row(10, 0)...); got != nil {
		t.Errorf("of a ring that the host keeps full: %q", got)
	}
	if got := said(watch(t, Default()...), row(0, 8)...); len(got) != 1 || !strings.Contains(got[0], "critical ring") {
		t.Errorf("of a ring full of tasks that wait for slots: %q", got)
	}
}

// TestLongTasksAreNoStall: a target whose tasks take long was called stalled while it ran millions of activations, and
// one that a breakpoint of the user's held.
func TestLongTasksAreNoStall(t *testing.T) {
	busy := func(ms int) *megakernel.Snapshot {
		s := scene(ms, 5, 1)
		s.Counters[megakernel.CountActivations] = uint64(ms)
		return s
	}
	held := func(ms int) *megakernel.Snapshot {
		s := scene(ms, 5, 1)
		s.Workers, s.WorkerTable = 1, make([]uint32, megakernel.WorkerWords)
		s.WorkerTable[megakernel.WkState] = uint32(megakernel.WorkerPaused)
		return s
	}
	still := func(ms int) *megakernel.Snapshot { return scene(ms, 5, 1) }
	yields := func(ms int) *megakernel.Snapshot {
		s := busy(ms)
		s.Slots[tasks.WordContinuationPC] = uint32(ms)
		return s
	}
	broken := func(ms int) *megakernel.Snapshot {
		s := still(ms)
		s.Slots[tasks.WordState], s.Slots[tasks.WordResumeEpoch], s.Slots[tasks.WordFlags] = uint32(tasks.Paused), megakernel.HeldEpoch, tasks.FlagHalted|1<<tasks.ReasonShift
		return s
	}
	renders := func(ms int) *megakernel.Snapshot {
		s := busy(ms)
		s.Progress = megakernel.Progress{Done: int64(ms), Total: 1e6, Unit: "paths"}
		return s
	}
	for name, c := range map[string]struct {
		scene func(ms int) *megakernel.Snapshot
		want  []string
	}{
		"activations that change nothing":  {busy, []string{"10.5s warning spinning"}},
		"yields with changing words":       {yields, nil},
		"progress that the workload tells": {renders, nil},
		"held by a breakpoint":             {broken, nil},
		"paused":                           {held, nil},
		"no activations, nothing changes":  {still, []string{"5.5s warning stalled"}},
	} {
		var got []string
		w := watch(t, Default()...)
		for ms := 0; ms <= 62_000; ms += 500 {
			s := c.scene(ms)
			for _, change := range w.Observe(s) {
				text, _, _ := strings.Cut(fmt.Sprintf("%v %s", s.Taken, change), ":")
				got = append(got, text)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: changes (-want +got):\n%s", name, diff)
		}
	}
}

// TestSlowSpinningIsSeen: of samples that follow each other faster than activations end, every other one had another verdict, so that
// no rule held for its time and a target that had spun for minutes had no badge. What is raised says the verdict.
func TestSlowSpinningIsSeen(t *testing.T) {
	w := watch(t, Default()...)
	var got []string
	for ms := 0; ms <= 20_000; ms += 50 {
		s := scene(ms, 5, 1)
		s.Counters[megakernel.CountActivations] = uint64(ms / 100)
		got = append(got, said(w, s)...)
	}
	if len(got) != 1 || !strings.Contains(got[0], "warning spinning: stalled: spinning: 6 activations changed no word of 5 tasks; nothing changed within 600ms") {
		t.Errorf("%q", got)
	}
	if list := w.List(); len(list) != 1 || !strings.HasPrefix(list[0].Reason(), "stalled: spinning") {
		t.Errorf("listed are %+v", list)
	}
}

// TestAStarvingPriorityIsToldOf: the dashboard had no sign of tasks that were not served for minutes because more urgent ones were.
func TestAStarvingPriorityIsToldOf(t *testing.T) {
	row := func(starvesFor int) (list []*megakernel.Snapshot) {
		for ms := 0; ms <= 20_000; ms += 50 {
			s := scene(ms, 5, 1)
			for i := range 5 {
				s.Slots[i*tasks.SlotWords+tasks.WordPriority] = uint32(tasks.Normal)
			}
			s.Counters[megakernel.CountActivations], s.Slots[tasks.WordContinuationPC] = uint64(ms), uint32(ms)
			s.Served[tasks.Critical], s.Served[tasks.Normal] = uint64(ms), uint64(ms/starvesFor)
			list = append(list, s)
		}
		return list
	}
	if got := said(watch(t, Default()...), row(3_000)...); got != nil {
		t.Errorf("served every 3 s: %q", got)
	}
	if got := said(watch(t, Default()...), row(30_000)...); len(got) != 1 || !strings.Contains(got[0], "warning starving") {
		t.Errorf("not served: %q", got)
	}
}
