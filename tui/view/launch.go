package view

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"vyretop/megakernel"
	"vyretop/megakernel/launch"
	"vyretop/megakernel/telemetry"
	"vyretop/megakernel/tune"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
	"vyretop/tui/units"
)

// LaunchInput is a number that the recommendation depends on.
type LaunchInput struct {
	Name string // as the request has it in JSON
	Most uint64
	get  func(*launch.Request) uint64
	set  func(*launch.Request, uint64)
}

// LaunchInputs are the inputs in the order of the launch view.
var LaunchInputs = []LaunchInput{
	input("queue_len", func(r *launch.Request) *uint32 { return &r.QueueLen }),
	input("requested_worker_groups", func(r *launch.Request) *uint32 { return &r.Groups }),
	input("max_workgroup_size_x", func(r *launch.Request) *uint32 { return &r.MaxWidth }),
	input("max_compute_workgroups", func(r *launch.Request) *uint32 { return &r.MaxGroups }),
	input("expected_hits_per_item", func(r *launch.Request) *uint32 { return &r.HitsPerItem }),
	input("hot_opcode_count", func(r *launch.Request) *uint32 { return &r.HotOpcodes }),
	input("hot_window_count", func(r *launch.Request) *uint32 { return &r.HotWindows }),
	input("graph_node_count", func(r *launch.Request) *uint32 { return &r.GraphNodes }),
	input("graph_edge_count", func(r *launch.Request) *uint32 { return &r.GraphEdges }),
	input("frontier_density_bps", func(r *launch.Request) *uint16 { return &r.FrontierDensityBps }),
	input("memory_pressure_bps", func(r *launch.Request) *uint16 { return &r.MemoryPressureBps }),
	input("resident_device_bytes", func(r *launch.Request) *uint64 { return &r.ResidentDeviceBytes }),
	input("device_memory_budget", func(r *launch.Request) *uint64 { return &r.DeviceMemoryBudgetBytes }),
	input("requeue_count", func(r *launch.Request) *uint64 { return &r.RequeueCount }),
	input("max_priority_age", func(r *launch.Request) *uint32 { return &r.MaxPriorityAge }),
}

func input[T uint16 | uint32 | uint64](name string, field func(*launch.Request) *T) LaunchInput {
	return LaunchInput{
		Name: name, Most: uint64(^T(0)),
		get: func(r *launch.Request) uint64 { return uint64(*field(r)) },
		set: func(r *launch.Request, v uint64) { *field(r) = T(v) },
	}
}

// LaunchState is what the user asks in the launch view.
type LaunchState struct {
	Selected int
	WhatIf   map[int]uint64   // by input: the value that takes the place of the observed one
	Compared *tune.Comparison // the last comparison of two shapes, or nil
}

// Launch is a recommendation for what a frame shows, and one for what the user supposes.
type Launch struct {
	Observed, Supposed launch.Request
	Now, Then          launch.Recommendation
	Reasons            []launch.Reason // of Then
	Err                error           // why there is no Then
}

// NewLaunch asks the policy about a frame.
func NewLaunch(f *Frame, s *LaunchState) *Launch {
	v := &Launch{}
	if f.Snap == nil {
		return v
	}
	v.Observed = f.request()
	v.Supposed = v.Observed
	for i, value := range s.WhatIf {
		LaunchInputs[i].set(&v.Supposed, value)
	}
	p := launch.StandardPolicy()
	v.Now, _ = p.Recommend(&v.Observed, launch.NoTopology) // an error shows as no recommendation
	v.Then, v.Reasons, v.Err = p.Explain(&v.Supposed, launch.NoTopology)
	return v
}

// Recommend is the shape that the policy recommends for a frame; ok is false where it has none.
func (f *Frame) Recommend() (s megakernel.Shape, ok bool) {
	if f.Snap == nil {
		return s, false
	}
	request, policy := f.request(), launch.StandardPolicy()
	r, err := policy.Recommend(&request, launch.NoTopology)
	return megakernel.Shape{Workers: int(r.Geometry.Grid[0]), Lanes: int(r.Geometry.WorkgroupSizeX)}, err == nil && r.Geometry.Grid[0] > 0
}

