package tui

import (
	"vyretop/megakernel"
	"vyretop/megakernel/recommend"
	"vyretop/megakernel/stats"
	"vyretop/megakernel/tune"
	"vyretop/tui/pane"
)

// advice is the shape that is recommended for the target, asked once for each report of occupancy: it looks at every
// slot.
type advice struct {
	watcher recommend.Observer
	of      *stats.Occupancy
	newest  recommend.Advice
	now     megakernel.Shape // that it is for
	text    string           // in the header
	note    string           // in the launch view

	measured *tune.Comparison // the last one of two shapes, nil before it
}

// follow takes a new frame into account; times is the sign of shapes.
func (a *advice) follow(f *pane.Frame, times rune) {
	if f.Snap == nil {
		return
	}
	a.watcher.Add(f.Snap)
	if now := (megakernel.Shape{Workers: f.Snap.Workers, Lanes: f.Snap.Lanes}); a.of == nil || f.Occupancy != a.of {
		a.of = f.Occupancy
		newest := a.watcher.Advise(f.Target, f.Snap, f.Occupancy)
		a.correct(&newest, now)
		if newest != a.newest || now != a.now {
			a.text, a.note = pane.AdviceTexts(&newest, now, times)
		}
		a.newest, a.now = newest, now
	}
	a.mark(f)
}

// learn goes by the outcome of a trial from the next frame on.
func (a *advice) learn(t *tune.Trial) {
	a.watcher.Refused(t.InForce(), t.Refused()...)
	a.of = nil
}

// mark has a frame show the newest advice.
func (a *advice) mark(f *pane.Frame) { f.Advice, f.Advised, f.AdviceNote = a.newest, a.text, a.note }

// correct has an advice expect the gain that a comparison measured, where it was of the same shapes: its windows took turns,
// so that it is worth more than what was seen in passing, and there is one figure for all places that show it.
func (a *advice) correct(newest *recommend.Advice, now megakernel.Shape) {
	c := a.measured
	if c == nil || c.Verdict() == tune.CannotTell || shapeOf(c.A) != now || shapeOf(c.B) != newest.Shape {
		return
	}
	newest.Gain, newest.Confidence, newest.Reason = c.Ratio, recommend.Measured, "V measured "+pane.Change(c)
}

// compared takes in what was measured of two shapes.
func (a *advice) compared(c *tune.Comparison, f *pane.Frame, times rune) {
	a.measured, a.of = c, nil
	a.follow(f, times)
}

// shapeOf is the shape that a candidate sets.
func shapeOf(c tune.Candidate) (s megakernel.Shape) {
	for _, x := range c {
		switch x.ID {
		case megakernel.WorkersSetting:
			s.Workers = int(x.Value)
		case megakernel.LanesSetting:
			s.Lanes = int(x.Value)
		}
	}
	return s
}
