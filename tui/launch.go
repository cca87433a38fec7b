package tui

import (
	"fmt"
	"maps"
	"strings"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/megakernel/occupancy"
	"vyretop/megakernel/recommend"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
	"vyretop/tui/units"
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

// scaleInput doubles the selected input, or halves it when by is negative.
func (m *model) scaleInput(by int) {
	i := m.launch.Selected
	value := pane.NewLaunch(m.frame(), &m.launch).Value(i)
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
	m.launch.Suppose(i, value)
}

// forgetInput takes the observed value of the selected input again.
func (m *model) forgetInput() {
	m.launch.WhatIf = maps.Clone(m.launch.WhatIf)
	delete(m.launch.WhatIf, m.launch.Selected)
}

// openInput types a value for the selected input.
func (m *model) openInput() {
	i := m.launch.Selected
	m.commands.openCommand()
	if in, ok := m.modal.(*input); ok {
		in.line.Set("what-if " + pane.LaunchInputs[i].Name + "=")
	}
}

// typedWhatIf supposes values: "what-if queue_len=4096".
func (m *model) typedWhatIf(args []string) (tea.Cmd, error) {
	if len(args) == 0 {
		m.launch.WhatIf = nil
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
		m.launch.Suppose(i, value)
	}
	m.showTab(keymap.Launch)
	return nil, nil
}
