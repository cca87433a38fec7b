package debugger

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vyretop/engine"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
)

// failer is a test, a benchmark or a check of rapid.
type failer interface {
	Helper()
	Fatal(args ...any)
}

func open(t failer, text string, groups uint32) *Session {
	t.Helper()
	p, _, err := engine.CompileProgram("k", &source.File{Name: "k.comp", Text: text}, glsl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(Target{Program: p, Buffers: map[uint32][]uint32{0: make([]uint32, 64)}, Grid: [3]uint32{groups, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const head = "#version 450\nlayout(local_size_x = 4) in; layout(std430, binding = 0) buffer B { uint r[]; }; shared uint s[4];\n"

// kernel has every construct whose stepping the tables below pin.
const kernel = head + `uint f(uint x) {
  uint y = x * 3u;
  return y;
}
void main() {
  uint i = gl_LocalInvocationIndex;
  uint a = f(i);
  if (i > 1u) {
    a += 100u;
  } else {
    a += 200u;
  }
  s[i] = a;
  barrier();
  for (uint k = 0u; k < 2u; k++) {
    a += s[(i + k) & 3u];
  }
  switch (i) {
  case 0u:
    a++;
    break;
  default:
    a--;
  }
  if (i == 3u) return;
  r[gl_GlobalInvocationID.x] = a;
}
`

func TestStepsGoFromLineToLine(t *testing.T) {
	tests := []struct {
		name string
		kind Kind
		lane int
		want []int
	}{
		{"into, else branch", Into, 0, []int{7, 8, 9, 4, 5, 10, 13, 15, 16, 17, 18, 17, 18, 17, 20, 21, 22, 23, 27, 28}},
		{"over, else branch", Over, 0, []int{7, 8, 9, 10, 13, 15, 16, 17, 18, 17, 18, 17, 20, 21, 22, 23, 27, 28}},
		{"into, then branch", Into, 2, []int{7, 8, 9, 4, 5, 10, 11, 15, 16, 17, 18, 17, 18, 17, 20, 21, 25, 27, 28}},
		{"returning lane", Over, 3, []int{7, 8, 9, 10, 11, 15, 16, 17, 18, 17, 18, 17, 20, 21, 25, 27}},
		{"to barriers", Barrier, 0, []int{7, 16}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := open(t, kernel, 1)
			if err := s.Select(0, test.lane); err != nil {
				t.Fatal(err)
			}
			lines := []int{s.Here(Stepped).Pos.Line}
			for stop := s.Step(test.kind, Forward); stop.Reason == Stepped; stop = s.Step(test.kind, Forward) {
				lines = append(lines, stop.Pos.Line)
			}
			if !slices.Equal(lines, test.want) {
				t.Errorf("went through lines\n%v, want\n%v", lines, test.want)
			}
		})
	}
}

// TestLocalsOfSkippedFilesAreLeftOut: where the session stands in a file that is skipped, as at the end of a task, the globals
// of that file are not listed among the user's; AllLocals has them.
func TestLocalsOfSkippedFilesAreLeftOut(t *testing.T) {
	p, _, err := engine.CompileProgram("k", &source.File{Name: "k.comp", Text: strings.Replace(head, "450\n", "450\n#extension GL_GOOGLE_cpp_style_line_directive : enable\n", 1) + "uint mine = 1u;\n#line 1 \"own.glsl\"\nuint theirs = 2u;\nvoid main() {\n  r[0] = mine + theirs;\n}\n"}, glsl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, skipped := range []string{"", "own.glsl"} {
		s, err := Open(Target{Program: p, Buffers: map[uint32][]uint32{0: make([]uint32, 64)}, Skip: func(file string) bool { return file == skipped }})
		if err != nil {
			t.Fatal(err)
		}
		s.Continue(Forward)
		names := func(list []Variable) (out []string) {
			for _, v := range list {
				out = append(out, v.Name)
			}
			return out
		}
		want := []string{"mine", "theirs"}
		if got := names(AllLocals(s)); !slices.Equal(got, want) {
			t.Errorf("all: %q", got)
		}
		if skipped != "" {
			want = want[:1]
		}
		if got := names(s.Locals()); !slices.Equal(got, want) {
			t.Errorf("without %q: %q, want %q", skipped, got, want)
		}
	}
}

// state is everything that a user can see.
func state(s *Session) string {
	out := fmt.Sprint(s.Here(""), s.Stack(), s.Active(), s.m.memory)
	for _, v := range s.Locals() {
		out += fmt.Sprintf(" %s=%v", v.Name, v.Value)
	}
	v, err := s.Eval("s")
	return out + fmt.Sprint(v, err)
}

func TestStepsBackGiveTheSameStates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := open(t, kernel, 1)
		lane, n := rapid.IntRange(0, 3).Draw(t, "lane"), rapid.IntRange(1, 40).Draw(t, "steps")
		if err := s.Select(0, lane); err != nil {
			t.Fatal(err)
		}
		s.Step(Into, Forward)
		states := []string{state(s)}
		for range n {
			if s.Step(Into, Forward).Reason != Stepped {
				break
			}
			states = append(states, state(s))
			if rapid.Bool().Draw(t, "checkpoint") {
				s.m.points.add(s.m)
			}
		}
		if len(states) < n+1 {
			s.m.seek(s.m.now) // stands at the end: the last state is one step back
			s.Step(Into, Back)
		}
		for i := len(states) - 1; i >= 0; i-- {
			if got := state(s); got != states[i] {
				t.Fatalf("state %d:\n%s, want\n%s", i, got, states[i])
			}
			s.Step(Into, Back)
		}
	})
}

func TestReverseContinueFindsEveryHit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := open(t, kernel, uint32(rapid.IntRange(1, 3).Draw(t, "groups")))
		for _, line := range rapid.SliceOfN(rapid.IntRange(1, 28), 1, 3).Draw(t, "lines") {
			if _, err := s.Break("", line, BreakOptions{Condition: rapid.SampledFrom([]string{"", "true", "gl_LocalInvocationIndex == 2u"}).Draw(t, "condition")}); err != nil {
				t.Fatal(err)
			}
		}
		var times []uint64
		for stop := s.Continue(Forward); stop.Reason == AtBreak; stop = s.Continue(Forward) {
			times = append(times, stop.Time)
			if rapid.Bool().Draw(t, "checkpoint") {
				s.m.points.add(s.m)
			}
		}
		for i := len(times) - 1; i >= 0; i-- {
			if stop := s.Continue(Back); stop.Reason != AtBreak || stop.Time != times[i] {
				t.Fatalf("hit %d of %v: went back to %+v", i, times, stop)
			}
		}
		if stop := s.Continue(Back); stop.Reason != AtStart {
			t.Fatalf("before the first hit: %+v", stop)
		}
	})
}

