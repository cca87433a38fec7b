package view

import (
	"strconv"
	"time"
	"unicode/utf8"

	"vyretop/megakernel"
	"vyretop/megakernel/tune"
	"vyretop/tui/alert"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
	"vyretop/tui/units"
)

// Status is what the header says besides the data of the frame.
type Status struct {
	Title    string
	Age      time.Duration // since the newest snapshot was taken
	Stale    bool          // no newer snapshot came although one should have
	Frozen   bool          // the view is pinned to an older snapshot
	Behind   time.Duration // how much newer the newest snapshot is
	ReadOnly bool
	Replay   *Replay          // nil for a live target
	Effect   *tune.Comparison // what looking costs the target, nil when it was not measured
	Alerts   []alert.Alert    // that hold and were not acknowledged
}

// segment is a piece of a line. Pieces with the smallest keep are left out when space is short; 0
// is never left out.
type segment struct {
	text  string
	style cells.Style
	keep  int
	draw  func(cells.Area) // instead of text, into width columns
	width int
}

func (s *segment) columns() int {
	if s.draw != nil {
		return s.width
	}
	return utf8.RuneCountInString(s.text)
}

// drawSegments draws pieces from left to right with one space between, and returns the column after
// the last one.
func drawSegments(a cells.Area, segments []segment) int {
	x := 0
	for _, s := range fitSegments(segments, a.W) {
		if s.draw != nil {
			s.draw(a.Sub(cells.Rect{X: x, W: s.width, H: 1}))
			x += s.width
		} else {
			x = a.Text(x, 0, s.text, s.style)
		}
		x++
	}
	return x
}

func fitSegments(segments []segment, width int) []segment {
	out := append([]segment(nil), segments...)
	for {
		total, drop := -1, -1
		for i := range out {
			total += out[i].columns() + 1
			if out[i].keep > 0 && (drop < 0 || out[i].keep <= out[drop].keep) {
				drop = i
			}
		}
		if total <= width || drop < 0 {
			return out
		}
		out = append(out[:drop], out[drop+1:]...)
	}
}

// DrawHeader draws one or two rows: what the target is and does, and how far the screen can be
// trusted.
func (l *Look) DrawHeader(a cells.Area, f *Frame, st *Status) {
	top := a.Line(0)
	badges := badges(f, st)
	free := top.W
	for _, b := range badges {
		free -= utf8.RuneCountInString(b.text) + 1
	}
	line := l.identity(f, st)
	if a.H == 1 {
		line = l.summary(f)
	}
	drawSegments(top.Sub(cells.Rect{W: free, H: 1}), line)
	drawSegments(top.Sub(cells.Rect{X: max(free, 0) + 1, W: top.W, H: 1}), badges)
	drawSegments(a.Line(1), l.activity(f, st))
}

func (l *Look) identity(f *Frame, st *Status) []segment {
	out := []segment{
		{text: st.Title, style: theme.Title, keep: 2},
		{text: f.Target.Workload, style: theme.Strong},
		{text: f.Target.Backend, keep: 5},
		{text: f.Target.Renderer, style: theme.Dim, keep: 1},
	}
	if f.Snap != nil {
		out = append(out, segment{text: f.phaseText(), style: phaseStyle(f.Snap.Phase), keep: 6})
	}
	kept := out[:0]
	for _, s := range out {
		if s.text != "" {
			kept = append(kept, s)
		}
	}
	return kept
}

// phaseText names the phase and, for a target that waits, whether anything is left to do.
func (f *Frame) phaseText() string {
	s := f.Snap
	ended := s.Counters[megakernel.CountDone] + s.Counters[megakernel.CountFaulted]
	if s.Phase == megakernel.PhaseParked && ended > 0 && ended >= s.Submitted+s.Counters[megakernel.CountSpawned] {
		return "parked, all done"
	}
	return s.Phase.String()
}

func phaseStyle(p megakernel.Phase) cells.Style {
	switch p {
	case megakernel.PhaseResident:
		return theme.Good
	case megakernel.PhaseLost:
		return theme.BadgeWarn
	case megakernel.PhaseDraining, megakernel.PhaseStarting:
		return theme.Warning
	default:
		return theme.Dim
	}
}

const gaugeWidth = 10