// request is what a frame says about a launch on this target: the limits are those within which it
// can be retuned.
func (f *Frame) request() launch.Request {
	r := launch.Request{QueueLen: uint32(f.Queued), Groups: uint32(max(f.Snap.Workers, 0)), Limits: launch.MinimumLimits, HitsPerItem: 1}
	if n := f.Target.WorkgroupSize; n > 0 {
		r.MaxWidth = uint32(n)
	}
	if n := f.Target.MaxWorkers; n > 0 {
		r.MaxGroups = uint32(n)
	}
	for _, g := range f.Census.Priorities {
		r.MaxPriorityAge = max(r.MaxPriorityAge, g.Oldest)
	}
	var reading telemetry.Reading
	if telemetry.NewDecoder(nil).Decode(&reading, f.Snap.Control, f.Snap.Slots) == nil {
		reading.Feed(&r)
	}
	return r
}

// Shape is what of a recommendation a running target can be given: workers and lanes.
func (v *Launch) Shape() (workers, lanes int) {
	return int(v.Then.Geometry.Grid[0]), int(v.Then.Geometry.WorkgroupSizeX)
}

// Columns of the inputs.
const (
	inputName  = 2
	inputSeen  = 26
	inputValue = 34
	inputWidth = 42
)

// LaunchHead is the rows above the first input.
const LaunchHead = 2

// DrawLaunch draws the inputs, what follows from them, and why.
func (l *Look) DrawLaunch(a cells.Area, f *Frame, v *Launch, s *LaunchState) {
	note := "what the policy recommends for the present queue"
	if len(s.WhatIf) > 0 {
		note = strconv.Itoa(len(s.WhatIf)) + " inputs supposed; Delete takes the observed value again"
	}
	rest := l.title(a, "Launch", note)
	if f.Snap == nil {
		l.empty(rest, "The recommendation is made from the first snapshot.")
		return
	}
	left := rest.Sub(cells.Rect{W: min(inputWidth, rest.W), H: rest.H})
	l.drawInputs(left, v, s)
	_, below := left.SplitTop(len(LaunchInputs) + 2)
	l.drawCompared(below, s.Compared)
	right := rest.Sub(cells.Rect{X: inputWidth + 1, W: rest.W - inputWidth - 1, H: rest.H})
	n := l.drawOutputs(right, f, v)
	_, rest = right.SplitTop(n + 1)
	l.drawReasons(rest, v)
}

// drawCompared draws what two shapes got done in turns.
func (l *Look) drawCompared(a cells.Area, c *tune.Comparison) {
	a.Text(1, 0, "measured", theme.Strong)
	_, rest := a.SplitTop(1)
	if c == nil {
		Wrap(rest.Sub(cells.Rect{X: 2, W: rest.W - 3, H: rest.H}), "B runs the shape in force and the recommended one in turns and compares them.", theme.Dim)
		return
	}
	for i, side := range []struct {
		c    tune.Candidate
		rate float64
	}{{c.A, c.RateA}, {c.B, c.RateB}} {
		line := rest.Line(i)
		x := 2
		for _, setting := range side.c {
			x = line.Text(x, 0, setting.String(), theme.Plain) + 1
		}
		line.Fit(22, 0, 8, units.AppendRate(nil, side.rate), true, l.Glyphs.Ellipsis, theme.Strong)
		line.Text(31, 0, "tasks/s", theme.Dim)
	}
	verdict := theme.Plain
	if c.Verdict() == tune.BFaster {
		verdict = theme.Good
	}
	x := rest.Text(2, 2, string(c.Verdict()), verdict)
	rest.Text(x+1, 2, Change(c), theme.Dim)
}

func (l *Look) drawInputs(a cells.Area, v *Launch, s *LaunchState) {
	a.Text(inputName, 0, "input", theme.Strong)
	a.Fit(inputSeen, 0, units.CountWidth+2, []byte("now"), true, l.Glyphs.Ellipsis, theme.Strong)
	a.Fit(inputValue, 0, units.CountWidth+2, []byte("what if"), true, l.Glyphs.Ellipsis, theme.Strong)
	for i, in := range LaunchInputs {
		line := a.Line(i + 1)
		seen := in.get(&v.Observed)
		line.Text(inputName, 0, in.Name, theme.Plain)
		line.Fit(inputSeen, 0, units.CountWidth+2, units.AppendCount(nil, seen), true, l.Glyphs.Ellipsis, countStyle(seen))
		if value, ok := s.WhatIf[i]; ok {
			line.Fit(inputValue, 0, units.CountWidth+2, units.AppendCount(nil, value), true, l.Glyphs.Ellipsis, theme.Changed)
		}
		if i == s.Selected {
			line.Set(0, 0, l.Glyphs.Cursor, theme.Strong)
			line.Restyle(selectedStyle)
		}
	}
}

