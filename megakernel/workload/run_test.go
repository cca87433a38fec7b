package workload_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel/internal/rig"
	"vyretop/megakernel/workload"
)

func deadline(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute) // some drivers compile for half a minute, a busy host ten times as long
	t.Cleanup(cancel)
	return ctx
}

func load(t *testing.T, archive string) workload.Generic {
	m, err := workload.Load(folder(archive), "w")
	if err != nil {
		t.Fatal(err)
	}
	return workload.Generic{Manifest: m}
}

func make1(t *testing.T, d workload.Definition, flags map[string]string) workload.Workload {
	w, err := d.New(flags)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// square yields once per task and faults on multiples of 7, so that a run has all outcomes.
const square = `
-- workload.toml --
name = "square"
[[flag]]
name = "n"
default = 100
[[buffer]]
name = "squares"
binding = 8
words = "$n"
[[opcode]]
number = 0x100
name = "square"
handler = "square"
file = "square.glsl"
[[task]]
opcode = "square"
count = "$n"
input = "index"
param = 3
[[verify]]
buffer = "squares"
value = "index * index"
-- square.glsl --
layout(std430, binding = 8) buffer Squares { uint squares[]; };
void square(inout Task t)
{
    if (t.continuation_pc == 0u) {
        task_yield(t, 1u, t.input_handle * t.input_handle);
        return;
    }
    squares[t.input_handle] = t.continuation_data;
    if (t.input_handle % 7u == FAULTY) {
        task_fault(t, 0x100u);
    }
}
`

func TestGenericRunsAndVerifies(t *testing.T) {
	good := strings.ReplaceAll(square, "FAULTY", "7u")
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		out, err := rig.Run(deadline(t), b, make1(t, load(t, good), map[string]string{"n": "300"}), rig.Shape{Workers: 1, Slots: 64, Inbox: 16, Ended: 64})
		if err != nil {
			t.Fatal(err)
		}
		r := out.Result.(workload.GenericResult)
		if !out.Verification.OK || r.Tasks != 300 || r.Faulted != 0 {
			t.Fatalf("%+v %+v", out.Verification, r)
		}
		if w := out.Summary; w.Submitted != 300 {
			t.Fatalf("%+v", w)
		}
	})
}

