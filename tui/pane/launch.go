package pane

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/policy"
	"vyretop/megakernel/recommend"
	"vyretop/megakernel/stats"
	"vyretop/megakernel/tune"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
)

// Launch is a recommendation for what a frame shows, and one for what the user supposes.
type Launch struct {
	Observed, Supposed policy.Request
	Now, Then          policy.Recommendation
	Reasons            []policy.Reason // of Then
	Err                error           // why there is no Then

	asked   bool     // the policy was asked about Observed and Supposed
	because []string // the conditions of all reasons, one behind the other
	text    []byte   // what because was made in
}

// NewLaunch asks the policy about a frame.
func NewLaunch(f *Frame, s *LaunchState) *Launch { return new(Launch).Renew(f, s) }

// Renew is NewLaunch in the memory of an earlier answer, which it returns, and which stays where the question is
// the same.
func (v *Launch) Renew(f *Frame, s *LaunchState) *Launch {
	if f.Snap == nil {
		*v = Launch{}
		return v
	}
	before := [...]policy.Request{v.Observed, v.Supposed}
	v.Observed = f.request()
	v.Supposed = v.Observed
	for i, value := range s.WhatIf {
		policy.Members[i].Set(&v.Supposed, value)
	}
	if v.asked && before == [...]policy.Request{v.Observed, v.Supposed} {
		return v
	}
	v.asked = true
	p := policy.StandardPolicy()
	v.Now, _ = p.Recommend(&v.Observed, policy.NoTopology) // an error shows as no recommendation
	v.Then, v.Reasons, v.Err = p.Explain(&v.Supposed, policy.NoTopology)
	v.write()
	return v
}

// write makes the texts of the conditions, all in one piece of memory.
func (v *Launch) write() {
	v.text, v.because = v.text[:0], v.because[:0]
	for _, r := range v.Reasons {
		for _, c := range r.Conditions {
			v.text = append(c.Append(v.text), '\n')
		}
	}
	for line := range strings.Lines(string(v.text)) {
		v.because = append(v.because, line[:len(line)-1])
	}
}

// AdviceTexts are a recommended shape with its expected gain, as in "2×8 +80%", and a line about it; times is the sign between. The first is ""
// where no other shape than the one in force is recommended.
func AdviceTexts(a *recommend.Advice, now megakernel.Shape, times rune) (short, note string) {
	if a.Held {
		return "", "nothing is recommended: " + a.Reason
	}
	if !a.Worthwhile(now) {
		return "", "nothing else is recommended: " + a.Reason
	}
	short = fmt.Sprintf("%d%c%d %+.0f%%", a.Shape.Workers, times, a.Shape.Lanes, 100*(a.Gain-1))
	return short, "recommended " + short + " (" + string(a.Confidence) + "): " + a.Reason
}

// request is what a frame says about a launch on this target: the limits are those within which it
// can be retuned.
func (f *Frame) request() policy.Request {
	r := policy.Request{QueueLen: uint32(f.Queued), Groups: uint32(max(f.Snap.Workers, 0)), Limits: policy.MinimumLimits, HitsPerItem: 1}
	if n := f.Target.WorkgroupSize; n > 0 {
		r.MaxWidth = uint32(n)
	}
	if n := f.Target.MaxWorkers; n > 0 {
		r.MaxGroups = uint32(n)
	}
	for _, g := range f.SlotCounts.Priorities {
		r.MaxPriorityAge = max(r.MaxPriorityAge, g.Oldest)
	}
	var decoder stats.Decoder
	var reading stats.Reading
	if decoder.Decode(&reading, f.Snap.Control, f.Snap.Slots) == nil {
		reading.Feed(&r)
	}
	stats.FeedGraph(f.Snap.Progress.Graph, &r)
	return r
}

// Shape is what the target can be given: the live recommendation, or what the policy says about supposed inputs. Zero
// where there is no other shape than the one in force.
func (v *Launch) Shape(f *Frame, s *LaunchState) (workers, lanes int) {
	if len(s.WhatIf) == 0 {
		if f.Advised == "" {
			return 0, 0
		}
		return f.Advice.Shape.Workers, f.Advice.Shape.Lanes
	}
	if v.Err != nil {
		return 0, 0
	}
	return int(v.Then.Geometry.Grid[0]), int(v.Then.Geometry.WorkgroupSizeX)
}

// Columns of the inputs.
const (
	inputName  = 2
	inputSeen  = 26
	inputValue = 34
	inputWidth = 42
)

