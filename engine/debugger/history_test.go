package debugger

import (
	"testing"

	"pgregory.net/rapid"
)

// TestAWriteBeforeAnothersTurnHasItsOwnValues: workgroup 0 stands before its write and the history continues with workgroup
// 1, so that what comes next in time is not the write.
func TestAWriteBeforeAnothersTurnHasItsOwnValues(t *testing.T) {
	s := open(t, `#version 450
layout(local_size_x = 1) in; layout(std430, binding = 0) buffer B { uint r[]; };
void main() {
  uint v = gl_WorkGroupID.x + 7u;
  r[0] = v;
}
`, 2)
	for !s.writesAhead() {
		s.m.forward(0, 1, make([]bool, len(s.code().Instrs)))
	}
	if err := s.Select(1, 0); err != nil {
		t.Fatal(err)
	}
	s.Step(Over, Forward)
	s.Continue(Forward)
	if err := s.Watch("r[0]"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct {
		group     uint64
		old, news uint32
	}{{1, 0, 8}, {0, 8, 7}} {
		stop := s.Continue(Back)
		if w := stop.Write; w == nil || w.Group != want.group || w.Old.Words[0] != want.old || w.New.Words[0] != want.news {
			t.Errorf("%+v of %+v, want %+v", w, stop, want)
		}
	}
}

// writesAhead reports whether workgroup 0 is about to write to the buffer.
func (s *Session) writesAhead() bool {
	space, _, n := s.m.groups[0].Writes(0)
	return n > 0 && space == 0
}

// TestBegunKnowsTheLowest: whatever begins and is forgotten, next is the lowest workgroup that does not begin.
func TestBegunKnowsTheLowest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b begun
		all := map[uint64]bool{}
		for _, n := range rapid.SliceOf(rapid.Int64Range(-12, 12)).Draw(t, "begin n, or forget -n") {
			if n >= 0 {
				b.add(uint64(n))
				all[uint64(n)] = true
			} else {
				b.remove(uint64(-n))
				delete(all, uint64(-n))
			}
			want := uint64(0)
			for all[want] {
				want++
			}
			if got := b.next(); got != want {
				t.Fatalf("%d, want %d of %v", got, want, all)
			}
		}
	})
}

// TestBytesOfCheckpointsAreThoseKept: thinning and forgetting leave the number that a new count gives.
func TestBytesOfCheckpointsAreThoseKept(t *testing.T) {
	s := open(t, kernel, 3)
	for range 40 {
		s.Step(Into, Forward)
		s.m.points.add(s.m)
	}
	p := &s.m.points
	check := func(when string) {
		t.Helper()
		kept := p.bytes
		p.count()
		if p.bytes != kept || kept <= 0 {
			t.Errorf("%s: %d bytes, counted again %d", when, kept, p.bytes)
		}
	}
	check("made")
	p.thin()
	check("thinned")
	p.dropFrom(p.list[len(p.list)/2].now)
	check("after dropping")
}

// BenchmarkManyWorkgroups runs a grid of tiny workgroups to the end: the time of one must not depend on how many there
// are.
func BenchmarkManyWorkgroups(b *testing.B) {
	for _, groups := range []uint32{1_000, 100_000} {
		b.Run(map[uint32]string{1_000: "1k", 100_000: "100k"}[groups], func(b *testing.B) {
			for range b.N {
				s := open(b, head+"void main() { s[0] = 1u; }", groups)
				if stop := s.Continue(Forward); stop.Reason != Ended {
					b.Fatalf("%+v", stop)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(groups), "ns/workgroup")
		})
	}
}

// TestTheStartIsOfAWorkgroupThatHasBegun: the selected workgroup had not begun at the start, so that it was shown at line 0, without
// variables, and the error about a name said that this was the end.
func TestTheStartIsOfAWorkgroupThatHasBegun(t *testing.T) {
	for name, back := range map[string]func(s *Session) Stop{
		"run back": func(s *Session) Stop { return s.Continue(Back) },
		"past a write": func(s *Session) Stop {
			_ = s.Watch("r[9]")
			for s.Continue(Back).Reason == Written {
			}
			return s.Here(AtStart)
		},
		"step back": func(s *Session) Stop {
			stop := s.Step(Over, Back)
			for stop.Reason != AtStart {
				stop = s.Step(Over, Back)
			}
			return stop
		},
	} {
		s := open(t, `#version 450
layout(local_size_x = 1) in; layout(std430, binding = 0) buffer B { uint r[]; };
void main() {
  uint v = gl_WorkGroupID.x + 7u;
  r[v - 7u] = v;
}
`, 10)
		s.Continue(Forward)
		stop := back(s)
		if v, err := s.Eval("gl_WorkGroupID.x"); stop.Reason != AtStart || !stop.Pos.IsValid() || err != nil || v.Words[0] != uint32(stop.Group) {
			t.Errorf("%s: %+v, workgroup %v (%v)", name, stop, v, err)
		}
	}
}
