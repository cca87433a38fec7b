package debugger

import "testing"

// TestBreakpointStatementStopsInItsBranch pins that a breakpoint statement stops the lane for which its condition holds, in
// the branch and the inlined call that it stands in, and not where the line begins.
func TestBreakpointStatementStopsInItsBranch(t *testing.T) {
	s := open(t, head+`void f(uint x) { if (x > 1u) { breakpoint(x == 3u && r[x + 1u] == 0u); } r[x] = x; }
void main() { uint i = gl_LocalInvocationIndex; f(i); breakpoint(true); f(i + 1u); }
`, 1)
	type place struct {
		reason     Reason
		id         int
		line, lane int
		x          string
	}
	for n, want := range []place{{AtBreak, 1, 3, 3, "x"}, {AtBreak, 2, 4, 3, "i"}, {AtBreak, 1, 3, 2, "x"}} {
		stop := s.Continue(Forward)
		if got := (place{stop.Reason, stop.Breakpoint, stop.Pos.Line, stop.Lane, want.x}); got != want {
			t.Fatalf("stop %d: %+v, want %+v", n, got, want)
		}
		if v, err := s.Eval(want.x); err != nil || v.Words[0] != 3 && n != 1 {
			t.Errorf("stop %d: %s = %v, %v", n, want.x, v.Words, err)
		}
	}
	if stop := s.Continue(Forward); stop.Reason != Ended {
		t.Errorf("the last stop: %+v", stop)
	}
	if stop := s.Continue(Back); stop.Reason != AtBreak || stop.Breakpoint != 1 || stop.Lane != 2 {
		t.Errorf("back: %+v", stop)
	}
	if !s.Clear(1) || s.Continue(Back).Breakpoint != 2 {
		t.Error("a cleared statement still stops")
	}
}
