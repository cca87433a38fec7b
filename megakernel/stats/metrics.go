package stats

import (
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/health"
	"vyretop/tasks"
)

// Sample is a snapshot with what is needed to read it.
type Sample struct {
	Now    *megakernel.Snapshot
	Before *megakernel.Snapshot // an earlier one of the same target, or nil
	Raw    bool                 // Now holds the control buffer and the ring only
	Age    time.Duration        // since Now was taken; below 0 where the target is not live

	states   [tasks.NumStates + 1]int
	workers  [5]int
	occupied *Occupancy
	health   *health.Health
}

// NewSample makes a sample that is not live.
func NewSample(now, before *megakernel.Snapshot) *Sample {
	s := &Sample{Now: now, Before: before, Age: -1}
	s.states, _ = now.StateCounts()
	for _, w := range now.WorkerRecords()[:max(0, min(now.Workers, len(now.WorkerTable)/megakernel.WorkerWords))] {
		s.workers[min(int(w.State), len(s.workers)-1)]++
	}
	return s
}

// Metric is one number, or one word, that is said of a target.
type Metric struct {
	Name string
	Help string
	// read returns an uint64, a string, a bool, or nil for what is not known.
	read func(*Sample) any
}

// Value is the metric in a sample: an uint64, a string, a bool, or nil where it is not known.
func (m *Metric) Value(s *Sample) any { return m.read(s) }

// MetricNames are the names of the metrics, in order.
func MetricNames() []string {
	out := make([]string, len(Metrics))
	for i := range Metrics {
		out[i] = Metrics[i].Name
	}
	return out
}

// MetricNamed returns the metric of a name, or nil.
func MetricNamed(name string) *Metric {
	for i := range Metrics {
		if Metrics[i].Name == name {
			return &Metrics[i]
		}
	}
	return nil
}

// QueueDepth is the number of slots whose tasks have not ended: all but the empty, done and faulted ones,
// as far as they have a known state.
func (s *Sample) QueueDepth() uint64 {
	return s.in(tasks.Ready, tasks.Running, tasks.Paused, tasks.Yielded, tasks.Requeued)
}

func (s *Sample) in(states ...tasks.State) uint64 {
	n := 0
	for _, state := range states {
		n += s.states[state]
	}
	return uint64(n)
}

// Health is the verdict on the target.
func (s *Sample) Health() *health.Health {
	if s.health == nil {
		h := health.Judge(s.Now, s.Before)
		s.health = &h
	}
	return s.health
}

// Judge has the verdict compare the sample with an earlier snapshot than its figures; nil changes nothing.
func (s *Sample) Judge(before *megakernel.Snapshot) {
	if before != nil {
		h := health.Judge(s.Now, before)
		s.health = &h
	}
}

// Occupancy is what the workers did since the earlier snapshot; nil without one, or where no time passed.
func (s *Sample) Occupancy() *Occupancy {
	if s.occupied == nil && !s.Raw && s.Before != nil && s.Now.Taken > s.Before.Taken {
		s.occupied = OccupancyBetween(s.Before, s.Now)
	}
	return s.occupied
}

// Observe makes the occupancy tell also how long tasks have waited, which only an observer of all samples knows. It is
// called once for each sample, in order.
func (s *Sample) Observe(o *Observer) {
	if r := o.Observe(s.Now); r != nil && !s.Raw {
		s.occupied = r
	}
}

// grown is how much a number of the snapshot grew since the earlier one; nil without one.
func (s *Sample) grown(of func(*megakernel.Snapshot) uint64) any {
	if s.Before == nil {
		return nil
	}
	now, before := of(s.Now), of(s.Before)
	return now - min(before, now)
}

// perSecond is grown over the time between two readings of it; nil where no time passed.
func (s *Sample) perSecond(took time.Duration, of func(*megakernel.Snapshot) uint64) any {
	n, ok := s.grown(of).(uint64)
	if !ok || took <= 0 {
		return nil
	}
	return uint64(float64(n)/took.Seconds() + 0.5)
}

// between is the time between the snapshots; 0 where there is only one.
func (s *Sample) between() time.Duration {
	if s.Before == nil {
		return 0
	}
	return s.Now.Taken - s.Before.Taken
}

// counter reads one of the device's counters.
func counter(index int) func(*megakernel.Snapshot) uint64 {
	return func(s *megakernel.Snapshot) uint64 { return s.Counters[index] }
}

// done counts the tasks that ended in order, which the control buffer does too.
func done(s *megakernel.Snapshot) uint64 {
	if n := s.Counters[megakernel.CountDone]; n > 0 || len(s.Control) <= megakernel.CtrlDoneCount {
		return n
	}
	return uint64(s.Control[megakernel.CtrlDoneCount])
}
