package recommend

import (
	"cmp"
	"slices"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/health"
	"vyretop/megakernel/policy"
	"vyretop/megakernel/stats"
	"vyretop/tasks"
)

// window is the shortest time that a rate is measured over; memory is how long a rate is remembered: runs have
// stages, and rates of different ones say nothing about shapes.
const (
	window = 100 * time.Millisecond
	memory = 10 * time.Second
	// trialMemory is how long a shape is not recommended again after a trial did not keep it.
	trialMemory = 2 * time.Minute
	// stallWindow is over how long nothing has to change until nothing is recommended.
	stallWindow = time.Second
	// lasting is how many of its windows a rate is the mean of, at most.
	lasting = 20
)

// Observer watches the snapshots of a target and makes Inputs of them. The zero value has seen nothing. It belongs
// to one goroutine.
type Observer struct {
	from     megakernel.Snapshot // where the window under way began, without slots; valid while open
	open     bool
	since    time.Duration // when the shape was seen first
	seen     []observed
	kept     []Seen // what recent returned last
	topology policy.Topology
	acted    time.Duration // when the activations were last seen to grow
	acts     uint64        // how many there were then
	latest   time.Duration // of the newest snapshot
	refused  []refusal
	older    health.Lookback
}

// refusal is a shape that a trial did not leave in force.
type refusal struct {
	from, shape megakernel.Shape
	at          time.Duration
}

// Refused takes in shapes that a trial measured, and that it did not leave in force in place of from: what was measured in turns is
// worth more than the model.
func (o *Observer) Refused(from megakernel.Shape, shapes ...megakernel.Shape) {
	o.refused = slices.DeleteFunc(o.refused, func(r refusal) bool { return o.latest-r.at > trialMemory || o.latest < r.at })
	for _, s := range shapes {
		o.refused = append(o.refused, refusal{from, s, o.latest})
	}
}

// refusedFrom are the shapes that a trial did not keep in place of one.
func (o *Observer) refusedFrom(from megakernel.Shape, now time.Duration) (list []megakernel.Shape) {
	for _, r := range o.refused {
		if r.from == from && now-r.at <= trialMemory && r.at <= now {
			list = append(list, r.shape)
		}
	}
	return list
}

type observed struct {
	Seen
	unit string
	at   time.Duration
}

// Add takes in a newer snapshot, which may be nil.
func (o *Observer) Add(s *megakernel.Snapshot) {
	if s != nil {
		o.latest = s.Taken
		o.older.Window = stallWindow
		o.older.Add(s)
	}
	if s != nil && (o.acted == 0 || s.Counters[megakernel.CountActivations] != o.acts || s.Taken < o.acted) {
		o.acted, o.acts = s.Taken, s.Counters[megakernel.CountActivations]
	}
	switch {
	case s == nil || s.Compiling.Interim || s.Phase != megakernel.PhaseResident && s.Phase != megakernel.PhaseDraining:
		o.open = false
		return
	case !o.open || s.Taken < o.from.Taken || s.Workers != o.from.Workers || s.Lanes != o.from.Lanes:
		o.since = s.Taken
		o.begin(s)
		return
	case worked(&o.from) < o.since: // the work of another shape is in it
		if worked(s) >= o.since {
			o.begin(s)
		}
		return
	case worked(s)-worked(&o.from) < window:
		return
	}
	before, _ := o.from.Work()
	after, unit := s.Work()
	if after > before {
		rate := float64(after-before) / (worked(s) - worked(&o.from)).Seconds()
		activations := float64(s.Counters[megakernel.CountActivations] - o.from.Counters[megakernel.CountActivations])
		o.note(megakernel.Shape{Workers: s.Workers, Lanes: s.Lanes}, rate, activations, unit, s.Taken)
	}
	o.begin(s)
}

// worked is when the work of a snapshot was read.
func worked(s *megakernel.Snapshot) time.Duration { return s.Progress.ReadAt(s.Taken) }

// begin begins a window. Of the snapshot only what tells rates is kept.
func (o *Observer) begin(s *megakernel.Snapshot) {
	o.from, o.open = thin(s), true
}

func thin(s *megakernel.Snapshot) megakernel.Snapshot {
	return megakernel.Snapshot{Taken: s.Taken, Workers: s.Workers, Lanes: s.Lanes, WorkerTable: s.WorkerTable, Counters: s.Counters, Served: s.Served, Progress: s.Progress}
}

// note keeps a rate as a mean over the newest windows of its shape.
func (o *Observer) note(shape megakernel.Shape, rate, activations float64, unit string, at time.Duration) {
	for i := range o.seen {
		x := &o.seen[i]
		if x.Shape != shape {
			continue
		}
		if x.unit != unit || at-x.at > memory || at < x.at {
			*x = observed{Seen: Seen{Shape: shape}, unit: unit}
		}
		x.Windows = min(x.Windows+1, lasting)
		x.Rate += (rate - x.Rate) / float64(x.Windows)
		x.Activations += activations
		x.at = at
		return
	}
	o.seen = append(o.seen, observed{Seen{shape, rate, 1, activations}, unit, at})
}

