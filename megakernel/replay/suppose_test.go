package replay_test

import (
	"errors"
	"testing"

	"vyretop/fixtures"
	"vyretop/megakernel/replay"
)

// suppose executes a recording with other values of words before an activation of a task.
func suppose(t *testing.T, rec *fixtures.Recording, task uint32, activation int, set ...string) (*replay.Bisection, error) {
	t.Helper()
	h := rec.Header()
	s := &replay.Supposed{Task: task, Number: activation}
	for _, text := range set {
		v, err := replay.ParseValue(&h, text)
		if err != nil {
			t.Fatal(err)
		}
		s.Set = append(s.Set, v)
	}
	return replay.Suppose(t.Context(), "run.mcap", rec, s, replay.Handlers{})
}

// TestARunGoesOnFromWhatIsSupposed: a word of a task in its first and in a later activation, and one of a buffer, which the run leaves as it
// is or overwrites. What the activation before has left counts as equal.
func TestARunGoesOnFromWhatIsSupposed(t *testing.T) {
	rec := record(t)
	for name, tc := range map[string]struct {
		task       uint32
		activation int
		set        string
		first      string // word that differs first; "" for none
		a, b       uint32
		equal      bool
	}{
		"a later activation":    {task: 27, activation: 2, set: "task.continuation_data=0", first: "collatz_steps[27]", a: 111, b: 11},
		"the first activation":  {task: 6, activation: 1, set: "task.input_handle=7", first: "collatz_steps[6]", a: 8, b: 0},
		"a word of a buffer":    {task: 6, activation: 1, set: "collatz_steps[3]=99"},
		"one that is written":   {task: 6, activation: 1, set: "collatz_steps[6]=99", equal: true},
		"the value that it had": {task: 6, activation: 1, set: "task.input_handle=6", equal: true},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := suppose(t, rec, tc.task, tc.activation, tc.set)
			if err != nil {
				t.Fatal(err)
			}
			if out.Equal != tc.equal || (out.First != nil) != (tc.first != "") {
				t.Fatalf("equal %v, first %+v, end %+v", out.Equal, out.First, out.End)
			}
			if f := out.First; f != nil && (f.Task != tc.task || f.Activation != tc.activation || f.Word == nil || f.Word.Name != tc.first || f.Word.A != tc.a || f.Word.B != tc.b) {
				t.Errorf("%+v, word %+v", f, f.Word)
			}
		})
	}
}

// TestOnlyWhatIsThereIsSupposed: missing activations, unknown words, invalid values.
func TestOnlyWhatIsThereIsSupposed(t *testing.T) {
	rec := record(t)
	for _, at := range []struct {
		task       uint32
		activation int
	}{{9999, 1}, {6, 2}} {
		if _, err := suppose(t, rec, at.task, at.activation, "task.param=1"); !errors.Is(err, replay.ErrActivation) {
			t.Errorf("%+v: %v", at, err)
		}
	}
	h := rec.Header()
	for _, text := range []string{"", "=", "task.param", "task.param=", "=5", "task.state=1", "task.none=1", "task.param=-x", "control[1]=5", "ring[0]=1", "collatz_steps[99999]=1", "none=1"} {
		if v, err := replay.ParseValue(&h, text); err == nil {
			t.Errorf("%q: %+v", text, v)
		}
	}
}

// TestOtherHandlersFromAnActivationOn: the activations before it run the recorded ones, also those of the same task, and the one itself the others.
func TestOtherHandlersFromAnActivationOn(t *testing.T) {
	rec := record(t)
	b := replaced(t, rec, "collatz_steps[t.input_handle] = steps;", "collatz_steps[t.input_handle] = steps + 1u;")
	whole := bisect(t, rec, b)
	for _, s := range []replay.Supposed{{Task: 27, Number: 2}, {Task: 60, Number: 1}, {Task: 1, Number: 1}} {
		out, err := replay.Suppose(t.Context(), "run.mcap", rec, &s, b)
		if err != nil {
			t.Fatal(err)
		}
		f := out.First
		if f == nil || f.Task != s.Task || f.Activation != s.Number || f.Word == nil || f.Word.B != f.Word.A+1 || f.WriterB == nil || f.WriterB.Line != f.WriterA.Line || out.Equal {
			t.Fatalf("%+v: %+v, first %+v", s, out, f)
		}
		t.Logf("%+v: after %d activations, %d words differ, of all %d", s, out.Compared, out.End[0].Different, whole.End[0].Different)
		if s.Task == 1 != (out.End[0].Different == whole.End[0].Different) {
			t.Errorf("%+v: %d words differ at the end, %d of the whole run", s, out.End[0].Different, whole.End[0].Different)
		}
	}
}

// TestWordsAndHandlersTogether: both are in force in the activation itself, and the value of a word that the handler leaves in the task is explained.
func TestWordsAndHandlersTogether(t *testing.T) {
	rec := record(t)
	h := rec.Header()
	v, err := replay.ParseValue(&h, "task.continuation_data=0")
	if err != nil {
		t.Fatal(err)
	}
	b := replaced(t, rec, "collatz_steps[t.input_handle] = steps;", "collatz_steps[t.input_handle] = steps + 1u;\n    t.param = 77u;")
	out, err := replay.Suppose(t.Context(), "run.mcap", rec, &replay.Supposed{Task: 27, Number: 2, Set: []replay.Value{v}}, b)
	if err != nil {
		t.Fatal(err)
	}
	if f := out.First; f == nil || f.Task != 27 || f.Activation != 2 || f.Word == nil || f.Word.A != 111 || f.Word.B != 12 {
		t.Errorf("%+v", out.First)
	}
}