func TestWhoWroteAWord(t *testing.T) {
	s := open(t, kernel, 2)
	if stop := s.Continue(Forward); stop.Reason != Ended {
		t.Fatalf("%+v", stop)
	}
	if err := s.Select(1, 0); err != nil {
		t.Fatal(err)
	}
	stop, err := s.ToWrite("r[5]", Back)
	if err != nil || stop.Reason != Written || stop.Pos.Line != 28 || stop.Group != 1 || stop.Lane != 1 {
		t.Fatalf("%+v, %v", stop, err)
	}
	if w := stop.Write; w.Old.String() != "0" || w.New.String() != "511" {
		t.Errorf("%v -> %v", w.Old, w.New)
	}
}

func TestSetForgetsWhatCameAfter(t *testing.T) {
	s := open(t, kernel, 1)
	if _, err := s.Break("", 28, BreakOptions{}); err != nil {
		t.Fatal(err)
	}
	s.Continue(Forward)
	if err := s.Set("a", "1.5"); !errors.Is(err, ErrRequest) {
		t.Errorf("a float was set: %v", err)
	}
	if err := s.Set("a", "7u"); err != nil {
		t.Fatal(err)
	}
	if stop := s.Continue(Forward); stop.Reason != Ended {
		t.Errorf("a breakpoint hit again after a set: %+v", stop)
	}
	if s.m.memory[0][0] != 7 {
		t.Errorf("r[0] = %d", s.m.memory[0][0])
	}
}

