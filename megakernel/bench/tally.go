package bench

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"vyretop/engine"
)

// tally is what a metric has gathered in all rounds so far. A measurement fills what its kind needs.
type tally struct {
	took   []time.Duration    // samples of a latency
	parts  []part             // of a rate, one a round
	costs  []float64          // in percent
	counts map[string]float64 // what else was counted, over all rounds

	shape  shape // of the last round
	picked shape // the best of the first round, where several were tried
	pace   int   // likewise, of a writer of the log
	err    error
}

// part is how many things were done in a time by workgroups of a size.
type part struct {
	n     uint64
	took  time.Duration
	shape shape
}

// count adds to one of the things that are counted on the way.
func (t *tally) count(name string, v float64) {
	if t.counts == nil {
		t.counts = map[string]float64{}
	}
	t.counts[name] += v
}

// done sums a rate up over the rounds.
func (t *tally) done() (n uint64, took time.Duration) {
	for _, p := range t.parts {
		n += p.n
		took += p.took
	}
	return n, took
}

// metric makes the metric of what was gathered.
func (s *spec) metric(t *tally) Metric {
	var m Metric
	if t.err != nil {
		m.Error = t.err.Error()
	} else {
		m = s.sum(t)
	}
	m.Name, m.Unit, m.Workers, m.WorkgroupSize = s.name, s.unit, t.shape.workers, t.shape.lanes
	return m
}

// sumLatency gives the quantiles of the samples in microseconds, and sorts them.
func sumLatency(t *tally) Metric {
	if len(t.took) == 0 {
		return tooShort()
	}
	slices.Sort(t.took)
	at := func(q float64) float64 {
		return round(us(t.took[min(int(q*float64(len(t.took))), len(t.took)-1)]))
	}
	m := Metric{N: int64(len(t.took)), Quantiles: &Quantiles{P50: at(0.5), P99: at(0.99), P999: at(0.999), Max: at(1)}}
	if n, took := t.done(); n > 0 {
		m.also(tasksPerS, float64(n)/took.Seconds())
	}
	return m
}

func us(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }

// sumRate gives things a second, and those of the slowest and the fastest round.
func sumRate(t *tally) Metric {
	return t.sumParts(func(n uint64, took time.Duration) float64 { return float64(n) / took.Seconds() })
}

// sumCost gives nanoseconds a thing.
func sumCost(t *tally) Metric {
	m := t.sumParts(func(n uint64, took time.Duration) float64 { return float64(took.Nanoseconds()) / float64(n) })
	if m.Error == "" {
		m.also("allocations_per_task", t.counts["allocations"]/float64(m.N))
	}
	return m
}

func (t *tally) sumParts(value func(uint64, time.Duration) float64) Metric {
	n, took := t.done()
	if n == 0 || took == 0 {
		return tooShort()
	}
	m := Metric{N: int64(n), Value: engine.Known(round(value(n, took)))}
	var each []float64
	for _, p := range t.parts {
		if p.n > 0 && p.took > 0 {
			each = append(each, round(value(p.n, p.took)))
		}
	}
	m.Low, m.High = engine.Known(slices.Min(each)), engine.Known(slices.Max(each))
	return m
}

// fastest is the shape of the part with the highest rate.
func (t *tally) fastest() shape {
	return slices.MaxFunc(t.parts, func(a, b part) int { return cmp.Compare(a.rate(), b.rate()) }).shape
}

func (p part) rate() float64 { return float64(p.n) / max(p.took.Seconds(), 1e-9) }

// sumPicked is the rate of the shape that was picked.
func sumPicked(t *tally) Metric {
	t.shape = t.picked
	t.parts = slices.DeleteFunc(t.parts, func(p part) bool { return p.shape != t.picked })
	return sumRate(t)
}

// lostOf begins the names of counts of lost records of a kind.
const lostOf = "lost_"

// sumLog is the rate of the records that the host got, and the share of those it did not.
func sumLog(t *tally) Metric {
	m := sumRate(t)
	if m.Error == "" {
		all := float64(m.N) + t.counts["lost"]
		m.also("lost_percent", 100*t.counts["lost"]/all)
		for name, n := range t.counts {
			if strings.HasPrefix(name, lostOf) {
				m.also(name+"_percent", 100*n/all)
			}
		}
	}
	return m
}

// sumMedian gives the median of the costs, and their quarters as low and high.
func sumMedian(t *tally) Metric {
	if len(t.costs) == 0 {
		return tooShort()
	}
	slices.Sort(t.costs)
	at := func(q float64) engine.Optional[float64] {
		return engine.Known(round(t.costs[int(q*float64(len(t.costs)-1))]))
	}
	return Metric{Value: at(0.5), Low: at(0.25), High: at(0.75), N: int64(len(t.costs))}
}

// sumGap gives microseconds a slice that ended at once, and what that is of a slice by default.
func sumGap(t *tally) Metric {
	m := t.sumParts(func(n uint64, took time.Duration) float64 { return us(took) / float64(n) })
	if slices := t.counts["long_slices"]; m.Error == "" && slices > 0 {
		long := t.counts["long_us"] / slices
		m.also("slice_ms", long/1e3)
		m.also("share_of_slice_percent", 100*m.Value.Or(0)/long)
	}
	return m
}

// sumScaling gives the rate of the largest number of workers, in percent of linear scaling from one worker.
func sumScaling(t *tally) Metric {
	byWorkers := map[int]*tally{}
	most := 0
	for _, p := range t.parts {
		n := p.shape.workers
		if byWorkers[n] == nil {
			byWorkers[n] = &tally{}
		}
		byWorkers[n].parts = append(byWorkers[n].parts, p)
		most = max(most, n)
	}
	if byWorkers[1] == nil {
		return tooShort()
	}
	one, n := sumRate(byWorkers[1]).Value.Or(0), int64(0)
	m := Metric{}
	for workers, of := range byWorkers {
		s := sumRate(of)
		n += s.N
		m.also(fmt.Sprintf("tasks_per_s_%04d", workers), s.Value.Or(0))
		if workers == most && one > 0 {
			m.Value = engine.Known(round(100 * s.Value.Or(0) / (one * float64(most))))
		}
	}
	m.N = n
	return m
}

// tooShort is the metric of a measurement that got nothing.
func tooShort() Metric {
	return Metric{Error: "no work finished in time. Fix: use a longer --for"}
}
