package debugger

import (
	"slices"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/reference/lower"
	"vyretop/engine/reference/vm"
)

// million is a kernel of one workgroup of 64 lanes that runs over a million instructions.
const million = head64 + `uint f(uint x) {
  return x ^ (x >> 3);
}
void main() {
  uint a = gl_LocalInvocationIndex;
  for (uint i = 0u; i < 80000u; i++) {
    a += f(i);
    if ((i & 1u) == 0u) {
      a ^= i;
    }
  }
  r[gl_LocalInvocationIndex] = a;
}
`

const head64 = "#version 450\nlayout(local_size_x = 64) in; layout(std430, binding = 0) buffer B { uint r[]; };\n"

// atEnd runs the million instructions to their end.
func atEnd(b *testing.B) *Session {
	s := open(b, million, 1)
	if stop := s.Continue(Forward); stop.Reason != Ended || stop.Time < 1_000_000 {
		b.Fatalf("%+v", stop)
	}
	return s
}

// percentiles reports the middle and the slowest hundredth.
func percentiles(b *testing.B, times []time.Duration) {
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "p99-ms")
}

// BenchmarkStep steps lines in the middle of a million instructions.
func BenchmarkStep(b *testing.B) {
	for name, d := range map[string]Direction{"forward": Forward, "back": Back} {
		b.Run(name, func(b *testing.B) {
			s := atEnd(b)
			s.m.seek(s.m.end / 2)
			var times []time.Duration
			for b.Loop() {
				if s.m.end-s.m.now < 100 || s.m.now < 100 {
					s.m.seek(s.m.end / 2)
				}
				begin := time.Now()
				if stop := s.Step(Into, d); stop.Reason != Stepped {
					b.Fatalf("%+v", stop)
				}
				times = append(times, time.Since(begin))
			}
			percentiles(b, times)
		})
	}
}

// BenchmarkReverseContinue goes from the end of a million instructions to a breakpoint at their beginning.
func BenchmarkReverseContinue(b *testing.B) {
	s := atEnd(b)
	if _, err := s.Break("", 7, BreakOptions{}); err != nil {
		b.Fatal(err)
	}
	end := s.m.now
	for b.Loop() {
		s.m.seek(end)
		if stop := s.Continue(Back); stop.Reason != AtBreak || stop.Pos.Line != 7 {
			b.Fatalf("%+v", stop)
		}
	}
}

// BenchmarkIdle runs a million instructions with the debugger attached but idle, and without it.
func BenchmarkIdle(b *testing.B) {
	b.Run("attached", func(b *testing.B) {
		for b.Loop() {
			atEnd(b)
		}
	})
	b.Run("detached", func(b *testing.B) {
		for b.Loop() {
			p, _, err := engine.CompileProgram("k", &source.File{Name: "k.comp", Text: million}, glsl.Options{})
			if err != nil {
				b.Fatal(err)
			}
			low, err := lower.Lower(p.Tree)
			if err != nil {
				b.Fatal(err)
			}
			code, err := vm.Verify(low.Code)
			if err != nil {
				b.Fatal(err)
			}
			linked, _, err := link(code, low, map[uint32][]uint32{0: make([]uint32, 64)})
			if err != nil {
				b.Fatal(err)
			}
			g := linked.NewGroup(nil)
			g.Start([3]uint32{}, [3]uint32{1, 1, 1}, 1<<30)
			for g.State() == vm.Running {
				g.Run(1 << 16)
			}
		}
	})
}