// LaunchReasons is the column in which what follows from the inputs begins.
const LaunchReasons = inputWidth + 1

// Columns of what follows from them: 80 columns of the screen have room for the longest words.
const (
	outputNow  = 13
	outputThen = 22
)

// LaunchHead is the rows above the first input.
const LaunchHead = 2

// DrawLaunch draws the inputs, what follows from them, and why. It returns how many rows the reasons take, and how many
// it has for them.
func (l *Look) DrawLaunch(a cells.Area, f *Frame, v *Launch, s *LaunchState) (rows, page int) {
	note := f.AdviceNote
	if len(s.WhatIf) > 0 {
		note = "policy: " + strconv.Itoa(len(s.WhatIf)) + " of the inputs supposed; Delete takes the observed value again"
	}
	rest := l.title(a, "Launch", note)
	if f.Snap == nil {
		l.empty(rest, "The recommendation is made from the first snapshot.")
		return 0, 0
	}
	left := rest.Sub(cells.Rect{W: min(inputWidth, rest.W), H: rest.H})
	l.drawInputs(left, v, s)
	_, below := left.SplitTop(len(policy.Members) + 2)
	right := rest.Sub(cells.Rect{X: LaunchReasons, W: rest.W - LaunchReasons, H: rest.H})
	_, rest = right.SplitTop(l.drawOutputs(right, f, v) + 1)
	switch {
	case below.H >= comparedRows:
		l.drawCompared(below, s)
	case s.Compared != nil: // what was measured comes before the reasons
		l.drawCompared(rest, s)
		_, rest = rest.SplitTop(comparedRows + 1)
	}
	return l.drawReasons(rest, f, v, s), max(rest.H-1, 0)
}

// comparedRows is how many rows a comparison takes.
const comparedRows = 4

// drawCompared draws what two shapes got done in turns.
func (l *Look) drawCompared(a cells.Area, s *LaunchState) {
	c := s.Compared
	x := a.Text(1, 0, "measured", theme.Strong)
	if c != nil && c.Unit != "" {
		a.Text(x+1, 0, c.Unit+"/s", theme.Dim)
	}
	_, rest := a.SplitTop(1)
	if c == nil {
		text := "V runs the shape in force and the recommended one in turns and compares them."
		if !s.Steers {
			text = "Nothing was compared: that takes a live target, and the right to steer it."
		}
		Wrap(rest.Sub(cells.Rect{X: 2, W: rest.W - 3, H: rest.H}), text, theme.Dim)
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
	}
	verdict := theme.Plain
	if c.Verdict() == tune.BFaster {
		verdict = theme.Good
	}
	x = rest.Text(2, 2, string(c.Verdict()), verdict)
	rest.Text(x+1, 2, Change(c), theme.Dim)
}

// inputNames are the names of the members of a request, which the view draws often.
var inputNames = func() (names [][]byte) {
	for _, name := range policy.MemberNames() {
		names = append(names, []byte(name))
	}
	return names
}()

func (l *Look) drawInputs(a cells.Area, v *Launch, s *LaunchState) {
	var text [units.CountWidth + 2]byte
	a.Text(inputName, 0, "input", theme.Strong)
	a.Fit(inputSeen, 0, units.CountWidth+2, []byte("now"), true, l.Glyphs.Ellipsis, theme.Strong)
	a.Fit(inputValue, 0, units.CountWidth+2, []byte("what if"), true, l.Glyphs.Ellipsis, theme.Strong)
	top := s.topInput(a.H - 1)
	l.DrawMore(a.Sub(cells.Rect{W: inputSeen - 1, H: 1}), top, len(policy.Members)-top-(a.H-1))
	for i := top; i < len(policy.Members); i++ {
		line, in := a.Line(i-top+1), &policy.Members[i]
		seen := in.Get(&v.Observed)
		line.Fit(inputName, 0, inputSeen-inputName-1, inputNames[i], false, l.Glyphs.Ellipsis, theme.Plain)
		value := units.AppendCount(text[:0], seen)
		if in.ZeroUnknown && seen == 0 {
			value = append(text[:0], '-')
		}
		line.Fit(inputSeen, 0, units.CountWidth+2, value, true, l.Glyphs.Ellipsis, countStyle(seen))
		if value, ok := s.WhatIf[i]; ok {
			line.Fit(inputValue, 0, units.CountWidth+2, units.AppendCount(text[:0], value), true, l.Glyphs.Ellipsis, theme.Changed)
		}
		if i == s.Selected {
			line.Set(0, 0, l.Glyphs.Cursor, theme.Strong)
			line.Restyle(selectedStyle)
		}
	}
}

