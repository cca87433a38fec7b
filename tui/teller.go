package tui

import (
	"fmt"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/stats"
	"vyretop/tasks"
)

// maxAlike bounds the lines of one kind for one snapshot; the rest is counted.
const maxAlike = 5

// Teller makes lines of the differences between snapshots. It is not safe for concurrent use.
type Teller struct {
	target  *megakernel.Target
	o       LinearOptions
	before  *megakernel.Snapshot
	workers []megakernel.Worker
	summed  *stats.Sample // of the last summary
	lines   []string
}

// NewTeller makes a teller for a target.
func NewTeller(t *megakernel.Target, o LinearOptions) *Teller {
	if o.Summary <= 0 {
		o.Summary = DefaultSummary
	}
	return &Teller{target: t, o: o}
}

// Tell returns what a snapshot, or nil, and events say that was not said yet.
func (t *Teller) Tell(s *megakernel.Snapshot, events []megakernel.HostEvent) []string {
	t.lines = nil
	for _, e := range events {
		t.say("%s: %s", e.Kind, e.Text)
	}
	if s == nil || s == t.before {
		return t.lines
	}
	workers := s.WorkerRecords()
	if t.before == nil || s.Taken < t.before.Taken {
		t.introduce(s)
	} else {
		t.compare(s, workers)
	}
	for _, c := range t.o.Alerts.Observe(s) {
		t.say("%s", c)
	}
	t.summarise(s)
	t.before, t.workers = s, workers
	return t.lines
}

func (t *Teller) say(format string, args ...any) {
	t.lines = append(t.lines, fmt.Sprintf(format, args...))
}

// introduce tells what the target is; in a recording also after a step back.
func (t *Teller) introduce(s *megakernel.Snapshot) {
	t.say("%s on %s, %s: %s, %s, %d slots, epoch %d",
		t.target.Workload, t.target.Backend, t.target.Renderer, s.Phase, shapeText(s.Workers, s.Lanes), s.NumSlots(), s.Epoch())
	t.summed = nil
}

func (t *Teller) compare(s *megakernel.Snapshot, workers []megakernel.Worker) {
	b := t.before
	if s.Workers != b.Workers || s.Lanes != b.Lanes {
		t.say("%s, was %d of %d", shapeText(s.Workers, s.Lanes), b.Workers, b.Lanes)
	}
	if s.Epoch() != b.Epoch() {
		t.say("epoch %d", s.Epoch())
	}
	if lost := s.LogLost - min(b.LogLost, s.LogLost); lost > 0 {
		t.say("%d log records lost", lost)
	}
	some := newSome(t)
	for i := range min(len(workers), len(t.workers)) {
		t.worker(some, &workers[i], t.workers[i].State)
	}
	for i := range min(s.NumSlots(), b.NumSlots()) {
		if now, was := s.Slot(i), b.Slot(i); now[tasks.WordState] != was[tasks.WordState] {
			t.task(some, tasks.FromWords(now), tasks.FromWords(was))
		}
	}
	some.rest()
}

// worker tells what somebody did to a worker, not that it goes from task to task.
func (t *Teller) worker(some *some, w *megakernel.Worker, was megakernel.WorkerState) {
	switch {
	case w.State == was:
	case w.State == megakernel.WorkerPaused:
		some.say("workers paused", "worker %d paused", w.ID)
	case was == megakernel.WorkerPaused:
		some.say("workers resumed", "worker %d resumes", w.ID)
	case w.State > megakernel.WorkerPaused:
		some.say("workers in an unknown state", "worker %d is in unknown state %d", w.ID, uint32(w.State))
	}
}

// task tells when a task faulted, parked, or resumed.
func (t *Teller) task(some *some, now, was tasks.Task) {
	name := t.opcode(now.Opcode)
	same := now.TaskID == was.TaskID
	switch {
	case now.State == tasks.Faulted:
		some.say("tasks faulted", "task %s faulted, %s: %s", megakernel.TaskName(now.TaskID), name, megakernel.FaultCode(now.ContinuationData))
	case now.State == tasks.Paused && now.ResumeEpoch == megakernel.HeldEpoch:
		some.say("tasks held", "task %s paused, %s, until a command", megakernel.TaskName(now.TaskID), name)
	case now.State == tasks.Paused:
		some.say("tasks paused", "task %s paused, %s, until epoch %d", megakernel.TaskName(now.TaskID), name, now.ResumeEpoch)
	case same && was.State == tasks.Paused:
		some.say("paused tasks that resumed", "task %s resumes, %s, %s", megakernel.TaskName(now.TaskID), name, now.State)
	case now.State >= tasks.NumStates:
		some.say("slots in an unknown state", "task %s is in unknown state %d", megakernel.TaskName(now.TaskID), uint32(now.State))
	}
}

func (t *Teller) opcode(op uint32) string {
	if name, ok := t.target.Opcodes[op]; ok {
		return name
	}
	if name, ok := megakernel.OpcodeName(op); ok {
		return name
	}
	return fmt.Sprintf("op %d", op)
}

// summarise tells the figures, if it is time and they changed.
func (t *Teller) summarise(s *megakernel.Snapshot) {
	var last *megakernel.Snapshot
	if t.summed != nil {
		last = t.summed.Now
		if s.Taken-last.Taken < t.o.Summary && s.Phase == last.Phase {
			return
		}
	}
	now := stats.NewSample(s, last)
	depth, done := now.QueueDepth(), stats.MetricNamed("done").Value(now)
	if t.summed != nil && depth == t.summed.QueueDepth() && done == stats.MetricNamed("done").Value(t.summed) && s.Phase == last.Phase {
		return
	}
	text := fmt.Sprintf("after %s: %d tasks queued, %v done", s.Taken.Round(time.Millisecond), depth, done)
	if rate := stats.MetricNamed("tasks_per_s").Value(now); rate != nil {
		text += fmt.Sprintf(", %v per second", rate)
	}
	t.say("%s", text)
	t.summed = now
}

// some tells the first few of each kind, and counts the rest.
type some struct {
	teller *Teller
	kinds  []string
	counts map[string]int
}

func newSome(t *Teller) *some { return &some{teller: t, counts: map[string]int{}} }

func (s *some) say(kind, format string, args ...any) {
	if s.counts[kind]++; s.counts[kind] == 1 {
		s.kinds = append(s.kinds, kind)
	}
	if s.counts[kind] <= maxAlike {
		s.teller.say(format, args...)
	}
}

func (s *some) rest() {
	for _, kind := range s.kinds {
		if more := s.counts[kind] - maxAlike; more > 0 {
			s.teller.say("and %d more %s", more, kind)
		}
	}
}
