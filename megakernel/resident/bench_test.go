package resident_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

func benchEach(b *testing.B, f func(b *testing.B, be engine.Backend)) {
	for name, open := range backendtest.All {
		b.Run(name, func(b *testing.B) { f(b, open(b)) })
	}
}

// silent is a kernel of 8 lanes without the kernel's own events.
func silent(b *testing.B, be engine.Backend) *kernel.Kernel {
	return assembleWith(b, be, kernel.Config{WorkgroupSize: 8, NoEvents: true}, endless, "work", "once")
}

// report gives the quantiles of a latency in microseconds.
func report(b *testing.B, samples []time.Duration) {
	slices.Sort(samples)
	for _, q := range []struct {
		name string
		at   float64
	}{{"p50-us", 0.5}, {"p99-us", 0.99}, {"p999-us", 0.999}, {"max-us", 1}} {
		i := min(int(q.at*float64(len(samples))), len(samples)-1)
		b.ReportMetric(float64(samples[i].Nanoseconds())/1e3, q.name)
	}
	b.ReportMetric(0, "ns/op")
}

// BenchmarkSubmitToDone is the time from Publish of one task to its completion in the host's hands.
func BenchmarkSubmitToDone(b *testing.B) {
	benchEach(b, func(b *testing.B, be engine.Backend) {
		s := start(b, be, silent(b, be), resident.Options{Workers: 1, Log: resident.NoLog})
		task := work(1, func(_ int, t *tasks.Task) { t.Opcode = opWork + 1 })
		out := make([]megakernel.Completion, 0, 4)
		samples := make([]time.Duration, 0, b.N)
		b.ResetTimer()
		for range b.N {
			task[0].TaskID = 0
			began := time.Now()
			if err := s.Publish(b.Context(), task); err != nil {
				b.Fatal(err)
			}
			for out = s.Poll(out[:0]); len(out) == 0; out = s.Poll(out[:0]) {
			}
			samples = append(samples, time.Since(began))
		}
		report(b, samples)
	})
}

// BenchmarkPauseAcknowledged is the time from a pause of all workers until the host has the last answer, at a
// random time. What busy workers take longer than idle ones is for their passes, and what all take longer than one is
// for hearing of it from each other. Right after they were resumed, workers still have the rest of that to do.
func BenchmarkPauseAcknowledged(b *testing.B) {
	atRandom := func() time.Duration { return 20*time.Microsecond + rand.N(40*time.Microsecond) }
	for _, p := range []pauses{
		{name: "one/idle", workers: 1, after: atRandom},
		{name: "one/busy", workers: 1, busy: true, after: atRandom},
		{name: "one/resumed", workers: 1, busy: true, after: func() time.Duration { return 0 }},
		{name: "all/idle", after: atRandom},
		{name: "all/busy", busy: true, after: atRandom},
	} {
		b.Run(p.name, p.benchmark)
	}
}

// pauses are those of one benchmark.
type pauses struct {
	name    string
	workers int // 0: as many as the device runs well
	busy    bool
	after   func() time.Duration // how long workers have gone on
}

func (p pauses) benchmark(b *testing.B) {
	benchEach(b, func(b *testing.B, be engine.Backend) {
		workers := p.workers
		if workers == 0 {
			workers = resident.DefaultWorkers(be.Profile())
		}
		n := 8 * workers
		k := assembleWith(b, be, kernel.Config{WorkgroupSize: 8, NoEvents: true, Slots: max(256, 2*n), Completions: max(1024, 1<<bits.Len(uint(n)))}, endless, "work", "once")
		s := start(b, be, k, resident.Options{Workers: workers, Log: resident.NoLog})
		if p.busy {
			if err := s.Publish(b.Context(), work(n, nil)); err != nil {
				b.Fatal(err)
			}
		}
		samples := make([]time.Duration, 0, b.N)
		b.ResetTimer()
		for range b.N {
			for began, d := time.Now(), p.after(); time.Since(began) < d; { // a sleep is never so short
			}
			ack, err := s.Do(b.Context(), megakernel.Command{Op: megakernel.OpPauseAll})
			if err != nil || ack.Result != megakernel.AckApplied {
				b.Fatal(ack, err)
			}
			samples = append(samples, ack.Latency)
			if _, err := s.Do(b.Context(), megakernel.Command{Op: megakernel.OpResumeAll}); err != nil {
				b.Fatal(err)
			}
		}
		report(b, samples)
		b.ReportMetric(float64(workers), "workers")
	})
}

