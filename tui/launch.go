package tui

import (
	"fmt"
	"maps"
	"strings"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/megakernel/occupancy"
	"vyretop/megakernel/recommend"
	"vyretop/megakernel/units"
	"vyretop/tui/keymap"
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

// launch is the recommendation, and the inputs that the user supposes.
type launch struct {
	*shared
	pane.LaunchState

	shell *model
}

// scaleInput doubles the selected input, or halves it when by is negative.
func (lp *launch) scaleInput(by int) {
	i := lp.Selected
	value := pane.NewLaunch(lp.frame(), &lp.LaunchState).Value(i)
	switch {
	case by < 0:
		value /= 2
	case value == 0:
		value = 1
	case value > pane.LaunchInputs[i].Most/2:
		value = pane.LaunchInputs[i].Most
	default:
		value *= 2
	}
	lp.Suppose(i, value)
}

// forgetInput takes the observed value of the selected input again.
func (lp *launch) forgetInput() {
	lp.WhatIf = maps.Clone(lp.WhatIf)
	delete(lp.WhatIf, lp.Selected)
}

// openInput types a value for the selected input.
func (lp *launch) openInput() {
	i := lp.Selected
	lp.shell.commands.openCommand()
	if in, ok := lp.modal.(*input); ok {
		in.line.Set("what-if " + pane.LaunchInputs[i].Name + "=")
	}
}

// typedWhatIf supposes values: "what-if queue_len=4096".
func (lp *launch) typedWhatIf(args []string) (tea.Cmd, error) {
	if len(args) == 0 {
		lp.WhatIf = nil
		return nil, nil
	}
	for _, a := range args {
		name, text, _ := strings.Cut(a, "=")
		i, ok := pane.FindInput(name)
		if !ok {
			return nil, misuse("what-if", fmt.Sprintf("%q is none of the inputs %s", name, strings.Join(pane.InputNames(), ", ")))
		}
		value, err := units.Parse(text, 64)
		if err != nil || value > pane.LaunchInputs[i].Most {
			return nil, misuse("what-if", fmt.Sprintf("%q is no number from 0 to %d", text, pane.LaunchInputs[i].Most))
		}
		lp.Suppose(i, value)
	}
	lp.shell.showTab(keymap.Launch)
	return nil, nil
}