// activity is the second row: numbers that move, each in a field of fixed width.
func (l *Look) activity(f *Frame, st *Status) []segment {
	if f.Snap == nil {
		return []segment{{text: "waiting for the first snapshot of the target" + string(l.Glyphs.Ellipsis), style: theme.Dim}}
	}
	s := f.Snap
	out := []segment{
		{text: strconv.Itoa(s.Workers) + string(l.Glyphs.Times) + strconv.Itoa(s.Lanes), style: theme.Strong},
		{text: "lanes", style: theme.Dim, keep: 9},
		{draw: func(a cells.Area) { l.drawOccupancy(a, f) }, width: gaugeWidth + 5, keep: 10},
		{text: padLeft(rateText(f), units.CountWidth), style: theme.Accent},
		{text: "tasks/s", style: theme.Dim},
		{text: padLeft(activationText(f), units.CountWidth) + " acts/s", style: theme.Dim, keep: 1},
		{text: "epoch " + strconv.FormatUint(uint64(s.Epoch()), 10), keep: 8},
		{text: "slice " + strconv.FormatUint(uint64(s.Slice), 10), keep: 5},
	}
	if s.Consistent && !st.Stale {
		out = append(out, segment{text: "consistent", style: theme.Dim, keep: 7})
	}
	if st.Replay == nil && !st.Frozen && !st.Stale {
		out = append(out, segment{text: "age " + padLeft(units.Age(st.Age), 5), style: theme.Dim, keep: 6})
	}
	out = append(out, segment{text: "up " + padLeft(units.Duration(s.Taken), units.DurationWidth), style: theme.Dim, keep: 4})
	if f.Stats.RatesKnown {
		rate := string(units.AppendRate(nil, f.Stats.SnapshotsPerSecond))
		out = append(out, segment{text: padLeft(rate, 3) + " reads/s", style: theme.Dim, keep: 3})
	}
	if st.Effect != nil {
		out = append(out, segment{text: "looking " + Change(st.Effect), style: theme.Dim, keep: 6})
	}
	out = append(out, segment{text: "of " + padLeft(units.Duration(s.CopyTime), units.DurationWidth), style: theme.Dim, keep: 2})
	return out
}

func rateText(f *Frame) string {
	if !f.Stats.RatesKnown {
		return "-"
	}
	return string(units.AppendRate(nil, f.Stats.TasksPerSecond))
}

func activationText(f *Frame) string {
	if !f.Stats.RatesKnown {
		return "-"
	}
	return string(units.AppendRate(nil, f.Stats.ActivationsPerSecond))
}

func padLeft(s string, width int) string {
	for len(s) < width {
		s = " " + s
	}
	return s
}

// drawOccupancy shows how many of its lanes a claim filled on average.
func (l *Look) drawOccupancy(a cells.Area, f *Frame) {
	gauge := a.Sub(cells.Rect{W: gaugeWidth, H: 1})
	if !f.Stats.OccupancyKnown || f.Snap.Lanes <= 0 {
		gauge.Fill(l.Glyphs.Rest, theme.Dim)
		a.Text(gaugeWidth+1, 0, "   -", theme.Dim)
		return
	}
	share := f.Stats.LanesPerClaim / float64(f.Snap.Lanes)
	gauge.Gauge(share, l.Glyphs.Bar, l.Glyphs.Rest, theme.Graph, theme.Dim)
	a.Fit(gaugeWidth+1, 0, 4, units.AppendPercent(nil, share), true, l.Glyphs.Ellipsis, theme.Plain)
}

// summary is the header where there is one row for it.
func (l *Look) summary(f *Frame) []segment {
	if f.Snap == nil {
		return []segment{{text: f.Target.Workload, style: theme.Strong}, {text: "starting", style: theme.Warning}}
	}
	return []segment{
		{text: rateText(f) + " t/s", style: theme.Accent},
		{text: f.phaseText(), style: phaseStyle(f.Snap.Phase), keep: 5},
		{text: units.Count(uint64(f.Queued)) + " queued", keep: 4},
		{text: strconv.Itoa(f.Snap.Workers) + string(l.Glyphs.Times) + strconv.Itoa(f.Snap.Lanes), style: theme.Dim, keep: 2},
		{text: f.Target.Workload, style: theme.Dim, keep: 1},
	}
}

// DrawStatusLine draws the whole dashboard in one row, for a terminal that holds no more.
func (l *Look) DrawStatusLine(a cells.Area, f *Frame, st *Status) {
	segments := l.summary(f)
	for _, b := range badges(f, st) {
		b.keep = 10
		segments = append(segments, b)
	}
	drawSegments(a, segments)
}
