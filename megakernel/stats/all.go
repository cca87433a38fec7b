package stats

import (
	"strings"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/health"
	"vyretop/tasks"
)

// Metrics are the metrics, in the order in which they are printed.
var Metrics = concat(sampling, progress, graph, queue, counters(), workers, occupied, served(), log, devices)

func concat(parts ...[]Metric) (out []Metric) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// whole makes a metric of what only a snapshot of a run knows.
func whole(name, help string, read func(*Sample) any) Metric {
	return Metric{name, help, func(s *Sample) any {
		if s.Raw {
			return nil
		}
		return read(s)
	}}
}

func metricMS(d time.Duration) any { return uint64(max(d, 0) / time.Millisecond) }

var sampling = []Metric{
	whole("seq", "number of the snapshot", func(s *Sample) any { return s.Now.Seq }),
	whole("taken_ms", "when it was taken, since launch", func(s *Sample) any { return metricMS(s.Now.Taken) }),
	whole("age_ms", "how long ago that was; live only", func(s *Sample) any {
		if s.Age < 0 {
			return nil
		}
		return metricMS(s.Age)
	}),
	whole("copy_us", "how long reading took", func(s *Sample) any { return uint64(s.Now.CopyTime / time.Microsecond) }),
	whole("consistent", "no activation ended while it was read", func(s *Sample) any { return s.Now.Consistent }),
	whole("torn_by", "activations that ended during the read", func(s *Sample) any { return uint64(s.Now.TornBy) }),
	whole("phase", "what the target does as a whole", func(s *Sample) any { return s.Now.Phase.String() }),
	whole("slice", "number of the newest slice", func(s *Sample) any { return uint64(s.Now.Slice) }),
	{"verdict", "what the target does, or what blocks it: " + verdicts(), func(s *Sample) any { return string(s.Health().Kind) }},
	{"stalled", "there is work, nothing changed since the earlier snapshot, and no breakpoint or command holds it; in conditions give it a time, as in stalled=1 for 500ms, which is what wait takes if none is given: a long activation changes nothing either", func(s *Sample) any {
		if s.Health().Kind == health.Unknown {
			return nil
		}
		return s.Health().Stalled
	}},
	{"epoch", "epoch of the target", func(s *Sample) any { return uint64(s.Now.Epoch()) }},
}

// known makes a metric of the progress, where it is known.
func known(name, help string, read func(megakernel.Progress) any) Metric {
	return Metric{name, help, func(s *Sample) any {
		if !s.Now.Progress.Known() {
			return nil
		}
		return read(s.Now.Progress)
	}}
}

var progress = []Metric{
	known("progress_done", "work done so far, in the workload's unit", func(p megakernel.Progress) any { return uint64(max(p.Done, 0)) }),
	known("progress_total", "work there is, in that unit", func(p megakernel.Progress) any {
		if p.Total <= 0 {
			return nil
		}
		return uint64(p.Total)
	}),
	known("progress_unit", "what progress counts", func(p megakernel.Progress) any { return p.Unit }),
	known("progress_percent", "work done, of all", func(p megakernel.Progress) any {
		if share, ok := p.Share(); ok {
			return uint64(100 * share) // not 100 before the end
		}
		return nil
	}),
	{"progress_per_s", "work done per second, since the earlier snapshot", func(s *Sample) any {
		if s.Before == nil || !s.Now.Progress.Known() || s.Before.Progress.Unit != s.Now.Progress.Unit {
			return nil
		}
		took := s.Now.Progress.ReadAt(s.Now.Taken) - s.Before.Progress.ReadAt(s.Before.Taken)
		return s.perSecond(took, func(n *megakernel.Snapshot) uint64 { return uint64(max(n.Progress.Done, 0)) })
	}},
}

// ofGraph makes a metric of the graph that the workload searches, where it searches one.
func ofGraph(name, help string, read func(megakernel.Graph) uint64) Metric {
	return Metric{name, help, func(s *Sample) any {
		if !s.Now.Progress.Graph.Known() {
			return nil
		}
		return read(s.Now.Progress.Graph)
	}}
}

var graph = []Metric{
	ofGraph("frontier_nodes", "nodes of the level that a graph search is at", func(g megakernel.Graph) uint64 { return uint64(g.Frontier) }),
	ofGraph("frontier_density_bps", "largest level so far of a graph search, in basis points of all nodes", func(g megakernel.Graph) uint64 { return uint64(g.DensityBps()) }),
}

func verdicts() string {
	names := make([]string, len(health.Kinds))
	for i, k := range health.Kinds {
		names[i] = string(k)
	}
	return strings.Join(names, ", ")
}

