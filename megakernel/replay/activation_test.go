package replay_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"vyretop/engine/debugger"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/replay"
	"vyretop/tasks"
)

// TestActivationsOpenAsTheyBegan: each activation of a task that yields finds in its slot and its buffer what those before it have left, and
// ends as the recorded one did.
func TestActivationsOpenAsTheyBegan(t *testing.T) {
	rec := recordFolder(t, "testdata/steps")
	for n := range 4 {
		r, err := replay.Activation(t.Context(), "steps.mcap", rec, replay.Wanted{Task: 5, Number: n + 1})
		if err != nil {
			t.Fatal(err)
		}
		a, err := r.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for expr, want := range map[string]uint32{"t.continuation_pc": uint32(n), "sum[4]": uint32(n * (n + 1) / 2), "t.task_id": 5} {
			if v, err := a.Eval(expr); err != nil || v.Words[0] != want {
				t.Errorf("activation %d: %s is %v (%v), want %d", n+1, expr, v, err, want)
			}
		}
		want := tasks.Yielded
		if n == 3 {
			want = tasks.Done
		}
		if stop := a.Finish(); stop.Reason != debugger.Ended || a.Outcome().State != want.String() {
			t.Errorf("activation %d: %+v, %+v", n+1, stop, a.Outcome())
		}
		if r.Number != n+1 || r.Handler != "add" {
			t.Errorf("%+v", r.Header)
		}
	}
}

// TestActivationOfAPosition: the words of a slot choose the activation that begins with them, and those of a task that has ended the last one.
func TestActivationOfAPosition(t *testing.T) {
	rec := recordFolder(t, "testdata/steps")
	third, err := replay.Activation(t.Context(), "steps.mcap", rec, replay.Wanted{Task: 5, Number: 3})
	if err != nil {
		t.Fatal(err)
	}
	words := append([]uint32(nil), third.Buffers[megakernel.BindRing][third.Slot*tasks.SlotWords:][:tasks.SlotWords]...)
	if r, err := replay.Activation(t.Context(), "steps.mcap", rec, replay.Wanted{Task: 5, Words: words}); err != nil || r.Number != 3 {
		t.Errorf("%+v, %v", r, err)
	}
	words[tasks.WordState] = uint32(tasks.Done)
	for _, w := range []replay.Wanted{{Task: 5, Words: words}, {Task: 5}} {
		if r, err := replay.Activation(t.Context(), "steps.mcap", rec, w); err != nil || r.Number != 4 {
			t.Errorf("%+v: %+v, %v", w, r, err)
		}
	}
	words[tasks.WordState], words[tasks.WordParam] = uint32(tasks.Ready), 77
	for want, w := range map[string]replay.Wanted{
		"none of its 4 activations begins with": {Task: 5, Words: words},
		"it has 4 activations, not 9":           {Task: 5, Number: 9},
		"the task never runs":                   {Task: 500},
	} {
		if _, err := replay.Activation(t.Context(), "steps.mcap", rec, w); !errors.Is(err, replay.ErrActivation) || !strings.Contains(err.Error(), want) || strings.Count(err.Error(), "Fix: ") != 1 {
			t.Errorf("want %q: %v", want, err)
		}
	}
}

// TestWhoWroteAWordAcrossTasks: the write before an activation is of another task, of the same one, or of none.
func TestWhoWroteAWordAcrossTasks(t *testing.T) {
	rec := recordFolder(t, "testdata/steps")
	const binding, total, own = megakernel.FirstUserBinding, 0, 5 // sum[4], of task 5
	r, err := replay.Activation(t.Context(), "steps.mcap", rec, replay.Wanted{Task: 5, Number: 2})
	if err != nil {
		t.Fatal(err)
	}
	now := r.Buffers[binding]
	w, err := r.Writer(t.Context(), binding, total)
	if err != nil || w == nil || w.Task == 5 || w.New != now[total] || w.Line != 4 {
		t.Errorf("total is %d: %+v, %v", now[total], w, err)
	}
	w, err = r.Writer(t.Context(), binding, own)
	if err != nil || w == nil || w.Task != 5 || w.Activation != 1 || w.New != now[own] || w.Line != 3 {
		t.Errorf("sum[4] is %d: %+v, %v", now[own], w, err)
	}
	first, err := replay.Activation(t.Context(), "steps.mcap", rec, replay.Wanted{Task: 5, Number: 1})
	if err != nil {
		t.Fatal(err)
	}
	if w, err := first.Writer(t.Context(), binding, own); w != nil || err != nil {
		t.Errorf("before the first activation: %+v, %v", w, err)
	}
}

// TestLargeBuffersAreNotCopied: a recording of 6 KB that says that its run had buffers of gigabytes took 6 GB.
func TestLargeBuffersAreNotCopied(t *testing.T) {
	rec := changed(t, record(t), func(p *part) {
		p.header.Start.Buffers = append(slices.Clone(p.header.Start.Buffers), fixtures.StartBuffer{Name: "large", Binding: 99, Words: 1 << 26})
	})
	_, err := replay.Activation(t.Context(), "run.mcap", rec, replay.Wanted{Task: 5})
	if !errors.Is(err, replay.ErrNotExecutable) || !strings.Contains(err.Error(), "280 MiB, and an activation is opened with at most 256 MiB. Fix: raise --limit") {
		t.Error(err)
	}
}
