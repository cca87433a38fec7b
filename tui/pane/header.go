package pane

import (
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/alert"
	"vyretop/megakernel/tune"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
)

// Status is what the header says besides the data of the frame.
type Status struct {
	Title    string
	Age      time.Duration // since the newest snapshot was taken
	Lost     bool          // there is no connection to the target,
	LostFor  time.Duration // for that long
	Stale    bool          // no newer snapshot came although one should have
	Frozen   bool          // the view is pinned to an older snapshot
	Past     bool          // an older snapshot is looked at
	Behind   time.Duration // how much newer the newest snapshot is
	ReadOnly bool
	Replay   *Replay          // nil for a live target
	Effect   *tune.Comparison // what looking costs the target, nil when it was not measured
	Alerts   []alert.Alert    // that hold and were not acknowledged
	Breaks   int              // breakpoints that are armed
	Pending  int              // of them that wait to be in force
	Hits     uint64           // of breakpoints, that the user has not looked at
	Records  bool             // the target is being recorded
	Held     int              // tasks that breakpoints hold, of a target that is parked
	ByHand   int              // tasks of it that stay paused until a command names them
	Halted   bool             // all workers of a target that is parked are paused
	Resume   string           // the key that resumes what is held or paused, "" where none does
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
	left := top.Sub(cells.Rect{W: free, H: 1})
	var buffer line
	if a.H == 1 {
		l.drawSegments(left, f, l.summary(buffer[:0], f))
	} else {
		l.drawSegments(left, f, identity(buffer[:0], f, st))
	}
	l.drawSegments(top.Sub(cells.Rect{X: max(free, 0) + 1, W: top.W, H: 1}), f, badges)
	l.drawSegments(a.Line(1), f, l.activity(buffer[:0], f, st))
}

func identity(out []segment, f *Frame, st *Status) []segment {
	for _, s := range [...]segment{
		plain(st.Title, theme.Title, 2), plain(f.Target.Workload, theme.Strong, 0), plain(f.Target.Backend, theme.Plain, 5), dim(f.Target.Renderer, 1),
	} {
		if s.text != "" {
			out = append(out, s)
		}
	}
	if f.Snap == nil {
		return out
	}
	out = f.appendShares(out)
	return f.appendVitals(appendTrust(append(out, plain(f.phaseText()+st.heldText(), f.phaseStyle(), 6)), f, st))
}

// appendShares adds what each of several devices has done.
func (f *Frame) appendShares(out []segment) []segment {
	for i, s := range f.Snap.Shares {
		name := "device " + strconv.Itoa(i) + " "
		if s.Phase == megakernel.PhaseLost {
			out = append(out, plain(name+"lost", theme.BadgeWarn, 9))
			continue
		}
		var b [8]byte
		out = append(out, segment{text: name, after: " done", keep: 9}.with(units.CountWidth, units.AppendCount(b[:0], s.Done)))
	}
	return out
}

// heldText says why a target is parked that breakpoints hold, and how it is resumed, or one whose workers are paused.
func (st *Status) heldText() string {
	switch {
	case st.Held == 0 && st.Halted && st.Resume != "":
		return ", " + st.Resume + " resumes"
	case st.Held == 0 && st.ByHand > 0:
		return ", " + units.Plural(st.ByHand, "task") + " paused"
	case st.Held == 0:
		return ""
	case st.Resume == "":
		return ", " + units.Count(uint64(st.Held)) + " held by breakpoints"
	}
	return ", " + units.Count(uint64(st.Held)) + " held by breakpoints: " + st.Resume + " resumes"
}

// appendTrust adds how far the words on the screen can be trusted.
func appendTrust(out []segment, f *Frame, st *Status) []segment {
	if f.Snap.Consistent && !st.Stale {
		out = append(out, dim("consistent", 3))
	}
	if st.Replay == nil && !st.Frozen && !st.Past && !st.Stale {
		var b [8]byte
		out = append(out, dim("age ", 4).with(5, units.AppendAge(b[:0], st.Age)))
	}
	return out
}