// recent are the rates that are not older than memory, of one unit. The next call overwrites them.
func (o *Observer) recent(now time.Duration) []Seen {
	o.kept = o.kept[:0]
	for _, x := range o.seen {
		if now-x.at <= memory && x.at <= now && x.unit == o.seen[len(o.seen)-1].unit {
			o.kept = append(o.kept, x.Seen)
		}
	}
	return o.kept
}

// Advise makes a recommendation for the newest snapshot of a target. The report is of the time before it; nil is
// worked out from what was added.
func (o *Observer) Advise(t *megakernel.Target, s *megakernel.Snapshot, r *stats.Occupancy) Advice {
	if s == nil {
		return Advice{Reason: "no snapshot yet"}
	}
	in := o.Inputs(t, s, r)
	if why, held := o.held(s, &in); held {
		return Advice{Shape: in.Now, Gain: 1, Confidence: Guessed, Topology: o.topology, Reason: why, Held: true}
	}
	a := Advise(&in)
	o.topology = a.Topology
	return a
}

// held says why no shape is recommended: the device does not work yet, or nothing changes. Tasks that breakpoints or commands hold do
// not keep others from running, so the others have to be seen at rest.
func (o *Observer) held(s *megakernel.Snapshot, in *Inputs) (why string, held bool) {
	if s.Compiling.Interim {
		return "the interpreter does the work while the device compiles, and its rates say nothing about the device", true
	}
	h := health.Judge(s, nil)
	switch h.Kind {
	case health.AllPaused:
		held = true
	case health.AtBreak, health.Held:
		held = in.Running == 0 && (s.Phase == megakernel.PhaseParked || s.Taken-o.acted >= window)
	default:
		// Rates of activations that change nothing say nothing.
		if h := health.Judge(s, o.older.Than(s)); h.Stalled && h.Window >= stallWindow {
			return h.String(), true
		}
	}
	return h.String(), held
}

// Inputs are what the observer, a snapshot and a report of occupancy say about a target; see Advise.
func (o *Observer) Inputs(t *megakernel.Target, s *megakernel.Snapshot, r *stats.Occupancy) Inputs {
	in := Inputs{
		Device: t.Device, MaxWorkers: t.MaxWorkers, MaxLanes: cmp.Or(s.Workgroup, t.WorkgroupSize), LaneLimit: t.MaxLanes, Tuned: t.Tuned,
		Now: megakernel.Shape{Workers: s.Workers, Lanes: s.Lanes}, Seen: o.recent(s.Taken), Topology: o.topology,
	}
	in.Refused = o.refusedFrom(in.Now, s.Taken)
	if r == nil && o.open && s.Taken > o.from.Taken {
		now := thin(s)
		r = stats.OccupancyBetween(&o.from, &now)
	}
	if r != nil {
		in.Fill = r.Fill
		if r.Share != nil {
			in.Idle = r.Share.Idle
			if r.Share.Busy > 0 {
				in.Claim = r.Share.Claim / r.Share.Busy
			}
		}
	}
	for i := range s.NumSlots() {
		slot := s.Slot(i)
		p, state := slot[tasks.WordPriority], tasks.State(slot[tasks.WordState])
		switch {
		case state == tasks.Running:
			in.Running++
		case state.Schedulable() && p < tasks.NumPriorities:
			in.Ready[p]++
		case state != tasks.Empty && !state.Terminal():
			in.Waiting++
		}
	}
	if waits := int32(uint32(s.Submitted) - s.InboxTaken); waits > 0 {
		in.Ready[tasks.Normal] += int(waits) // priorities in the inbox are not read
	}
	in.Policy = policyRequest(t, s, &in)
	return in
}

// policyRequest is the launch policy's view of a target.
func policyRequest(t *megakernel.Target, s *megakernel.Snapshot, in *Inputs) policy.Request {
	r := policy.Request{QueueLen: uint32(in.work() - in.Running), Groups: uint32(max(s.Workers, 0)), Limits: policy.MinimumLimits, HitsPerItem: 1}
	r.MaxWidth, r.MaxGroups = uint32(max(t.WorkgroupSize, 1)), uint32(max(t.MaxWorkers, 1))
	for _, b := range t.Buffers {
		r.ResidentDeviceBytes += 4 * uint64(max(b.Words, 0))
	}
	r.DeviceMemoryBudgetBytes = t.Device.MemoryBytes
	var decoder stats.Decoder
	var reading stats.Reading
	if decoder.Decode(&reading, s.Control, s.Slots) == nil {
		reading.Feed(&r)
	}
	stats.FeedGraph(s.Progress.Graph, &r)
	return r
}