// outputs are the lines of a recommendation.
var outputs = [...]struct {
	name   string
	append func([]byte, *policy.Recommendation) []byte
}{
	{"workers", func(b []byte, r *policy.Recommendation) []byte { return appendNumber(b, int(r.Geometry.Grid[0])) }},
	{"lanes", func(b []byte, r *policy.Recommendation) []byte {
		return appendNumber(b, int(r.Geometry.WorkgroupSizeX))
	}},
	{"slots", func(b []byte, r *policy.Recommendation) []byte { return appendNumber(b, int(r.Geometry.SlotCount)) }},
	{"topology", func(b []byte, r *policy.Recommendation) []byte { return append(b, r.Topology.String()...) }},
	{"pressure", func(b []byte, r *policy.Recommendation) []byte { return append(b, r.Pressure.String()...) }},
	{"execution", func(b []byte, r *policy.Recommendation) []byte { return append(b, r.Mode.String()...) }},
	{"hit capacity", func(b []byte, r *policy.Recommendation) []byte { return appendNumber(b, int(r.HitCapacity)) }},
	{"peak bytes", func(b []byte, r *policy.Recommendation) []byte { return units.AppendCount(b, r.PeakBytes) }},
}

func appendNumber(dst []byte, v int) []byte { return strconv.AppendInt(dst, int64(v), 10) }

// appendNow appends what output i is at present: the first two are in force, the others follow from what is observed.
func (v *Launch) appendNow(dst []byte, f *Frame, i int) (text []byte, inForce bool) {
	switch i {
	case 0:
		return appendNumber(dst, f.Snap.Workers), true
	case 1:
		return appendNumber(dst, f.Snap.Lanes), true
	default:
		return outputs[i].append(dst, &v.Now), false
	}
}

// drawOutputs draws the recommendation and returns the number of rows.
func (l *Look) drawOutputs(a cells.Area, f *Frame, v *Launch) int {
	a.Text(0, 0, "output", theme.Strong)
	a.Text(outputNow, 0, "in force", theme.Strong)
	a.Text(outputThen, 0, "launch policy", theme.Strong)
	if v.Err != nil {
		return 1 + Wrap(a.Sub(cells.Rect{Y: 1, W: a.W, H: a.H - 1}), v.Err.Error(), theme.Danger)
	}
	for i := range outputs {
		line := a.Line(i + 1)
		line.Text(0, 0, outputs[i].name, theme.Dim)
		v.text = outputs[i].append(v.text[:0], &v.Then)
		n := len(v.text)
		var inForce bool
		v.text, inForce = v.appendNow(v.text, f, i)
		then, now := v.text[:n], v.text[n:]
		if inForce {
			line.Fit(outputNow, 0, outputThen-outputNow-1, now, false, l.Glyphs.Ellipsis, theme.Plain)
		}
		style := theme.Accent
		if bytes.Equal(then, now) {
			style = theme.Plain
		}
		line.Fit(outputThen, 0, line.W-outputThen, then, false, l.Glyphs.Ellipsis, style)
	}
	return len(outputs) + 1
}

// drawReasons lists the rules that fired, each with its conditions and how far they are from no longer holding, but for
// the rows above top. It returns how many rows there are.
func (l *Look) drawReasons(a cells.Area, f *Frame, v *Launch, s *LaunchState) int {
	top := s.Top
	if len(v.Reasons) == 0 {
		return 0
	}
	if f.Pulse != Beating && len(s.WhatIf) == 0 { // no shape will be launched
		return 0
	}
	head, body := a.SplitTop(1)
	head.Text(0, 0, "because", theme.Strong)
	conditions := body.Sub(cells.Rect{X: 2, W: body.W - 2, H: body.H})
	y, because := -top, v.because
	for _, r := range v.Reasons {
		x := body.Text(0, y, r.Sets, theme.Plain)
		x = body.Text(x, y, " = ", theme.Plain)
		body.Text(x, y, r.To, theme.Accent)
		y++
		for _, c := range because[:len(r.Conditions)] {
			y += wrapFrom(conditions, y, c, theme.Dim)
		}
		because = because[len(r.Conditions):]
	}
	l.DrawMore(head, top, y-body.H)
	return y + top
}

// Value is what the recommendation is made from.
func (v *Launch) Value(i int) uint64 { return policy.Members[i].Get(&v.Supposed) }