// phaseText names the phase and, for a target that waits, whether anything is left to do.
func (f *Frame) phaseText() string {
	s := f.Snap
	if f.Pulse == Lost { // what it was doing when it was last heard of
		return "was " + s.Phase.String()
	}
	if s.Phase == megakernel.PhaseParked && f.AllEnded() {
		return "parked, all done"
	}
	return s.Phase.String()
}

// AllEnded reports whether there were tasks and all of them have ended.
func (f *Frame) AllEnded() bool {
	c := &f.Snap.Counters
	ended := c[megakernel.CountDone] + c[megakernel.CountFaulted]
	return ended > 0 && ended >= f.Snap.Submitted+c[megakernel.CountSpawned]
}

func (f *Frame) phaseStyle() cells.Style {
	p := f.Snap.Phase
	if f.Pulse == Lost {
		p = megakernel.PhaseLost
	}
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
func (l *Look) activity(out []segment, f *Frame, st *Status) []segment {
	if f.Snap == nil {
		return append(out, dim("waiting for the first snapshot of the target"+string(l.Glyphs.Ellipsis), 0))
	}
	var b [24]byte
	out = append(out,
		plain("", theme.Strong, 0).with(0, l.appendShape(b[:0], f)), dim(f.gaugeName(), 11), segment{gauge: true, keep: 12},
	)
	if clock := f.clock(); clock != "" {
		out = append(out, dim(clock, 9))
	}
	if text, ok := f.compiling(); ok {
		out = append(out, plain(text, theme.Warning, 13))
	}
	if f.Advised != "" {
		out = append(out, plain("rec ", theme.Warning, 10).with(0, append(b[:0], f.Advised...)))
	}
	out = append(out,
		plain("", theme.Accent, 0).with(units.CountWidth, appendRate(b[:0], f, f.Stats.TasksPerSecond)), dim("tasks/s", 0),
		segment{after: " acts/s", style: theme.Dim, keep: 1}.with(units.CountWidth, appendRate(b[:0], f, f.Stats.ActivationsPerSecond)),
		plain("epoch ", theme.Plain, 8).with(0, strconv.AppendUint(b[:0], uint64(f.Snap.Epoch()), 10)),
		plain("slice ", theme.Plain, 5).with(0, strconv.AppendUint(b[:0], uint64(f.Snap.Slice), 10)),
	)
	if off := f.Snap.Logging.Text(); off != "" {
		out = append(out, dim("log "+off, 9))
	}
	return appendCost(f.appendUse(out), f, st)
}

// percentWidth is the width of a percentage.
const percentWidth = 4

// gaugeName says what the gauge shows: the time that workers are busy, or where they do not count it, the lanes
// that claims fill.
func (f *Frame) gaugeName() string {
	if f.Target.Clock != "" {
		return "busy"
	}
	return "lanes"
}

// appendUse adds how many lanes claims fill, where the gauge does not show that.
func (f *Frame) appendUse(out []segment) []segment {
	if _, ok := f.occupied(); !ok {
		return out
	}
	if share, ok := f.filled(); ok {
		var b [8]byte
		out = append(out, dim("lanes ", 4).with(percentWidth, units.AppendPercent(b[:0], share)))
	}
	return out
}

// appendCost adds how long the target runs, and what reading it costs.
func appendCost(out []segment, f *Frame, st *Status) []segment {
	var b [24]byte
	s := f.Snap
	out = append(out, dim("up ", 4).with(units.DurationWidth, units.AppendDuration(b[:0], s.Taken)))
	if f.Stats.RatesKnown {
		reads := segment{after: " reads/s", style: theme.Dim, keep: 3}
		out = append(out, reads.with(3, units.AppendRate(b[:0], f.Stats.SnapshotsPerSecond)))
	}
	if f.Pulse == Beating && f.Stats.RatesKnown { // how long each of the reads takes
		out = append(out, dim("of ", 2).with(units.DurationWidth, units.AppendDuration(b[:0], s.CopyTime)))
	}
	if st.Effect != nil {
		out = append(out, dim("overhead "+Overhead(st.Effect), 6))
	}
	return out
}

// appendShape writes the workers and the lanes of each: "6×4", or "6×2 of 4" where they are not all of the workgroup.
func (l *Look) appendShape(dst []byte, f *Frame) []byte {
	dst = l.appendTimes(dst, f.Snap.Workers, f.Snap.Lanes)
	if n := f.Snap.Workgroup; n > f.Snap.Lanes {
		dst = strconv.AppendInt(append(dst, " of "...), int64(n), 10)
	}
	return dst
}

// compiling says which kernel variant is being compiled; ok is false where none is.
func (f *Frame) compiling() (text string, ok bool) {
	c := f.Snap.Compiling
	if c == (megakernel.Compiling{}) {
		return "", false
	}
	if c.Interim {
		return fmt.Sprintf("compiling %d s, interpreter runs", int(c.Elapsed.Seconds())), true
	}
	if c.Workgroup == f.Snap.Workgroup {
		return fmt.Sprintf("compiling %d s", int(c.Elapsed.Seconds())), true
	}
	return fmt.Sprintf("compiling %s %d s", units.Plural(c.Workgroup, "lane"), int(c.Elapsed.Seconds())), true
}

// appendTimes writes a product: "6×4".
func (l *Look) appendTimes(dst []byte, a, b int) []byte {
	return strconv.AppendInt(utf8.AppendRune(strconv.AppendInt(dst, int64(a), 10), l.Glyphs.Times), int64(b), 10)
}

func appendRate(dst []byte, f *Frame, rate float64) []byte {
	if !f.Stats.RatesKnown {
		return append(dst, '-')
	}
	return units.AppendRate(dst, rate)
}

// drawOccupancy shows the gauge.
func (l *Look) drawOccupancy(a cells.Area, f *Frame) {
	gauge := a.Sub(cells.Rect{W: gaugeWidth, H: 1})
	share, ok := f.occupied()
	if f.Target.Clock == "" {
		share, ok = f.filled()
	}
	if !ok {
		gauge.Fill(l.Glyphs.Rest, theme.Dim)
		a.Text(gaugeWidth+1, 0, "   -", theme.Dim)
		return
	}
	var b [8]byte
	gauge.Gauge(share, l.Glyphs.Bar, l.Glyphs.Rest, theme.Graph, theme.Dim)
	a.Fit(gaugeWidth+1, 0, percentWidth, units.AppendPercent(b[:0], share), true, l.Glyphs.Ellipsis, theme.Plain)
}

// summary is the header where there is one row for it.
func (l *Look) summary(out []segment, f *Frame) []segment {
	if f.Snap == nil {
		return append(out, plain(f.Target.Workload, theme.Strong, 0), plain("starting", theme.Warning, 0))
	}
	var b [24]byte
	return append(out,
		segment{after: " t/s", style: theme.Accent}.with(0, appendRate(b[:0], f, f.Stats.TasksPerSecond)),
		plain(f.phaseText(), f.phaseStyle(), 5),
		segment{after: " queued", keep: 4}.with(0, units.AppendCount(b[:0], uint64(f.Queued))),
		dim("", 2).with(0, l.appendShape(b[:0], f)), dim(f.Target.Workload, 1),
	)
}

// DrawStatusLine draws the whole dashboard in one row, for a terminal that holds no more.
func (l *Look) DrawStatusLine(a cells.Area, f *Frame, st *Status) {
	var buffer line
	segments := l.summary(buffer[:0], f)
	for _, b := range badges(f, st) {
		b.keep = 10
		segments = append(segments, b)
	}
	l.drawSegments(a, f, segments)
}