// TestSettingAParameterLeavesItsArgument: a parameter shared the registers of its argument, so that setting it changed the
// variable of the caller, and did nothing where the argument was a constant or a built-in.
func TestSettingAParameterLeavesItsArgument(t *testing.T) {
	s := open(t, head+`uint twice(uint x) {
  return x + x;
}
void main() {
  uint l = gl_LocalInvocationIndex;
  uint first = twice(l), second = twice(3u), third = twice(gl_LocalInvocationIndex);
  if (gl_LocalInvocationIndex == 0u) {
    r[0] = first;
    r[1] = second;
    r[2] = third;
    r[3] = 3u;
    r[4] = l;
  }
}
`, 1)
	if _, err := s.Break("", 4, BreakOptions{}); err != nil {
		t.Fatal(err)
	}
	for i := range uint32(3) {
		if stop := s.Continue(Forward); stop.Reason != AtBreak {
			t.Fatalf("call %d: %+v", i, stop)
		}
		if err := s.Set("x", fmt.Sprintf("%du", 40+i)); err != nil {
			t.Fatal(err)
		}
		if v, err := s.Eval("x"); err != nil || v.Words[0] != 40+i {
			t.Errorf("x of call %d = %v, %v", i, v, err)
		}
	}
	if stop := s.Continue(Forward); stop.Reason != Ended {
		t.Fatalf("%+v", stop)
	}
	if got := s.m.memory[0][:5]; !slices.Equal(got, []uint32{80, 82, 84, 3, 0}) {
		t.Errorf("buffer %d", got)
	}
}

// TestReverseContinueAfterASetGoesToTheWriteBeforeIt: the session stands before a write to a, where a was set. What it stands
// before is not behind it, and the value of a is the same in the write, in the variables and in an expression.
func TestReverseContinueAfterASetGoesToTheWriteBeforeIt(t *testing.T) {
	s := open(t, kernel, 1)
	agree := func(stop Stop) uint32 {
		t.Helper()
		v, err := s.Eval("a")
		w := stop.Write
		if err != nil || stop.Reason != Written || w.Old.Words[0] != v.Words[0] || !strings.Contains(state(s), " a="+v.String()) {
			t.Fatalf("%+v with %+v, a = %v (%v) in %s", stop, w, v, err, state(s))
		}
		return v.Words[0]
	}
	if _, err := s.Break("", 16, BreakOptions{}); err != nil {
		t.Fatal(err)
	}
	s.Continue(Forward)
	s.Clear(1)
	if err := s.Watch("a"); err != nil {
		t.Fatal(err)
	}
	first := s.Continue(Forward)
	past := agree(first)
	second := s.Continue(Forward)
	agree(second)
	if err := s.Set("a", "5u"); err != nil {
		t.Fatal(err)
	}
	stop, err := s.ToWrite("a", Back)
	if err != nil {
		t.Fatal(err)
	}
	if got := agree(stop); stop.Time != first.Time || got != past {
		t.Errorf("reverse-continue came to %d at %d, want %d at %d, the write before the set", got, stop.Time, past, first.Time)
	}
	if want := "set changed a after this write"; stop.Detail != want {
		t.Errorf("%q, want %q", stop.Detail, want)
	}
	if stop := s.Continue(Forward); stop.Time != second.Time || agree(stop) != 5 {
		t.Errorf("forward to the set again: %+v with %+v", stop, stop.Write)
	}
}