var queue = []Metric{
	{"slots", "slots of the ring", func(s *Sample) any { return uint64(s.Now.NumSlots()) }},
	{"queue_depth", "tasks in the ring that have not ended", func(s *Sample) any { return s.QueueDepth() }},
	{"waiting", "tasks in the ring that a worker may claim", func(s *Sample) any { return s.in(tasks.Ready, tasks.Yielded, tasks.Requeued) }},
	whole("starving", "of them, those that were not served since the earlier snapshot, because tasks of other priorities were", func(s *Sample) any {
		if s.Before == nil {
			return nil
		}
		return uint64(health.Starving(s.Now, s.Before))
	}),
	{"ready", "slots that are ready", func(s *Sample) any { return s.in(tasks.Ready) }},
	{"running", "slots that run", func(s *Sample) any { return s.in(tasks.Running) }},
	{"paused", "slots that are paused", func(s *Sample) any { return s.in(tasks.Paused) }},
	{"yielded", "slots that gave their worker back", func(s *Sample) any { return s.in(tasks.Yielded) }},
	{"requeued", "slots that were put back with a priority", func(s *Sample) any { return s.in(tasks.Requeued) }},
	{"fault_slots", "slots whose task faulted", func(s *Sample) any { return s.in(tasks.Faulted) }},
	{"done_slots", "slots whose task is done", func(s *Sample) any { return s.in(tasks.Done) }},
	{"empty_slots", "slots without a task", func(s *Sample) any { return s.in(tasks.Empty) }},
	{"ring_percent", "slots that are not empty, of all", func(s *Sample) any {
		if s.Now.NumSlots() == 0 {
			return nil
		}
		return 100 * (uint64(s.Now.NumSlots()) - s.in(tasks.Empty)) / uint64(s.Now.NumSlots())
	}},
	{"depth_percent", "slots whose task has not ended, of all", func(s *Sample) any {
		if s.Now.NumSlots() == 0 {
			return nil
		}
		return 100 * s.QueueDepth() / uint64(s.Now.NumSlots())
	}},
	{"unknown_slots", "slots in no known state", func(s *Sample) any { return uint64(s.states[tasks.NumStates]) }},
	whole("submitted", "tasks given to the target so far", func(s *Sample) any { return s.Now.Submitted }),
	{"done", "tasks that ended in order so far", func(s *Sample) any { return done(s.Now) }},
	{"done_delta", "of them since the earlier snapshot", func(s *Sample) any { return s.grown(done) }},
	whole("tasks_per_s", "tasks that ended per second, since the earlier snapshot", func(s *Sample) any {
		return s.perSecond(s.between(), func(n *megakernel.Snapshot) uint64 { return done(n) + n.Counters[megakernel.CountFaulted] })
	}),
	whole("activations_per_s", "activations per second, since the earlier snapshot", func(s *Sample) any {
		return s.perSecond(s.between(), counter(megakernel.CountActivations))
	}),
}

var counterHelp = [megakernel.NumCounters]string{
	"tasks taken from the host", "tasks spawned by handlers", "", "tasks that faulted so far", "yields so far", "requeues so far",
	"pauses so far", "activations so far", "claims so far", "passes of workers that found nothing", "claims that served a starved priority",
	"slots found in a state they must not have", "spawns refused for want of a slot", "tasks put into the parked set", "slots of faulted tasks freed",
}

// counters are the device's own counters but done, which is above.
func counters() (out []Metric) {
	for i, name := range megakernel.CounterNames {
		if i != megakernel.CountDone {
			out = append(out, whole(name, counterHelp[i], func(s *Sample) any { return s.Now.Counters[i] }))
		}
	}
	return out
}

var workers = []Metric{
	whole("workers", "workers of the newest slice", func(s *Sample) any { return uint64(max(s.Now.Workers, 0)) }),
	whole("lanes", "lanes that each may fill", func(s *Sample) any { return uint64(max(s.Now.Lanes, 0)) }),
	whole("workgroup_size", "lanes that the kernel variant in force is compiled for", func(s *Sample) any {
		if s.Now.Workgroup <= 0 {
			return nil // a recording of an earlier version
		}
		return uint64(s.Now.Workgroup)
	}),
	whole("workers_running", "workers that run an activation", func(s *Sample) any { return uint64(s.workers[megakernel.WorkerRunning]) }),
	whole("workers_idle", "workers that look for work", func(s *Sample) any { return uint64(s.workers[megakernel.WorkerIdle]) }),
	whole("workers_paused", "workers that do not claim", func(s *Sample) any { return uint64(s.workers[megakernel.WorkerPaused]) }),
	whole("workers_absent", "workers that are in no slice", func(s *Sample) any { return uint64(s.workers[megakernel.WorkerAbsent]) }),
}

// share makes a metric of what workers spent their time on since the earlier snapshot, in percent.
func share(name, help string, part func(*Share) float64) Metric {
	return whole(name, help+", in percent of their time in slices since the earlier snapshot", func(s *Sample) any {
		if r := s.Occupancy(); r != nil && r.Share != nil {
			return percent(part(r.Share))
		}
		return nil
	})
}

func percent(part float64) uint64 { return uint64(100*part + 0.5) }

var occupied = []Metric{
	share("busy_percent", "workers that claim or run tasks", func(s *Share) float64 { return s.Busy }),
	share("handler_percent", "workers in handlers", func(s *Share) float64 { return s.Handler }),
	share("claim_percent", "workers that claim tasks and put them back", func(s *Share) float64 { return s.Claim }),
	whole("lane_fill_percent", "lanes that claims filled since the earlier snapshot, of those that they could", func(s *Sample) any {
		if r := s.Occupancy(); r != nil && r.Fill > 0 {
			return percent(r.Fill)
		}
		return nil
	}),
}

// served are the activations by priority.
func served() (out []Metric) {
	for p := range tasks.Priority(tasks.NumPriorities) {
		out = append(out, Metric{"served_" + p.String(), "activations of this priority so far", func(s *Sample) any {
			if !s.Raw {
				return s.Now.Served[p]
			}
			if word := megakernel.CtrlPriorityFair0 + int(p); word < len(s.Now.Control) {
				return uint64(s.Now.Control[word])
			}
			return nil
		}})
	}
	return out
}

var log = []Metric{
	whole("log_records", "debug-log records reserved so far, modulo 2^32", func(s *Sample) any { return uint64(s.Now.LogCursor) }),
	whole("log_lost", "of them overwritten before they were read", func(s *Sample) any { return s.Now.LogLost }),
	whole("log_lost_delta", "of them since the earlier snapshot", func(s *Sample) any {
		return s.grown(func(n *megakernel.Snapshot) uint64 { return n.LogLost })
	}),
	whole("log_in_flight", "of them not written yet", func(s *Sample) any { return s.Now.InFlight }),
}