func TestGenericReportsFaults(t *testing.T) {
	faulty := strings.ReplaceAll(square, "FAULTY", "0u")
	for expectation, ok := range map[string]bool{"": false, "[[verify]]\nfaulted = 15\n": true, "[[verify]]\nfaulted = 14\n": false} {
		archive := strings.Replace(faulty, "-- square.glsl", expectation+"-- square.glsl", 1)
		out, err := rig.Run(deadline(t), backendtest.All["reference"](t), make1(t, load(t, archive), nil), rig.Shape{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if out.Verification.OK != ok || !strings.Contains(out.Verification.Detail, "15") {
			t.Errorf("with %q: %+v", expectation, out.Verification)
		}
	}
}

// TestGenericCountsWhatItDeclares: while not one task has ended, the word that the handlers count in tells how far they are.
func TestGenericCountsWhatItDeclares(t *testing.T) {
	archive := strings.ReplaceAll(square, "FAULTY", "7u")
	archive = strings.Replace(archive, "[[opcode]]", "[progress]\nbuffer = \"count\"\ntotal = \"$n * 2\"\nunit = \"steps\"\n[[buffer]]\nname = \"count\"\nbinding = 9\nwords = 1\n[[opcode]]", 1)
	archive = strings.Replace(archive, "{\n    if (t.cont", "{\n    atomicAdd(count, 1u);\n    if (t.cont", 1)
	archive = strings.Replace(archive, "void square", "layout(std430, binding = 9) buffer Count { uint count; };\nvoid square", 1)
	w := make1(t, load(t, archive), nil)
	if done, total, unit := w.Progress(); done != 0 || unit != "steps" {
		t.Errorf("before the run: %d of %d %s", done, total, unit)
	}
	if _, err := rig.Run(deadline(t), backendtest.All["reference"](t), w, rig.Shape{Workers: 1}); err != nil {
		t.Fatal(err)
	}
	if done, total, _ := w.Progress(); done != 200 || total != 200 {
		t.Errorf("at the end: %d of %d", done, total)
	}
}

func TestGenericNoticesWrongWords(t *testing.T) {
	good := strings.ReplaceAll(square, "FAULTY", "7u")
	for check, want := range map[string]string{
		`value = "index * 2"`:                        "buffer squares, word 1 is 1, expected 2",
		"values = [0, 1, 5]":                         "buffer squares, word 2 is 4 (0x00000004), expected 5 (0x00000005)",
		`sha256 = "` + strings.Repeat("0", 64) + `"`: "buffer squares has SHA-256 ",
	} {
		archive := strings.Replace(good, `value = "index * index"`, check, 1)
		out, err := rig.Run(deadline(t), backendtest.All["reference"](t), make1(t, load(t, archive), nil), rig.Shape{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if out.Verification.OK || !strings.HasPrefix(out.Verification.Detail, want) {
			t.Errorf("%s: %+v", check, out.Verification)
		}
	}
}

// TestVerifiedSaysHowManyWordsWereCompared: a list of values that covers the start of a buffer counted as a check of all of it.
func TestVerifiedSaysHowManyWordsWereCompared(t *testing.T) {
	good := strings.ReplaceAll(square, "FAULTY", "7u")
	for check, want := range map[string]string{
		`value = "index * index"`: "as expected: squares, 0 of 100 tasks faulted",
		"values = [0, 1, 4]":      "as expected: squares (3 of 100 words), 0 of 100 tasks faulted",
	} {
		archive := strings.Replace(good, `value = "index * index"`, check, 1)
		out, err := rig.Run(deadline(t), backendtest.All["reference"](t), make1(t, load(t, archive), nil), rig.Shape{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if v := out.Verification; !v.OK || v.Detail != want {
			t.Errorf("%s: %+v, want %q", check, v, want)
		}
	}
}

// verified is a workload whose own check has passed.
type verified struct{ workload.Workload }

func (verified) Verify(context.Context) (workload.Verification, error) {
	return workload.Verification{OK: true}, nil
}

// TestOneFaultedTaskIsSingular: a run with one fault ended with "1 tasks faulted".
func TestOneFaultedTaskIsSingular(t *testing.T) {
	v, err := workload.Verify(t.Context(), verified{}, workload.Tally{Done: 63, Faulted: 1})
	if want := "1 task faulted, 0 expected"; err != nil || v.OK || v.Detail != want {
		t.Errorf("%+v, %v, want %q", v, err, want)
	}
}

// TestTasksThatAreLeftRefuteTheResult: 16 spawned tasks that paused for ever were left, and the run said "verified yes".
func TestTasksThatAreLeftRefuteTheResult(t *testing.T) {
	for want, ended := range map[string]workload.Tally{
		"16 tasks left that did not end":                           workload.NewTally(32, 16, 0),
		"1 task faulted, 0 expected; 1 task left that did not end": workload.NewTally(3, 1, 1),
	} {
		if v, err := workload.Verify(t.Context(), verified{}, ended); err != nil || v.OK || v.Detail != want {
			t.Errorf("%+v, %v, want %q", v, err, want)
		}
	}
	if v, err := workload.Verify(t.Context(), verified{}, workload.NewTally(3, 3, 0)); err != nil || !v.OK {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestCollatzAgreesWithGo(t *testing.T) {
	m, err := workload.Load(workload.Shipped, "collatz")
	if err != nil {
		t.Fatal(err)
	}
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		w := make1(t, workload.Generic{Manifest: m}, map[string]string{"count": "500"})
		out, err := rig.Run(deadline(t), b, w, rig.Shape{Workers: 1})
		if err != nil || !out.Verification.OK {
			t.Fatal(out.Verification.Detail, err)
		}
		words := make([]uint32, 501)
		for n := uint64(2); n <= 500; n++ {
			for v := n; v != 1; words[n]++ {
				if v%2 == 0 {
					v /= 2
				} else {
					v = 3*v + 1
				}
			}
		}
		if got, want := out.Result.(workload.GenericResult).SHA256["steps"], workload.Digest(words); got != want {
			t.Fatalf("SHA-256 of steps is %s, want %s", got, want)
		}
	})
}

// TestVerifySeesWhatSpawnedTasksWrote: the published tasks end before their children do.
func TestVerifySeesWhatSpawnedTasksWrote(t *testing.T) {
	backendtest.OnEachVariant(t, func(t *testing.T, b engine.Backend) {
		w := make1(t, load(t, spawning), nil)
		out, err := rig.Run(deadline(t), b, w, rig.Shape{Workers: 1, Slots: 256})
		if err != nil || !out.Verification.OK {
			t.Fatal(out.Verification, err)
		}
		if r := out.Result.(workload.GenericResult); r.Tasks != 200 || r.Faulted != 0 {
			t.Fatalf("%+v", r)
		}
	})
}

// TestSpawnedTasksThatFaultRefuteTheResult: faults of spawned tasks were not counted, and a run in which every one of
// them faulted was called verified.
func TestSpawnedTasksThatFaultRefuteTheResult(t *testing.T) {
	faulty := strings.Replace(spawning, "// faults", "if (t.input_handle < 64u) { task_fault(t, 0x100u); }", 1)
	run := func(t *testing.T, b engine.Backend, check string) workload.Verification {
		out, err := rig.Run(deadline(t), b, make1(t, load(t, strings.Replace(faulty, "-- spawning.glsl", check+"-- spawning.glsl", 1)), nil), rig.Shape{Workers: 1, Slots: 256})
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Result.(workload.GenericResult); r.Tasks != 200 || r.Faulted != 64 {
			t.Errorf("result %+v", r)
		}
		return out.Verification
	}
	backendtest.OnEachVariant(t, func(t *testing.T, b engine.Backend) {
		if v := run(t, b, "[[verify]]\nfaulted = 0\n"); v.OK || !strings.HasPrefix(v.Detail, "64 tasks faulted, 0 expected") {
			t.Errorf("%+v", v)
		}
	})
	for check, ok := range map[string]bool{"": false, "[[verify]]\nfaulted = 63\n": false, "[[verify]]\nfaulted = 64\n": true} {
		if v := run(t, backendtest.All["reference"](t), check); v.OK != ok || !strings.Contains(v.Detail, "64") {
			t.Errorf("with %q: %+v", check, v)
		}
	}
}

// spawning publishes parents that spawn one child each, which yields twice before it writes.
const spawning = `
-- workload.toml --
name = "spawning"
[[buffer]]
name = "words"
binding = 8
words = 100
[[opcode]]
number = 0x100
name = "parent"
handler = "parent"
file = "spawning.glsl"
[[opcode]]
number = 0x101
name = "child"
handler = "child"
file = "spawning.glsl"
[[task]]
opcode = "parent"
count = 100
input = "index"
priority = "high"
[[verify]]
buffer = "words"
value = "index + 1"
-- spawning.glsl --
layout(std430, binding = 8) buffer Words { uint child_words[]; };
void parent(inout Task t)
{
    if (!task_spawn(t, 0x101u, 4u, t.input_handle, 0u, 0u)) {
        task_yield(t, 0u, 0u);
    }
}
void child(inout Task t)
{
    if (t.continuation_pc < 2u) {
        task_yield(t, t.continuation_pc + 1u, 0u);
        return;
    }
    child_words[t.input_handle] = t.input_handle + 1u;
    // faults
}
`

func TestFlagErrors(t *testing.T) {
	d := load(t, strings.ReplaceAll(square, "FAULTY", "7u"))
	for name, value := range map[string]string{"unknown": "1", "n": "many"} {
		if _, err := d.New(map[string]string{name: value}); !errors.Is(err, workload.ErrFlag) {
			t.Errorf("--%s %s: %v", name, value, err)
		}
	}
	if f := d.Flags(); len(f) != 1 || f[0].Name != "n" || f[0].Default != "100" {
		t.Errorf("%+v", f)
	}
}

func TestTaskCountLimits(t *testing.T) {
	for n, kind := range map[string]error{"0": workload.ErrSize, "16777217": workload.ErrSize} {
		archive := strings.Replace(strings.ReplaceAll(square, "FAULTY", "7u"), `words = "$n"`, "words = 1", 1)
		if _, err := make1(t, load(t, archive), map[string]string{"n": n}).Setup(t.Context()); !errors.Is(err, kind) {
			t.Errorf("%s tasks: %v", n, err)
		}
	}
}

// TestRunEndsWithItsContext: a workload whose tasks never end does not keep Run from returning.
func TestRunEndsWithItsContext(t *testing.T) {
	endless := strings.Replace(strings.ReplaceAll(square, "FAULTY", "7u"), "t.continuation_pc == 0u", "true", 1)
	ctx, cancel := context.WithCancel(deadline(t))
	w := make1(t, load(t, endless), nil)
	b := backendtest.All["reference"](t)
	ended := make(chan error)
	go func() {
		_, err := rig.Run(ctx, b, &cancelling{Workload: w, cancel: cancel}, rig.Shape{Workers: 1})
		ended <- err
	}()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

// cancelling cancels its context as soon as its first tasks are published.
type cancelling struct {
	workload.Workload
	cancel context.CancelFunc
}

func (c *cancelling) Run(ctx context.Context, h workload.Host) error {
	go func() {
		h.AdvanceEpoch(ctx)
		c.cancel()
	}()
	return c.Workload.Run(ctx, h)
}

// operations is a workload without handlers of its own but one, and an automaton.
const operations = `
-- workload.toml --
name = "operations"
operations = true
observables = 5
automaton = "next_state"
[[opcode]]
number = 0x100
name = "nothing"
handler = "nothing"
file = "next.glsl"
[[task]]
opcode = "ATOMIC_ADD"
count = 100
input = "index"
output = 160
[[task]]
opcode = 1
input = 9
output = 161
[[task]]
opcode = "DFA_STEP"
input = 7
output = 2
param = 2
[[task]]
opcode = "BATCH_FENCE"
output = 3
count = 0
[[task]]
opcode = "nothing"
[[verify]]
buffer = "observables"
values = [4950, 9, 72, 0, 0]
-- next.glsl --
uint next_state(uint state, uint symbol) { return state * 10u + symbol; }
void nothing(inout Task t) {}
`

func TestOperationsOfAManifest(t *testing.T) {
	backendtest.OnEachVariant(t, func(t *testing.T, b engine.Backend) {
		out, err := rig.Run(deadline(t), b, make1(t, load(t, operations), nil), rig.Shape{Workers: 2, Slots: 64, Inbox: 16, Ended: 64})
		if err != nil || !out.Verification.OK {
			t.Fatal(out.Verification, err)
		}
		if r := out.Result.(workload.GenericResult); r.Tasks != 103 || len(r.SHA256["observables"]) != 64 {
			t.Errorf("%+v", r)
		}
	})
}
