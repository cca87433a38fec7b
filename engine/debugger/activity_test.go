package debugger

import (
	"fmt"
	"slices"
	"testing"

	"vyretop/engine/profile"
)

const uneven = head64 + `void main() {
  uint a = gl_LocalInvocationIndex;
  for (uint i = 0u; i < a; i++) {
    r[a] += i;
  }
  r[a] = a;
}
`

// TestActivityIsThatOfTheHistory: what was executed so far is counted once, wherever the session stands, and a value that is set
// begins another history.
func TestActivityIsThatOfTheHistory(t *testing.T) {
	s := open(t, uneven, 2)
	counted := func() string {
		p, err := Activity(s)
		if err != nil {
			t.Fatal(err)
		}
		lines := p.Lines()
		i := slices.IndexFunc(lines, func(l profile.Row) bool { return l.Line == 6 })
		if i < 0 {
			return "none"
		}
		return fmt.Sprintf("%d steps, %.1f lanes", lines[i].Steps, lines[i].Active())
	}
	if got := counted(); got != "none" {
		t.Errorf("at the beginning line 6 has %s", got)
	}
	if _, err := s.Break("", 6, BreakOptions{Hits: Hits{Op: "==", N: 3}}); err != nil {
		t.Fatal(err)
	}
	s.Continue(Forward)
	third := counted()
	if again := counted(); again != third || third == "none" {
		t.Errorf("counted again, %s are %s", third, again)
	}
	for range 3 {
		s.Step(Over, Back)
	}
	if back := counted(); back != third {
		t.Errorf("after steps back %s are %s", third, back)
	}
	if err := s.Set("i", "62u"); err != nil {
		t.Fatal(err)
	}
	if set := counted(); set == third {
		t.Errorf("the history behind the step still counts: %s", set)
	}
	s.Clear(1)
	if stop := s.Continue(Forward); stop.Reason != Ended {
		t.Fatalf("%+v", stop)
	}
	whole := counted()
	s.activity = nil
	if fresh := counted(); fresh != whole {
		t.Errorf("counted in parts, line 6 has %s; at once, %s", whole, fresh)
	}
}