// TestWhatWasSetIsThereEachTime: steps back from a set show the old past, steps forward the set values again.
func TestWhatWasSetIsThereEachTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := open(t, kernel, 1)
		s.Step(Into, Forward)
		states := []string{state(s)}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			if rapid.IntRange(0, 4).Draw(t, "set") == 0 {
				place := rapid.SampledFrom([]string{"r[3]", "s[1]", "i", "a"}).Draw(t, "place")
				if err := s.Set(place, fmt.Sprintf("%du", rapid.IntRange(0, 3).Draw(t, "value"))); err == nil {
					states[len(states)-1] = state(s)
				}
			}
			if rapid.Bool().Draw(t, "checkpoint") {
				s.m.points.add(s.m)
			}
			if s.Step(Into, Forward).Reason != Stepped {
				s.Step(Into, Back)
				break
			}
			states = append(states, state(s))
		}
		at := len(states) - 1
		for range rapid.IntRange(1, 60).Draw(t, "walk") {
			d := Direction(rapid.Bool().Draw(t, "back"))
			if d == Back && at == 0 || d == Forward && at == len(states)-1 {
				continue
			}
			s.Step(Into, d)
			at += map[Direction]int{Forward: 1, Back: -1}[d]
			if got := state(s); got != states[at] {
				t.Fatalf("state %d:\n%s, want\n%s", at, got, states[at])
			}
		}
	})
}

// TestTheEndShowsWhatTheLastLineLeft: behind the last line of main there is no line to stop at, but its writes and variables are there.
func TestTheEndShowsWhatTheLastLineLeft(t *testing.T) {
	s := open(t, kernel, 1)
	if stop := s.Continue(Forward); stop.Reason != Ended {
		t.Fatalf("%+v", stop)
	}
	if err := s.Select(0, 1); err != nil {
		t.Fatal(err)
	}
	for expr, want := range map[string]string{"i": "1", "a": "511", "r[1]": "511", "a == r[i]": "true"} {
		if v, err := s.Eval(expr); err != nil || v.String() != want {
			t.Errorf("%s = %v (%v), want %s", expr, v, err, want)
		}
	}
	if _, err := s.Eval("k"); err == nil || !strings.Contains(err.Error(), "with rev step") {
		t.Errorf("a variable of a loop: %v", err)
	}
	if got := s.Locals(); len(got) != 2 {
		t.Errorf("%d variables, want those of main", len(got))
	}
}

func FuzzExpressions(f *testing.F) {
	for _, text := range []string{"a", "r[0] + 1u", "s[i]", "a +", "uvec3(1u).zyx", "f(1u)", "r.length()", "a = 1u", "#define", "min(a, 2u)"} {
		f.Add(text)
	}
	s := open(f, kernel, 1)
	if _, err := s.Break("", 18, BreakOptions{}); err != nil {
		f.Fatal(err)
	}
	s.Continue(Forward)
	f.Fuzz(func(t *testing.T, text string) {
		before := state(s)
		if v, err := s.Eval(text); err == nil && v.Type.Components() != len(v.Words) {
			t.Errorf("%q: %v has %d words", text, v.Type, len(v.Words))
		}
		if state(s) != before {
			t.Errorf("%q changed something", text)
		}
	})
}

// TestConditionsThatChangeSomethingAreRefused: a condition or a log message that would change the state is refused when it is set; it would
// never hold.
func TestConditionsThatChangeSomethingAreRefused(t *testing.T) {
	s := open(t, kernel, 1)
	for _, c := range []BreakOptions{{Condition: "(i = 2u) == 2u"}, {Condition: "i > 5u && i++ == 2u"}, {Condition: "atomicAdd(r[0], 1u) == 0u"}, {Log: "{i = 3u}"}} {
		if _, err := s.Break("", 9, c); err == nil || !strings.Contains(err.Error(), "an expression cannot change anything. Fix: use: set") {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if n := len(s.Breakpoints()); n != 0 {
		t.Errorf("%d breakpoints are left", n)
	}
	if _, err := s.Break("", 9, BreakOptions{Condition: "f(i) == 3u"}); err == nil || !strings.Contains(err.Error(), "the function f of the kernel cannot be called in an expression") {
		t.Errorf("a call of a function: %v", err)
	}
}
