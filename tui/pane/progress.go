package pane

import (
	"math"
	"strings"
	"time"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/safe"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
)

// Outcome is what is known of the result of a run: nothing before its work has ended.
type Outcome struct {
	Result string // how much work was done in which time; "" before the end
	Digest string // of the result, "" for none
	verdict
	Detail  string // of the verification
	Written string // which files have the result, or why one has not; "" where none was asked for
}

// verdict says what verification found.
type verdict uint8

const (
	unverified verdict = iota
	verified
	failedVerification
	verifying // it was not done at that time
)

// Take takes in an event of the target.
func (o *Outcome) Take(e *megakernel.HostEvent) {
	switch e.Kind {
	case megakernel.EventResult:
		*o = Outcome{Result: safe.Text(e.Text), Digest: safe.Text(e.Digest), Written: o.Written, verdict: verifying}
	case megakernel.EventWritten:
		o.note(safe.Text(e.Text))
	case "error":
		if strings.HasPrefix(e.Text, megakernel.NotWritten) {
			o.note(safe.Text(e.Text))
		}
		if o.verdict == verifying && strings.HasPrefix(e.Text, megakernel.NotVerifiable) {
			o.verdict = unverified
		}
	case megakernel.EventVerified:
		o.verdict, o.Detail = verified, safe.Text(e.Text)
	case megakernel.EventVerificationFailed:
		o.verdict, o.Detail = failedVerification, safe.Text(e.Text)
	}
}

// note adds what was written, unless it is said already.
func (o *Outcome) note(text string) {
	switch {
	case strings.Contains(o.Written, text):
	case o.Written == "":
		o.Written = text
	default:
		o.Written += "; " + text
	}
}

// explained is what verification found and what was written.
func (o *Outcome) explained() string {
	if o.Detail != "" && o.Written != "" {
		return o.Detail + "; " + o.Written
	}
	return o.Detail + o.Written
}

// Over reports whether the work has ended.
func (o *Outcome) Over() bool { return o.Result != "" || o.verdict != unverified }

// Failed reports whether the result was found to be wrong.
func (o *Outcome) Failed() bool { return o.verdict == failedVerification }

// ProgressRows is how many rows the progress of a frame takes: none where nothing is known, and a second one for the
// verification of the result where the screen is tall.
func (f *Frame) ProgressRows(tall bool) int {
	switch {
	case f.Snap == nil, !f.Snap.Progress.Known() && !f.Outcome.Over():
		return 0
	case tall && f.Outcome.Over() && f.Outcome.explained() != "":
		return 2
	}
	return 1
}

// DrawProgress draws how far the work is and how fast, or what came of it.
func (l *Look) DrawProgress(a cells.Area, f *Frame) {
	if a.Empty() || f.Snap == nil {
		return
	}
	var buffer line
	if f.Outcome.Over() {
		l.drawOutcome(a, &f.Outcome, f.Pulse != Lost)
		return
	}
	segments := l.progress(buffer[:0], f)
	segments = fitSegments(segments, a.W-minBar-1)
	free := a.W - 1
	for i := range segments {
		free -= segments[i].columns() + 1
	}
	if _, ok := f.share(); ok {
		segments[0].bar = max(min(free, maxBar), 0)
	}
	l.drawSegments(a.Line(0), f, segments)
}

// share is the part of the work that is done.
func (f *Frame) share() (share float64, ok bool) {
	if f.Snap == nil {
		return 0, false
	}
	return f.Snap.Progress.Share()
}

// The bar of progress is as long as the rest of the line leaves it.
const minBar, maxBar = 8, 40

// progress are the pieces of the line, of which the first has the bar behind it.
func (l *Look) progress(out []segment, f *Frame) []segment {
	var b [24]byte
	p := f.Snap.Progress
	percent := plain("", theme.Strong, 0)
	if share, ok := p.Share(); ok {
		percent = percent.with(percentWidth, units.AppendPercent(b[:0], math.Floor(100*share)/100)) // not 100 before the end
	}
	out = append(out, percent)
	amount := units.AppendCount(b[:0], uint64(max(p.Done, 0)))
	if p.Total > 0 {
		amount = units.AppendCount(append(amount, '/'), uint64(p.Total))
	}
	unit := safe.Text(p.Unit)
	out = append(out, segment{after: " " + unit, style: theme.Plain}.with(0, amount))
	if !f.Stats.RatesKnown {
		return out
	}
	rate := f.Stats.ProgressPerSecond
	out = append(out, segment{after: "/s", style: theme.Accent}.with(units.CountWidth, units.AppendRate(b[:0], rate)))
	if left, ok := timeLeft(p, rate); ok {
		out = append(out, segment{after: " left", style: theme.Plain, keep: 9}.with(units.DurationWidth, units.AppendDuration(b[:0], left)))
	}
	return append(out, segment{after: " acts/s", style: theme.Dim, keep: 8}.with(units.CountWidth, units.AppendRate(b[:0], f.Stats.ActivationsPerSecond)))
}

// maxLeft is the longest time left that is worth saying.
const maxLeft = 1000 * time.Hour

// timeLeft is how long the rest of the work takes at a rate; ok is false where that cannot be told.
func timeLeft(p megakernel.Progress, perSecond float64) (left time.Duration, ok bool) {
	if p.Total <= p.Done || perSecond <= 0 {
		return 0, false
	}
	seconds := float64(p.Total-p.Done) / perSecond
	return time.Duration(seconds * float64(time.Second)), seconds < maxLeft.Seconds()
}

// shownDigest is how much of a digest a line shows.
const shownDigest = 12

// drawOutcome draws what came of the work; known is whether that is still told.
func (l *Look) drawOutcome(a cells.Area, o *Outcome, known bool) {
	title, style := "FINISHED", theme.Strong
	switch {
	case o.verdict == verifying && known:
		title = "FINISHED, verifying"
	case o.verdict == verified:
		title, style = "FINISHED, verified", theme.Good
	case o.Failed():
		title, style = "FINISHED, VERIFICATION FAILED", theme.Danger
	}
	line := a.Line(0)
	x := line.Text(0, 0, " "+title+" ", style|cells.Reverse) + 1
	if o.Failed() && a.H == 1 {
		line.Fit(x, 0, a.W-x, []byte(o.Detail), false, l.Glyphs.Ellipsis, theme.Danger)
		return
	}
	x = line.Text(x, 0, o.Result, theme.Plain) + 2
	if o.Written != "" && a.H == 1 {
		line.Fit(x, 0, a.W-x, []byte(o.Written), false, l.Glyphs.Ellipsis, theme.Plain)
	} else if o.Digest != "" {
		shown := o.Digest
		if room := a.W - x - len("sha256 "); room < len(shown) {
			shown = shown[:max(min(shownDigest, room-1, len(shown)), 0)] + string(l.Glyphs.Ellipsis)
		}
		line.Fit(x, 0, a.W-x, []byte("sha256 "+shown), false, l.Glyphs.Ellipsis, theme.Dim)
	}
	if a.H > 1 {
		a.Line(1).Fit(1, 0, a.W-1, []byte(o.explained()), false, l.Glyphs.Ellipsis, theme.Dim)
	}
}