// BenchmarkResidentNoop is the rate of activations of a handler that only yields, all lanes full.
func BenchmarkResidentNoop(b *testing.B) {
	benchEach(b, func(b *testing.B, be engine.Backend) {
		s := start(b, be, silent(b, be), resident.Options{Log: resident.NoLog})
		if err := s.Publish(b.Context(), work(64, nil)); err != nil {
			b.Fatal(err)
		}
		b.ResetTimer()
		from, to := over(b, s, 20)
		b.ReportMetric(float64(activations(from, to))/(to.Elapsed-from.Elapsed).Seconds()/1e6, "Mtasks/s")
		b.ReportMetric(0, "ns/op")
	})
}

// over gives the totals at the beginning of two slices that are n apart.
func over(b *testing.B, s *resident.Session, n uint32) (from, to resident.Summary) {
	at := func(slice uint32) resident.Summary {
		if err := s.AwaitSlice(b.Context(), slice); err != nil {
			b.Fatal(err)
		}
		return s.Summary()
	}
	from = at(3)
	return from, at(from.Slices + n)
}

func activations(from, to resident.Summary) uint64 {
	return to.Counters[megakernel.CountActivations] - from.Counters[megakernel.CountActivations]
}

// BenchmarkSliceGap finds what relaunching costs: a slice takes gap + iterations*step, so running
// long and short slices side by side gives both. Reported is the gap, and its share of a slice of
// the default length.
func BenchmarkSliceGap(b *testing.B) {
	benchEach(b, func(b *testing.B, be engine.Backend) {
		k := silent(b, be)
		measure := func(iterations uint32) (perSlice, perActivation float64) {
			s := start(b, be, k, resident.Options{Workers: 1, Log: resident.NoLog, Iterations: iterations})
			defer s.Stop(b.Context())
			if err := s.Publish(b.Context(), work(64, nil)); err != nil {
				b.Fatal(err)
			}
			from, to := over(b, s, 30)
			slices := float64(to.Slices - from.Slices)
			return (to.Elapsed - from.Elapsed).Seconds() / slices, float64(activations(from, to)) / slices
		}
		longTime, longActs := measure(0)
		shortTime, shortActs := measure(4000)
		step := (longTime - shortTime) / (longActs - shortActs)
		gap := shortTime - shortActs*step
		b.ReportMetric(gap*1e6, "gap-us")
		b.ReportMetric(longTime*1e3, "slice-ms")
		b.ReportMetric(100*gap/longTime, "%gap")
		b.ReportMetric(0, "ns/op")
	})
}

// BenchmarkResidentScaling is the rate of activations of a handler that only yields, by the number of
// workers: one, and four times as many each time up to what the device runs at once. Every worker has 128 tasks
// and every lane two. Beside it: how full the lanes were.
func BenchmarkResidentScaling(b *testing.B) {
	benchEach(b, func(b *testing.B, be engine.Backend) {
		p := be.Profile()
		lanes := resident.DefaultWorkgroupSize(p)
		most := min(int(p.ConcurrentWorkgroups.Or(2)), megakernel.MaxWorkers)
		for workers := 1; workers <= most; workers *= 4 {
			b.Run(fmt.Sprintf("%dx%d", workers, lanes), func(b *testing.B) { scaling(b, be, workers, lanes) })
		}
	})
}

