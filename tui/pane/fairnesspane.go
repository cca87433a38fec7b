package pane

import (
	"fmt"
	"strconv"

	"vyretop/tui/cells"
	"vyretop/tui/keymap"
	"vyretop/tui/layout"
)

var fairnessView = Kind{
	Spec: keymap.Spec{
		View: keymap.Fairness, Short: "fair", Digit: "8", Traits: keymap.Table | keymap.Editable | keymap.HasModes | keymap.OwnEnter,
		Keys: []keymap.OwnKey{{After: keymap.Details, Binding: keymap.Binding{
			ID: keymap.TasksOf, Keys: []string{"enter", "e"}, Source: keymap.Any, Section: keymap.TableSection, Short: "tasks", Help: "list the tasks of the selected tenant",
		}}},
	},
	New: newFairnessPane, Want: layout.Want{Detail: true}, Head: tableHead, Command: "tasks",
}

// fairnessPane is what each tenant waits for and gets.
type fairnessPane struct {
	tablePane

	rows Fairness
	mode FairnessMode
}

func newFairnessPane(e *Env, k *Kind) Pane {
	p := &fairnessPane{}
	t := &Table{Env: e, View: keymap.Fairness, Make: func() Rows { return p.rows.Renew(e.Frame(), e.Look, p.mode) }}
	p.tablePane = tablePane{
		Env: e, table: t,
		heading: func(a *Arranged) Heading { return e.Look.FairnessHeading(&p.rows, &a.Order, &t.TableState) },
		spec: Spec{
			Kind: k, Edit: p.edit,
			Detail: func(a cells.Area) int {
				t.Arrange()
				return e.Look.DrawFairnessDetail(a, &p.rows)
			},
			Vary: func() { p.mode = (p.mode + 1) % NumFairnessModes },
		},
	}
	return p
}

// Enter implements Pane: it lists the tasks of the selected tenant.
func (p *fairnessPane) Enter() bool {
	if tenant, _, ok := p.table.Selection(); ok {
		if err := p.Show(keymap.Tasks).Table().KeepFilter("tenant=" + strconv.FormatUint(tenant, 10)); err != nil {
			p.Fail(err)
		}
	}
	return true
}

// edit is the quota of the selected tenant.
func (p *fairnessPane) edit() (Edit, bool) {
	tenant, _, ok := p.table.Selection()
	if quota, known := p.Quota(tenant); ok && known {
		return Edit{Line: fmt.Sprintf("set tenant-quota.%d=%d", tenant, quota)}, true
	}
	return Edit{}, ok
}
