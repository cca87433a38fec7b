package tui

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/tune"
	"vyretop/tui/cells"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// Windows of a measurement: how long one is, and how many pairs of them there are.
const (
	measureWindow = 200 * time.Millisecond
	measurePairs  = 10
)

// measured is the outcome of a measurement.
type measured struct {
	request uint64
	what    string
	compare *tune.Comparison
	err     error
	done    func(*model, *tune.Comparison)
}

func (msg measured) route(m *model) tea.Cmd {
	m.control.onMeasured(msg)
	return nil
}

// measure compares two ways to run the target, in windows that take turns, and leaves it in the first.
func (ct *control) measure(what string, t tune.Target, a, b tune.Candidate, done func(*model, *tune.Comparison)) tea.Cmd {
	id := ct.requests.add(subject{key: noSubject}, measuring, ct.now())
	ct.say(theme.Warning, fmt.Sprintf("%s: measuring for %s", what, units.Duration(2*measurePairs*ct.window)))
	ctx, window := ct.ctx, ct.window
	return func() tea.Msg {
		c, err := tune.Compare(ctx, t, a, b, measurePairs, window)
		if r, ok := t.(interface{ restore(tune.Candidate) error }); ok {
			err = errors.Join(err, r.restore(a))
		}
		if err == nil {
			err = c.Err()
		}
		return measured{request: id, what: what, compare: c, err: err, done: done}
	}
}

func (ct *control) onMeasured(msg measured) {
	delete(ct.requests.open, msg.request)
	if msg.err != nil {
		ct.fail(fmt.Errorf("%s: %w", msg.what, msg.err))
		return
	}
	msg.done(ct.shell, msg.compare)
}

// overheadText says what observing costs, and how it is shown; where that is too vague for an answer, what would help.
func overheadText(c *tune.Comparison) (cells.Style, string) {
	if c.Vague() != nil {
		return theme.Warning, "cannot tell the overhead, " + pane.Overhead(c) + ": longer windows would help"
	}
	return theme.Good, fmt.Sprintf("overhead %s: %s %s/s observed, %s/s alone", pane.Overhead(c), units.Count(uint64(c.RateB)), c.Unit, units.Count(uint64(c.RateA)))
}

// comparedText says what a comparison of two shapes showed, as overheadText does.
func comparedText(what string, c *tune.Comparison) (cells.Style, string) {
	text := fmt.Sprintf("%s: %s, %s", what, c.Verdict(), pane.Change(c))
	if c.Vague() != nil {
		return theme.Warning, text + ": vyretop ab with longer windows would help"
	}
	return theme.Good, text
}

// window counts what a target gets done in a while.
func window(ctx context.Context, meter Meter, atLeast time.Duration) (tune.Sample, error) {
	before, unit := meter.Work()
	began := time.Now()
	timer := time.NewTimer(atLeast)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return tune.Sample{}, ctx.Err()
	}
	after, _ := meter.Work()
	return tune.Sample{Work: float64(after) - float64(before), Time: max(time.Since(began), 1), Unit: unit}, nil
}

// observed measures a target while it is read and while it is not: a candidate without settings
// stands for reading, one with any for leaving it alone.
type observed struct{ meter Meter }

// Measure implements tune.Target.
func (o observed) Measure(ctx context.Context, c tune.Candidate, atLeast time.Duration) (tune.Sample, error) {
	o.meter.Quiet(len(c) > 0)
	defer o.meter.Quiet(false)
	return window(ctx, o.meter, atLeast)
}

// observe measures what observing costs the target.
func (ct *control) observe() tea.Cmd {
	meter := ct.can.meter
	if meter == nil {
		ct.say(theme.Plain, "the observer overhead cannot be measured from here: this target cannot be left alone")
		return nil
	}
	alone := tune.Candidate{{ID: megakernel.WorkersSetting}}
	return ct.measure("observer overhead", observed{meter}, alone, nil, func(m *model, c *tune.Comparison) {
		m.control.effect = c
		m.say(overheadText(c))
	})
}

// tuned measures a target with other settings.
type tuned struct {
	Tuner
	source Source
	meter  Meter
}

// Measure implements tune.Target.
func (t tuned) Measure(ctx context.Context, c tune.Candidate, atLeast time.Duration) (tune.Sample, error) {
	if _, err := t.Apply(ctx, c...); err != nil {
		return tune.Sample{}, err
	}
	before := t.source.Snapshot()
	s, err := window(ctx, t.meter, atLeast)
	if err == nil && s.Work == 0 {
		err = tune.Held(before, t.source.Snapshot())
	}
	return s, err
}

// settable is a target that a measurement gives settings. One that is read from afar has no meter: what its snapshots
// count is measured.
func settable(source Source, meter Meter, tuner Tuner) tune.Target {
	if meter != nil {
		return tuned{tuner, source, meter}
	}
	return counted{tuned: tuned{Tuner: tuner}, by: &tune.Counted{Target: afar{source, tuner}}}
}

// counted is a target that is measured by its snapshots.
type counted struct {
	tuned

	by *tune.Counted
}

// Measure implements tune.Target.
func (c counted) Measure(ctx context.Context, settings tune.Candidate, atLeast time.Duration) (tune.Sample, error) {
	return c.by.Measure(ctx, settings, atLeast)
}

// afar is what is seen of a target, and what steers it.
type afar struct {
	source Source
	tuner  Tuner
}

// Snapshot implements tune.Steered.
func (a afar) Snapshot() *megakernel.Snapshot { return a.source.Snapshot() }

// Apply implements tune.Steered.
func (a afar) Apply(ctx context.Context, list ...megakernel.Setting) ([]megakernel.Change, error) {
	return a.tuner.Apply(ctx, list...)
}

// restore brings a candidate into force after a measurement, also after one that was cut short.
func (t tuned) restore(c tune.Candidate) error {
	ctx, cancel := context.WithTimeout(context.Background(), answerTime)
	defer cancel()
	_, err := t.Apply(ctx, c...)
	return err
}

// compareLaunch measures the shape in force against the recommended one, and leaves the first.
func (ct *control) compareLaunch() tea.Cmd {
	tuner := ct.can.tuner
	if tuner == nil {
		ct.say(theme.Plain, "this target takes no settings")
		return nil
	}
	v := pane.NewLaunch(ct.latest, &ct.shell.launch.LaunchState)
	workers, lanes := v.Shape(ct.latest, &ct.shell.launch.LaunchState)
	now := ct.shape()
	if workers == 0 || (now == megakernel.Shape{Workers: workers, Lanes: lanes}) {
		ct.say(theme.Warning, "there is nothing to compare: no other shape is recommended")
		return nil
	}
	a, b := shapeCandidate(now.Workers, now.Lanes), shapeCandidate(workers, lanes)
	times := ct.look.Glyphs.Times
	what := fmt.Sprintf("%d%c%d against %d%c%d", now.Workers, times, now.Lanes, workers, times, lanes)
	return ct.measure(what, settable(ct.shell.feed.source, ct.can.meter, tuner), a, b, func(m *model, c *tune.Comparison) {
		m.launch.Compared = c
		m.feed.advice.compared(c, m.latest, times)
		m.say(comparedText(what, c))
	})
}

func shapeCandidate(workers, lanes int) tune.Candidate {
	return tune.Candidate{{ID: megakernel.WorkersSetting, Value: int64(workers)}, {ID: megakernel.LanesSetting, Value: int64(lanes)}}
}
