package resident_test

import (
	"slices"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// steps does what the shipped collatz does: up to 100 rounds of a loop, then it yields.
const steps = `
void work(inout Task t) {
    uint n = t.continuation_pc == 0u ? t.input_handle : t.continuation_pc;
    uint steps = t.continuation_data;
    for (uint i = 0u; i < 100u && n != 1u; i++) {
        n = (n & 1u) == 0u ? n >> 1 : 3u * n + 1u;
        steps++;
    }
    if (n != 1u) { task_yield(t, n, steps); return; }
    t.output_handle = steps;
    task_done(t);
}
`

// BenchmarkArmedNotHit drains the same tasks without a breakpoint and with one that is never hit, in turns: outside of
// a loop, and in it. armed/plain are the medians of the ratios of their times.
func BenchmarkArmedNotHit(b *testing.B) {
	for _, at := range []struct {
		name string
		line int
	}{{"activation", 4}, {"loop", 6}} {
		b.Run(at.name, func(b *testing.B) {
			benchEach(b, func(b *testing.B, e engine.Backend) { benchmarkArmed(b, e, at.line) })
		})
	}
}

func benchmarkArmed(b *testing.B, e engine.Backend, line int) {
	const count = 40_000
	k := assembleWith(b, e, kernel.Config{WorkgroupSize: 8, Slots: 4096, InboxTasks: 4096, Completions: 8192}, steps, "work")
	s := start(b, e, k, resident.Options{Workers: 2})
	drain := func() time.Duration {
		began := time.Now()
		for from := 0; from < count; from += 4000 {
			if err := s.Publish(deadline(b), work(4000, func(i int, t *tasks.Task) { t.InputHandle = uint32(1 + (from+i)%50_000) })); err != nil {
				b.Fatal(err)
			}
			collect(b, s, 4000)
		}
		return time.Since(began)
	}
	var ratios []float64
	for b.Loop() {
		st, err := s.Arm(deadline(b), breakpoint.Breakpoint{Place: &breakpoint.Place{Line: line, If: "n == 4000000001u"}})
		if err != nil {
			b.Fatal(err)
		}
		armed := drain()
		if err := s.Disarm(deadline(b), st.ID); err != nil {
			b.Fatal(err)
		}
		ratios = append(ratios, armed.Seconds()/drain().Seconds())
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "armed/plain")
}
