package replay_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/replay"
)

// handlerText is the text of the only handler file of a recording.
func handlerText(t *testing.T, rec *fixtures.Recording) string {
	t.Helper()
	x, err := kernel.Unpack(rec.Header().Target.Kernel)
	if err != nil {
		t.Fatal(err)
	}
	return x.Config.Sources[0].Text
}

// replaced is the recorded handlers with a part of their text replaced.
func replaced(t *testing.T, rec *fixtures.Recording, old, new string) replay.Handlers {
	t.Helper()
	text := handlerText(t, rec)
	if strings.Count(text, old) != 1 {
		t.Fatalf("%q is in the text %d times", old, strings.Count(text, old))
	}
	return replay.Handlers{Name: "b", File: "collatz.glsl", Text: strings.Replace(text, old, new, 1)}
}

func bisect(t *testing.T, rec *fixtures.Recording, b replay.Handlers) *replay.Bisection {
	t.Helper()
	out, err := replay.Bisect(t.Context(), "run.mcap", rec, replay.Handlers{Name: "a"}, b)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestBisectNamesTheFirstActivationThatDiffers: a word of a buffer, a word of the task, an outcome, and an activation too many.
func TestBisectNamesTheFirstActivationThatDiffers(t *testing.T) {
	rec := record(t)
	store := "collatz_steps[t.input_handle] = steps;"
	if out := bisect(t, rec, replay.Handlers{}); !out.Equal || out.First != nil || out.Compared != 115 {
		t.Fatalf("the same handlers: %+v", out)
	}
	for name, tc := range map[string]struct {
		b          replay.Handlers
		task       uint32
		activation int
		word       string
		a, values  uint32
	}{
		"a word of a buffer":   {replaced(t, rec, store, "collatz_steps[t.input_handle] = t.input_handle == 70u ? steps ^ 8u : steps;"), 70, 1, "collatz_steps[70]", 14, 6},
		"written by one alone": {replaced(t, rec, store, "if (t.input_handle != 90u) "+store), 90, 1, "collatz_steps[90]", 17, 0},
		"a word of the task":   {replaced(t, rec, "task_yield(t, n, steps);", "task_yield(t, n, steps + 1u);"), 27, 1, "task.continuation_data", 100, 101},
		"an outcome":           {replaced(t, rec, "if (n != 1u) {", "if (n != 1u || (t.input_handle == 50u && t.continuation_data == 0u)) {"), 50, 1, "collatz_steps[50]", 24, 0},
		"the last activation":  {replaced(t, rec, "task_done(t);", "t.param = t.input_handle / 100u; task_done(t);"), 100, 1, "task.param", 0, 1},
	} {
		out := bisect(t, rec, tc.b)
		p := out.First
		if out.Equal || p == nil || p.Task != tc.task || p.Activation != tc.activation || p.Word == nil || p.Word.Name != tc.word || p.Word.A != tc.a || p.Word.B != tc.values || len(out.End) == 0 {
			t.Errorf("%s: %+v, first %+v", name, out, p)
			continue
		}
		if p.Input != int(tc.task) || p.Seconds == nil || p.Handler != "collatz" {
			t.Errorf("%s: the input of %+v", name, p)
		}
	}
}

// TestBisectOfWhatIsWrittenOver: runs that differ on the way only end alike.
func TestBisectOfWhatIsWrittenOver(t *testing.T) {
	rec := record(t)
	store := "collatz_steps[t.input_handle] = steps;"
	out := bisect(t, rec, replaced(t, rec, "uint steps = t.continuation_data;", "uint steps = t.continuation_data; if (t.input_handle == 27u && steps == 0u) collatz_steps[27] = 5u;"))
	if !out.Equal || out.First == nil || out.First.Task != 27 || out.First.Word.B != 5 || len(out.End) != 0 {
		t.Errorf("%+v, %+v", out, out.First)
	}
	text := new(strings.Builder)
	if err := bisect(t, rec, replaced(t, rec, store, "")).Write(text); err != nil || !strings.Contains(text.String(), "not written") {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestBisectOfHandlersWithoutEnd: the activation in which they part is told nevertheless.
func TestBisectOfHandlersWithoutEnd(t *testing.T) {
	rec := record(t)
	out := bisect(t, rec, replaced(t, rec, "if (n != 1u) {", "if (n != 1u || t.input_handle == 9u) {"))
	if out.Equal || out.Broken == "" || out.First == nil || out.First.Task != 9 {
		t.Errorf("%+v, %+v", out, out.First)
	}
}

// TestBisectRefusesOtherFiles: of two handler files none has the name.
func TestBisectRefusesOtherFiles(t *testing.T) {
	rec := record(t)
	two := changed(t, rec, func(p *part) {
		p.header.Target.Kernel = withKernel(t, p.header.Target.Kernel, func(x *kernel.Text) {
			more := *x.Config.Sources[0]
			more.Name, more.Text = "collatz/more.glsl", "uint more() { return 1u; }\n"
			x.Config.Sources = append(x.Config.Sources, &more)
		})
	})
	_, err := replay.Bisect(t.Context(), "run.mcap", two, replay.Handlers{}, replay.Handlers{Name: "other.glsl", File: "other.glsl", Text: "x"})
	if !errors.Is(err, replay.ErrHandlers) || !strings.Contains(err.Error(), "collatz.glsl more.glsl") {
		t.Error(err)
	}
	if _, err := replay.Bisect(t.Context(), "run.mcap", rec, replay.Handlers{}, replay.Handlers{Name: "b", File: "collatz.glsl", Text: "void collatz(inout Task t) { unknown(); }"}); err == nil {
		t.Error("a text with an error is executed")
	}
}

// TestBisectRefusesOtherOperations: handlers of the workload's name that lack an operation were executed with tasks that none of them
// takes.
func TestBisectRefusesOtherOperations(t *testing.T) {
	rec := record(t)
	c, err := replay.RecordedHandlers("run.mcap", rec)
	if err != nil {
		t.Fatal(err)
	}
	other := *c
	other.Handlers = slices.Clone(c.Handlers)
	other.Handlers[0].Opcode++
	workload := rec.Header().Target.Workload
	_, err = replay.Bisect(t.Context(), "run.mcap", rec, replay.Handlers{}, replay.Handlers{Name: "b", Workload: workload, Config: &other})
	if !errors.Is(err, replay.ErrHandlers) || !strings.Contains(err.Error(), "no handler for operation 0x100 (collatz)") {
		t.Error(err)
	}
	if _, err = replay.Bisect(t.Context(), "run.mcap", rec, replay.Handlers{}, replay.Handlers{Name: "b", Workload: "other", Config: &other}); !errors.Is(err, megakernel.ErrOtherWorkload) {
		t.Error(err)
	}
}

// TestVersionsAreBisectedByTheirFirstTasks: one of two programs comes to another result from task 61 on.
func TestVersionsAreBisectedByTheirFirstTasks(t *testing.T) {
	rec := record(t)
	runs := 0
	v := replay.Versions{A: "old", B: "new", Folder: t.TempDir()}
	v.Verify = func(_ context.Context, program, file string) (*replay.Document, error) {
		first, err := fixtures.Open(file)
		if err != nil {
			return nil, err
		}
		defer first.Close()
		runs++
		d := &replay.Document{Schema: replay.VerificationSchema, Equal: true}
		for in := range first.Inputs(0) {
			d.Published += len(in.Tasks)
		}
		if program == "new" && d.Published > 60 {
			d.Equal = false
			d.Divergence = &replay.Divergence{Buffer: "steps", Index: 61, Name: "collatz_steps[61]", Recorded: 19, Now: 18}
		}
		return d, nil
	}
	out, err := v.Bisect(t.Context(), "run.mcap", rec)
	if err != nil {
		t.Fatal(err)
	}
	if p := out.First; out.Equal || p == nil || p.Task != 61 || p.Input != 61 || p.Word.A != 19 || p.Word.B != 18 || out.Tried > 8 || runs != 2*out.Tried {
		t.Errorf("%+v, first %+v, %d runs", out, p, runs)
	}
	if left, err := os.ReadDir(v.Folder); err != nil || len(left) > 0 {
		t.Errorf("%v are left in %s", left, filepath.Base(v.Folder))
	}
}
