package pane

import (
	"maps"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel/policy"
	"vyretop/tui/cells"
	"vyretop/tui/keymap"
)

var launchView = Kind{
	Spec: keymap.Spec{
		View: keymap.Launch, Digit: "7", Traits: keymap.Cells | keymap.Resettable | keymap.OwnEnter,
		Keys: []keymap.OwnKey{
			{After: keymap.Apply, Binding: keymap.Binding{
				ID: keymap.Compare, Keys: []string{"V"}, Source: keymap.Live, Writes: true, Section: keymap.TargetSection, Short: "compare", Help: "measure the shape in force against the recommended",
			}},
			{After: keymap.Details, Binding: keymap.Binding{
				ID: keymap.Suppose, Keys: []string{"enter", "e"}, Source: keymap.Any, Section: keymap.TableSection, Short: "suppose", Help: "type another value for the selected input",
			}},
		},
	},
	New: newLaunchPane, Head: LaunchHead, Flat: true, Text: true, Command: "recommend",
}

// LaunchPane is the recommended shape, and the inputs that the user supposes.
type LaunchPane struct {
	*Env
	LaunchState

	table *Table
	spec  Spec
	rows  Launch
}

func newLaunchPane(e *Env, k *Kind) Pane {
	p := &LaunchPane{Env: e, table: rowless(e, keymap.Launch)}
	p.spec = Spec{
		Kind: k, Reset: p.forgetInput, Line: p.line,
		Scrolled: func(a cells.Area, top int) (rows, page int) {
			p.LaunchState.Steers, p.Top = e.Steers(), top
			return e.Look.DrawLaunch(a, e.Frame(), p.rows.Renew(e.Frame(), &p.LaunchState), &p.LaunchState)
		},
		OverText: func(place cells.Rect, x int) bool { return x >= place.X+LaunchReasons },
		Verbs:    []Verb{{Name: "what-if", Usage: "what-if queue_len=4096", Words: policy.MemberNames(), Run: p.typedWhatIf}},
	}
	return p
}

// Spec implements Pane.
func (p *LaunchPane) Spec() *Spec { return &p.spec }

// Table implements Pane.
func (p *LaunchPane) Table() *Table { return p.table }

// Draw implements Pane.
func (p *LaunchPane) Draw(a cells.Area) { p.spec.Scrolled(a, 0) }

// Move implements Pane: to the sides it halves and doubles the selected input.
func (p *LaunchPane) Move(columns, rows int) {
	if columns != 0 {
		p.scaleInput(columns)
	}
	p.Selected = min(max(p.Selected+rows, 0), len(policy.Members)-1)
}

// Jump implements Pane.
func (p *LaunchPane) Jump(last bool) {
	p.Selected = 0
	if last {
		p.Selected = len(policy.Members) - 1
	}
}

// Enter implements Pane: it types a value for the selected input.
func (p *LaunchPane) Enter() bool {
	p.Type("what-if " + policy.Members[p.Selected].Name + "=")
	return true
}

// Click implements Pane: it selects the input under the pointer.
func (p *LaunchPane) Click(place cells.Rect, at tea.Mouse) (key uint64, ok bool) {
	rows := place.H - LaunchHead
	if i := at.Y - place.Y - LaunchHead; i >= 0 && i < min(rows, len(policy.Members)) {
		p.Selected = i + p.topInput(rows)
	}
	return 0, false
}

// line is the command that prints the recommendation.
func (p *LaunchPane) line(subject string, at *time.Duration) []string {
	if at == nil {
		return []string{"recommend", "--live", subject}
	}
	return []string{"recommend", "--recording", subject, "--at", at.String()}
}

// scaleInput doubles the selected input, or halves it when by is negative.
func (p *LaunchPane) scaleInput(by int) {
	i := p.Selected
	value := NewLaunch(p.Frame(), &p.LaunchState).Value(i)
	switch {
	case by < 0:
		value /= 2
	case value == 0:
		value = 1
	case value > policy.Members[i].Most/2:
		value = policy.Members[i].Most
	default:
		value *= 2
	}
	p.Suppose(i, value)
}

// forgetInput takes the observed value of the selected input again.
func (p *LaunchPane) forgetInput() {
	p.WhatIf = maps.Clone(p.WhatIf)
	delete(p.WhatIf, p.Selected)
}

// typedWhatIf supposes values: "what-if queue_len=4096".
func (p *LaunchPane) typedWhatIf(args []string) error {
	if len(args) == 0 {
		p.WhatIf = nil
		return nil
	}
	for _, a := range args {
		i, value, err := policy.ParseChange(a)
		if err != nil {
			return err
		}
		p.Suppose(i, value)
	}
	p.Show(keymap.Launch)
	return nil
}