// output is one line of a recommendation.
type output struct{ name, now, then string }

func (v *Launch) outputs(f *Frame) []output {
	line := func(name string, of func(*launch.Recommendation) string) output {
		return output{name, of(&v.Now), of(&v.Then)}
	}
	out := []output{
		line("workers", func(r *launch.Recommendation) string { return number(r.Geometry.Grid[0]) }),
		line("lanes", func(r *launch.Recommendation) string { return number(r.Geometry.WorkgroupSizeX) }),
		line("slots", func(r *launch.Recommendation) string { return number(r.Geometry.SlotCount) }),
		line("topology", func(r *launch.Recommendation) string { return r.Topology.String() }),
		line("pressure", func(r *launch.Recommendation) string { return r.Pressure.String() }),
		line("execution", func(r *launch.Recommendation) string { return r.Mode.String() }),
		line("hit capacity", func(r *launch.Recommendation) string { return number(r.HitCapacity) }),
		line("peak bytes", func(r *launch.Recommendation) string { return units.Count(r.PeakBytes) }),
	}
	out[0].now = fmt.Sprintf("%d", f.Snap.Workers)
	out[1].now = fmt.Sprintf("%d", f.Snap.Lanes)
	return out
}

func number(v uint32) string { return strconv.FormatUint(uint64(v), 10) }

// drawOutputs draws the recommendation and returns the number of rows.
func (l *Look) drawOutputs(a cells.Area, f *Frame, v *Launch) int {
	a.Text(0, 0, "output", theme.Strong)
	a.Text(14, 0, "in force", theme.Strong)
	a.Text(28, 0, "recommended", theme.Strong)
	if v.Err != nil {
		return 1 + Wrap(a.Sub(cells.Rect{Y: 1, W: a.W, H: a.H - 1}), v.Err.Error(), theme.Danger)
	}
	outputs := v.outputs(f)
	for i, o := range outputs {
		line := a.Line(i + 1)
		line.Text(0, 0, o.name, theme.Dim)
		now := o.now
		if i >= 2 { // only the first two are in force; the others are derived from what is observed
			now = ""
		}
		line.Fit(14, 0, 13, []byte(now), false, l.Glyphs.Ellipsis, theme.Plain)
		style := theme.Accent
		if o.then == o.now {
			style = theme.Plain
		}
		line.Fit(28, 0, line.W-28, []byte(o.then), false, l.Glyphs.Ellipsis, style)
	}
	return len(outputs) + 1
}

// drawReasons lists the rules that fired, each with its conditions and how far they are from no
// longer holding.
func (l *Look) drawReasons(a cells.Area, v *Launch) {
	if len(v.Reasons) == 0 {
		return
	}
	a.Text(0, 0, "because", theme.Strong)
	_, rest := a.SplitTop(1)
	for _, r := range v.Reasons {
		if rest.H <= 0 {
			return
		}
		x := rest.Text(0, 0, r.Sets+" = ", theme.Plain)
		rest.Text(x, 0, r.To, theme.Accent)
		_, rest = rest.SplitTop(1)
		for _, c := range r.Conditions {
			n := Wrap(rest.Sub(cells.Rect{X: 2, W: rest.W - 2, H: rest.H}), c.String(), theme.Dim)
			_, rest = rest.SplitTop(n)
		}
	}
}

// Suppose puts a value in the place of the observed one.
func (s *LaunchState) Suppose(i int, value uint64) {
	s.WhatIf = maps.Clone(s.WhatIf)
	if s.WhatIf == nil {
		s.WhatIf = map[int]uint64{}
	}
	s.WhatIf[i] = min(value, LaunchInputs[i].Most)
}

// Value is what the recommendation is made from.
func (v *Launch) Value(i int) uint64 { return LaunchInputs[i].get(&v.Supposed) }

// InputNames lists the names of the inputs.
func InputNames() []string {
	names := make([]string, len(LaunchInputs))
	for i, in := range LaunchInputs {
		names[i] = in.Name
	}
	return names
}

// FindInput is the number of the input with a name.
func FindInput(name string) (int, bool) {
	i := slices.IndexFunc(LaunchInputs, func(in LaunchInput) bool { return in.Name == name })
	return max(i, 0), i >= 0
}
