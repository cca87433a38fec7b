package tui

import (
	"vyretop/megakernel"
	"vyretop/megakernel/occupancy"
	"vyretop/megakernel/recommend"
	"vyretop/tui/pane"
)

// advice is the shape that is recommended for the target, asked once for each report of occupancy: it looks at every
// slot.
type advice struct {
	watcher recommend.Observer
	of      *occupancy.Report
	newest  recommend.Advice
	now     megakernel.Shape // that it is for
	text    string           // in the header
	note    string           // in the launch view
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
		if newest != a.newest || now != a.now {
			a.text, a.note = pane.AdviceTexts(&newest, now, times)
		}
		a.newest, a.now = newest, now
	}
	a.mark(f)
}

// mark has a frame show the newest advice.
func (a *advice) mark(f *pane.Frame) { f.Advice, f.Advised, f.AdviceNote = a.newest, a.text, a.note }
