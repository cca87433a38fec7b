package targets

import (
	"fmt"
	"slices"

	"vyretop/megakernel"
	"vyretop/megakernel/stats"
	"vyretop/tasks"
)

// Part is one of several devices of a run. Screens show each as a target of its own; what is asked of one is asked of the run.
type Part struct {
	Device string `json:"device"`
	Figures
}

// PartsOf describes the devices of a run with several, from two readings of it; none where before has devices of another number. What says
// what does not change.
func (s *Status) PartsOf(now, before *megakernel.Snapshot) []Part {
	if len(s.Parts) < 2 || now == nil || len(now.Shares) != len(s.Parts) {
		return s.Parts
	}
	whole := stats.NewSample(now, before).Health()
	parts := slices.Clone(s.Parts)
	for i := range parts {
		x := stats.NewSample(s.device(now, i), s.device(before, i))
		f := FiguresOf(x)
		f.Phase, f.Verdict, f.Stalled = now.Shares[i].Phase.String(), string(whole.Kind), whole.Stalled
		parts[i].Figures = f
	}
	return parts
}

// device is what a snapshot of a run has of one of its devices; nil where it has nothing of it.
func (s *Status) device(of *megakernel.Snapshot, i int) *megakernel.Snapshot {
	if of == nil || i >= len(of.Shares) {
		return nil
	}
	n := megakernel.Numbering{Devices: len(s.Parts), Slots: of.NumSlots() / len(s.Parts)}
	share, out := &of.Shares[i], *of
	out.Phase, out.Submitted, out.InboxTaken, out.Shares, out.Vitals = share.Phase, share.Submitted, uint32(share.Submitted), nil, nil
	out.Counters[megakernel.CountDone], out.Counters[megakernel.CountFaulted], out.Counters[megakernel.CountActivations] = share.Done, share.Faulted, share.Activations
	out.Slots = of.Slots[i*n.Slots*tasks.SlotWords : (i+1)*n.Slots*tasks.SlotWords]
	out.WorkerTable, out.Workers = nil, 0
	for w := i; (w+1)*megakernel.WorkerWords <= len(of.WorkerTable); w += n.Devices {
		record := of.WorkerTable[w*megakernel.WorkerWords : (w+1)*megakernel.WorkerWords]
		out.WorkerTable = append(out.WorkerTable, record...)
		if megakernel.WorkerState(record[megakernel.WkState]) != megakernel.WorkerAbsent {
			out.Workers++
		}
	}
	return &out
}

// Each is what a screen makes of a status: a target, or one for each device of a run with several.
func (s *Status) Each() []*Status {
	key, ok := Key(s.ID)
	if len(s.Parts) < 2 || !ok {
		return []*Status{s}
	}
	var out []*Status
	for i, p := range s.Parts {
		x := *s
		x.run, x.runID, x.whole = s.Name, s.ID, s.Device
		x.ID, x.Name = fmt.Sprintf("%0*x", idDigits, key+uint64(i)+1), fmt.Sprintf("%s:%d", s.Name, i)
		x.Device, x.Figures, x.Parts = p.Device, p.Figures, nil
		out = append(out, &x)
	}
	return out
}

// RunID is the ID that the run of the target has at the hub.
func (t *Target) RunID() string {
	if t.runID != "" {
		return t.runID
	}
	return t.ID
}

// Run is the title of the run of the target.
func (t *Target) Run() string {
	if t.runID != "" {
		return t.run + "@" + t.Host
	}
	return t.Title()
}

// Whole is the run of a device as a target that can be asked for something; any other target is itself.
func (t *Target) Whole() *Target {
	if t.runID == "" {
		return t
	}
	x := *t
	x.ID, x.Name, x.Device, x.title = t.runID, t.run, t.whole, t.Run()
	x.run, x.runID, x.whole = "", "", ""
	return &x
}

// Runs are the runs of targets, each once.
func Runs(list []*Target) (out []*Target) {
	seen := map[string]bool{}
	for _, t := range list {
		if id := t.RunID(); !seen[id] {
			seen[id] = true
			out = append(out, t.Whole())
		}
	}
	return out
}
