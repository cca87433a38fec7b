//go:build cgo && egl

package gl

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/gl/internal/glapi"
)

const nothing = "#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}\n"

// BenchmarkDispatchFence is the least that one slice costs: an empty dispatch and the wait for its
// fence, on the owner's thread.
func BenchmarkDispatchFence(b *testing.B) {
	be := testBackend(b)
	pl := compile(b, be, program("nothing", nothing, 1))
	wait(b, start(b, pl, 1))
	h := pl.(*pipeline).compiled[choice{}].parts[0].handle
	check(b, be.do(b.Context(), "bench", func(s *glState) error {
		s.api.UseProgram(h)
		for b.Loop() {
			s.api.Dispatch([3]uint32{1, 1, 1})
			f := s.api.InsertFence()
			if s.api.WaitFence(f, true, time.Second) != glapi.FencePassed {
				b.Error("the fence did not pass")
			}
			s.api.DeleteFence(f)
		}
		return s.api.Err("bench")
	}))
}

// BenchmarkStartOverhead is the time of Start for the caller, with the device busy elsewhere.
func BenchmarkStartOverhead(b *testing.B) {
	be := testBackend(b)
	pl := compile(b, be, squaresProgram())
	buf := allocate(b, be, 64, engine.HostVisible)
	wait(b, start(b, pl, 1, buf))
	ctx, bind := within(b), bindings(buf)
	var spent time.Duration
	for b.Loop() {
		begin := time.Now()
		p, err := pl.Start(ctx, bind, row(1))
		spent += time.Since(begin)
		check(b, err)
		<-p.Done()
	}
	b.ReportMetric(float64(spent.Nanoseconds())/float64(b.N), "ns/start")
}

// BenchmarkSubmitRoundTrip is the time from Start to the return of Wait for an empty dispatch.
func BenchmarkSubmitRoundTrip(b *testing.B) {
	be := testBackend(b)
	pl := compile(b, be, program("nothing", nothing, 1))
	wait(b, start(b, pl, 1))
	ctx := within(b)
	for b.Loop() {
		p, err := pl.Start(ctx, nil, row(1))
		check(b, err)
		if _, err := p.Wait(ctx); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkQueuedSlices is the time per dispatch when the next one is always queued already.
func BenchmarkQueuedSlices(b *testing.B) {
	be := testBackend(b)
	pl := compile(b, be, program("nothing", nothing, 1))
	wait(b, start(b, pl, 1))
	ctx := within(b)
	ahead, err := pl.Start(ctx, nil, row(1))
	check(b, err)
	for b.Loop() {
		next, err := pl.Start(ctx, nil, row(1))
		check(b, err)
		<-ahead.Done()
		ahead = next
	}
	<-ahead.Done()
}

// BenchmarkStopToDone is the time from the store that ends a resident kernel to Done. The kernel
// stays for longer than spinWindow, so its end is found by napping.
func BenchmarkStopToDone(b *testing.B) {
	h := newHolder(b, testBackend(b))
	if h.groups > 1 {
		h.groups = 4096
	}
	var spent time.Duration
	n := 0
	for b.Loop() {
		p := h.start(b, engine.DispatchConfig{})
		for begin := time.Now(); time.Since(begin) < 2*time.Millisecond; {
		}
		begin := time.Now()
		h.stop()
		<-p.Done()
		spent += time.Since(begin)
		n++
	}
	b.ReportMetric(float64(spent.Nanoseconds())/float64(n), "ns/stop")
}

// BenchmarkResidentCPU is the share of a CPU core that waiting for a resident kernel costs on a
// device whose dispatch call does not block.
func BenchmarkResidentCPU(b *testing.B) {
	h := newHolder(b, testBackend(b))
	if h.groups > 1 {
		b.Skip("a kernel on the CPU hides the cost of the wait")
	}
	var cpu, wall time.Duration
	for b.Loop() {
		p := h.start(b, engine.DispatchConfig{})
		before, begin := cpuTime(b), time.Now()
		select {
		case <-p.Done():
		case <-time.After(100 * time.Millisecond):
		}
		wall += time.Since(begin)
		cpu += cpuTime(b) - before
		h.stop()
		<-p.Done()
	}
	b.ReportMetric(float64(cpu)/float64(wall), "cores")
}

func cpuTime(t testing.TB) time.Duration {
	var u syscall.Rusage
	check(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkUnusedLanes is the time of a workgroup whose loop ends at its first look at memory, with
// and without unused lanes in the device's vectors, and with the line that sends them away.
func BenchmarkUnusedLanes(b *testing.B) {
	const guard = "if (gl_LocalInvocationIndex != 0u) return; // see doc.go: unused lanes"
	const groups = 100
	for name, c := range map[string]struct {
		local uint32
		text  string
	}{
		"size=1/guard=no":  {1, strings.Replace(hold, guard, "", 1)},
		"size=1/guard=yes": {1, hold},
		"size=8/guard=no":  {8, strings.Replace(hold, guard, "", 1)},
	} {
		b.Run(name, func(b *testing.B) {
			be := testBackend(b)
			text := strings.Replace(c.text, "local_size_x = 1", fmt.Sprintf("local_size_x = %d", c.local), 1)
			pl := compile(b, be, program("hold", text, c.local, "Hold"))
			buf := allocate(b, be, 4, engine.HostVisible)
			buf.Words().CopyFrom(0, []uint32{1, 50_000})
			wait(b, start(b, pl, 1, buf))
			for b.Loop() {
				wait(b, start(b, pl, groups, buf))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/groups, "ns/workgroup")
		})
	}
}

// BenchmarkOpen is the time to open a device, with and without probes.
func BenchmarkOpen(b *testing.B) {
	for name, skip := range map[string]bool{"probed": false, "plain": true} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				be, err := Open(within(b), Options{Device: testDevice(b), SkipProbes: skip})
				check(b, err)
				check(b, be.Close())
			}
		})
	}
}