func scaling(b *testing.B, be engine.Backend, workers, lanes int) {
	n := workers * max(128, 2*lanes)
	k := assembleWith(b, be, kernel.Config{WorkgroupSize: lanes, NoEvents: true, Slots: max(256, 2*n), InboxTasks: 4096, Completions: 1 << bits.Len(uint(n))}, endless, "work", "once")
	s := start(b, be, k, resident.Options{Workers: workers, Log: resident.NoLog})
	if err := s.Publish(b.Context(), work(n, nil)); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	from, to := over(b, s, 4)
	seconds := (to.Elapsed - from.Elapsed).Seconds()
	claims := to.Counters[megakernel.CountClaims] - from.Counters[megakernel.CountClaims]
	empty := to.Counters[megakernel.CountEmpty] - from.Counters[megakernel.CountEmpty]
	b.ReportMetric(float64(activations(from, to))/seconds/1e6, "Mtasks/s")
	b.ReportMetric(float64(activations(from, to))/float64(claims*uint64(lanes)), "lanes-filled")
	b.ReportMetric(seconds*float64(workers)/float64(claims+empty)*1e6, "us/pass")
	b.ReportMetric(float64(empty)/float64(claims+empty), "passes-empty")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkHostFed is the rate of tasks that one goroutine publishes in batches and collects, end to end.
func BenchmarkHostFed(b *testing.B) {
	benchEach(b, func(b *testing.B, be engine.Backend) {
		lanes := resident.DefaultWorkgroupSize(be.Profile())
		k := assembleWith(b, be, kernel.Config{WorkgroupSize: lanes, NoEvents: true, Slots: 1 << 16, InboxTasks: 1 << 14, Completions: 1 << 15}, endless, "work", "once")
		s := start(b, be, k, resident.Options{Workers: min(64, resident.DefaultWorkers(be.Profile())), Log: resident.NoLog})
		batch := work(512, func(_ int, t *tasks.Task) { t.Opcode = opWork + 1 })
		out := make([]megakernel.Completion, 0, 1<<15)
		n := max(b.N, 200_000)
		b.ResetTimer()
		began := time.Now()
		for published, collected := 0, 0; collected < n; {
			if published < n && published-collected < 1<<14-len(batch) {
				for i := range batch {
					batch[i].TaskID = 0
				}
				if err := s.Publish(b.Context(), batch); err != nil {
					b.Fatal(err)
				}
				published += len(batch)
			}
			out = s.Poll(out[:0])
			collected += len(out)
		}
		b.ReportMetric(float64(n)/time.Since(began).Seconds()/1e6, "Mtasks/s")
		b.ReportMetric(0, "ns/op")
	})
}

// BenchmarkSnapshot is the time that a reading of the target takes: into new memory, and by an observer
// that reads again and again. 64 of 4,096 slots have tasks, which run all the time.
func BenchmarkSnapshot(b *testing.B) {
	benchEach(b, func(b *testing.B, be engine.Backend) {
		k := assembleWith(b, be, kernel.Config{WorkgroupSize: 8, NoEvents: true, Slots: 4096}, endless, "work", "once")
		s := start(b, be, k, resident.Options{Workers: 1, Log: resident.NoLog})
		if err := s.Publish(b.Context(), work(64, nil)); err != nil {
			b.Fatal(err)
		}
		observer := s.Observer()
		for name, read := range map[string]func() *megakernel.Snapshot{"new": s.Snapshot, "observer": observer.Read} {
			b.Run(name, func(b *testing.B) {
				samples := make([]time.Duration, 0, b.N)
				for range b.N {
					samples = append(samples, read().CopyTime)
				}
				report(b, samples)
			})
		}
	})
}

// BenchmarkBreakpoints is the rate of activations while a breakpoint that hits nothing is armed, and when it is
// gone, each against the rate before it in the same run.
func BenchmarkBreakpoints(b *testing.B) {
	benchEach(b, func(b *testing.B, be engine.Backend) {
		s := start(b, be, silent(b, be), resident.Options{Workers: 1, Log: resident.NoLog})
		if err := s.Publish(b.Context(), work(64, nil)); err != nil {
			b.Fatal(err)
		}
		rate := func() float64 {
			s.AwaitSlice(b.Context(), s.Summary().Slices+2)
			from := s.Summary()
			s.AwaitSlice(b.Context(), from.Slices+4)
			to := s.Summary()
			return float64(activations(from, to)) / (to.Elapsed - from.Elapsed).Seconds()
		}
		var armed, gone, rates []float64
		b.ResetTimer()
		for range max(b.N, 5) {
			before := rate()
			st, err := s.Arm(b.Context(), breakpoint.Breakpoint{Program: opIs(99), Action: breakpoint.Count})
			if err != nil {
				b.Fatal(err)
			}
			armed = append(armed, rate()/before)
			if err := s.Disarm(b.Context(), st.ID); err != nil {
				b.Fatal(err)
			}
			gone = append(gone, rate()/before)
			rates = append(rates, before)
		}
		for name, list := range map[string][]float64{"armed/before": armed, "gone/before": gone, "activations/s": rates} {
			slices.Sort(list)
			b.ReportMetric(list[len(list)/2], name)
		}
		b.ReportMetric(0, "ns/op")
	})
}
