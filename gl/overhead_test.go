//go:build cgo && egl

package gl

import (
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/gl/internal/glapi"
)

// overheadBatch is the number of dispatches that are queued together.
const overheadBatch = 64

// BenchmarkPipelineOverhead is what a repeated dispatch of a small kernel costs beyond the OpenGL calls
// it is made of, which are timed in the same loop: ns/raw and ns/ours for each dispatch, and what both cost
// the processor more, cpu-ns/overhead, which a busy host does not blur. In a batch the dispatches are queued
// and waited for together; in a round trip each is waited for, so two changes of threads are in it, which
// cost what the scheduler makes them cost.
func BenchmarkPipelineOverhead(b *testing.B) {
	for name, n := range map[string]int{"batch": overheadBatch, "round trip": 1} {
		b.Run(name, func(b *testing.B) {
			be := testBackend(b)
			pl := compile(b, be, squaresProgram())
			buf := allocate(b, be, 64, engine.HostVisible)
			bind := bindings(buf)
			wait(b, start(b, pl, 1, buf))
			under := make([]engine.Pending, n)
			var raw, ours, cpu time.Duration
			b.ReportAllocs()
			for b.Loop() {
				before := cpuTime(b)
				raw += rawDispatches(b, be, pl, buf, n)
				between, begin := cpuTime(b), time.Now()
				queued(b, pl, bind, under)
				ours += time.Since(begin)
				cpu += cpuTime(b) - between - (between - before)
			}
			per := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / float64(b.N) / float64(n) }
			b.ReportMetric(per(raw), "ns/raw")
			b.ReportMetric(per(ours), "ns/ours")
			b.ReportMetric(per(ours-raw), "ns/overhead")
			b.ReportMetric(per(cpu), "cpu-ns/overhead")
		})
	}
}

// rawDispatches makes the least calls that dispatch n times and know of each end.
func rawDispatches(b *testing.B, be *Backend, pl engine.Pipeline, buf engine.Buffer, n int) (took time.Duration) {
	program, handle := pl.(*pipeline).compiled[choice{}].parts[0].handle, buf.(*buffer).handle
	check(b, be.do(b.Context(), "raw", func(s *glState) error {
		begin := time.Now()
		for range n {
			s.api.UseProgram(program)
			s.api.BindStorage(0, handle)
			s.api.Dispatch([3]uint32{1, 1, 1})
			s.api.Barrier()
			f := s.api.InsertFence()
			if s.api.WaitFence(f, true, time.Second) != glapi.FencePassed {
				b.Error("the fence did not pass")
			}
			s.api.DeleteFence(f)
		}
		took = time.Since(begin)
		return nil
	}))
	return took
}

// queued starts a dispatch for each place and then waits for all.
func queued(b *testing.B, pl engine.Pipeline, bind []engine.Binding, under []engine.Pending) {
	for i := range under {
		p, err := pl.Start(b.Context(), bind, row(1))
		check(b, err)
		under[i] = p
	}
	if _, err := under[len(under)-1].Wait(b.Context()); err != nil {
		b.Fatal(err)
	}
	for _, p := range under {
		if _, err := engine.Finish(b.Context(), p); err != nil {
			b.Fatal(err)
		}
	}
}
