package pane

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/stats"
	"vyretop/tasks"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
)

// FairnessMode is what the heat map of tenants and priorities shows.
type FairnessMode uint8

// The modes.
const (
	WaitingTasks FairnessMode = iota
	OldestWaiting
	RunningTasks
	HeldTasks
	NumFairnessModes
)

var fairnessNames = [NumFairnessModes]string{"tasks waiting", "age of the oldest waiting, in ticks", "tasks running", "tasks held"}

// String says what the mode shows.
func (m FairnessMode) String() string { return fairnessNames[m] }

func (m FairnessMode) value(g stats.Group) uint64 {
	switch m {
	case OldestWaiting:
		return uint64(g.Oldest)
	case RunningTasks:
		return uint64(g.Running)
	case HeldTasks:
		return uint64(g.Held)
	default:
		return uint64(g.Waiting)
	}
}

// The columns of the fairness table. Those of the priorities come second.
const (
	frTenant   = 0
	frPriority = 1
)

const (
	frOldest = frPriority + tasks.NumPriorities + iota
	frServed
	frRate
	frShare
	frQuota
	frMask
)

var fairnessColumns = []Column{
	frTenant: {ID: "tenant", Title: "tenant", Width: 6, Right: true},

	frPriority + int(tasks.Critical): {ID: "critical", Title: "critical", Width: 8, Right: true},
	frPriority + int(tasks.High):     {ID: "high", Title: "high", Width: 8, Right: true},
	frPriority + int(tasks.Normal):   {ID: "normal", Title: "normal", Width: 8, Right: true},
	frPriority + int(tasks.Low):      {ID: "low", Title: "low", Width: 8, Right: true},
	frPriority + int(tasks.Idle):     {ID: "idle", Title: "idle", Width: 8, Right: true},

	frOldest: {ID: "oldest", Title: "oldest", Width: 6, Right: true, Keep: 5},
	frServed: {ID: "served", Title: "served", Width: 6, Right: true, Keep: 6},
	frRate:   {ID: "rate", Title: "/s", Width: 5, Right: true, Keep: 4},
	frShare:  {ID: "share", Title: "share", Width: 5, Right: true, Keep: 3},
	frQuota:  {ID: "quota", Title: "quota", Width: 6, Right: true, Keep: 2},
	frMask:   {ID: "runs", Title: "runs", Width: 4, Keep: 1},
}

// Fairness is the tenants as a table: what waits by priority, and what was served. Its rows are
// keyed by tenant.
type Fairness struct {
	Frame   *Frame
	Look    *Look
	Mode    FairnessMode
	tenants []int
	served  uint64 // by all tenants
	top     uint64 // largest value of the heat map
}

// Renew collects the tenants that have or had tasks, in the memory of an earlier table, which it returns.
func (v *Fairness) Renew(f *Frame, l *Look, mode FairnessMode) *Fairness {
	*v = Fairness{Frame: f, Look: l, Mode: mode, tenants: v.tenants[:0]}
	for t := range stats.OtherTenant + 1 {
		served := v.servedBy(t)
		if served == 0 && f.SlotCounts.Tenant(t).Live() == 0 {
			continue
		}
		v.served += served
		v.tenants = append(v.tenants, t)
		for _, g := range f.SlotCounts.Tenants[t] {
			v.top = max(v.top, mode.value(g))
		}
	}
	return v
}

func (v *Fairness) control(first, tenant int) uint32 {
	if tenant >= megakernel.Tenants {
		return 0
	}
	n, _ := v.Frame.Word(WordAt{ControlBuffer, first + tenant})
	return n
}

func (v *Fairness) servedBy(tenant int) uint64 {
	return uint64(v.control(megakernel.CtrlTenantFair0, tenant))
}

// Columns implements Rows.
func (v *Fairness) Columns() []Column { return fairnessColumns }

// Len implements Rows.
func (v *Fairness) Len() int { return len(v.tenants) }

// Key implements Rows.
func (v *Fairness) Key(row int) uint64 { return uint64(v.tenants[row]) }

// Number implements Rows. Shares are in millionths.
func (v *Fairness) Number(row, column int) uint64 {
	t := v.tenants[row]
	if p := column - frPriority; p >= 0 && p < tasks.NumPriorities {
		return v.Mode.value(v.Frame.SlotCounts.Tenants[t][p])
	}
	switch column {
	case frOldest:
		return uint64(v.Frame.SlotCounts.Tenant(t).Oldest)
	case frServed:
		return v.servedBy(t)
	case frRate:
		return uint64(v.rate(t))
	case frShare:
		return v.servedBy(t) * 1_000_000 / max(v.served, 1)
	case frQuota:
		return uint64(v.control(megakernel.CtrlTenantQuota0, t))
	case frMask:
		return uint64(min(v.control(megakernel.CtrlTenantMask0, t), 1))
	default:
		return uint64(t)
	}
}

func (v *Fairness) rate(tenant int) float64 {
	if tenant >= megakernel.Tenants {
		return 0
	}
	return v.Frame.Served.Tenants[tenant]
}

// Append implements Rows.
func (v *Fairness) Append(dst []byte, row, column int) ([]byte, Cell) {
	n := v.Number(row, column)
	if p := column - frPriority; p >= 0 && p < tasks.NumPriorities {
		return appendHeat(dst, v.Look, n, v.top)
	}
	switch column {
	case frTenant:
		if n >= megakernel.Tenants {
			return append(dst, "other"...), Cell{Style: theme.Danger}
		}
		return strconv.AppendUint(dst, n, 10), Cell{Style: theme.Strong}
	case frRate:
		return units.AppendRate(dst, v.rate(v.tenants[row])), Cell{Style: countStyle(n)}
	case frShare:
		return units.AppendPercent(dst, float64(n)/1e6), Cell{}
	case frMask:
		if n == 0 {
			return append(dst, "no"...), Cell{Style: theme.Warning}
		}
		return append(dst, "yes"...), Cell{Style: theme.Dim}
	default:
		return units.AppendCount(dst, n), Cell{Style: countStyle(n)}
	}
}

// heat is the styles of growing warmth.
var heat = [...]cells.Style{theme.Ready, theme.Running, theme.Warning, theme.Changed}

// appendHeat writes a value of the heat map: its hue and the shade in front grow with the value.
func appendHeat(dst []byte, l *Look, n, top uint64) ([]byte, Cell) {
	if n == 0 {
		return utf8.AppendRune(dst, theme.OfTask(tasks.Empty).Symbol(&l.Glyphs)), Cell{Style: theme.Dim}
	}
	level := min(n*uint64(len(heat))/(top+1), uint64(len(heat)-1))
	return units.AppendCount(dst, n), Cell{Style: heat[level], Glyph: l.Glyphs.Shades()[level+1]}
}

// FairnessHeading is the heading of the fairness table.
func (l *Look) FairnessHeading(v *Fairness, o *Order, s *TableState) Heading {
	note := append(append(l.Note(), v.Mode.String()...), ", by tenant and priority  "...)
	return Heading{"Fairness", appendTableNote(note, v, o, s), "No tenant has had a task yet. Tenants appear here with their first task."}
}

// jain is Jain's index of fairness of what the tenants were served: 1 when all got the same, 1/n
// when one got everything.
//
// Source: R. Jain, D. Chiu, W. Hawe, "A quantitative measure of fairness and discrimination for
// resource allocation in shared computer systems", DEC-TR-301 (1984).
func (v *Fairness) jain() float64 {
	sum, squares := 0.0, 0.0
	for _, t := range v.tenants {
		n := float64(v.servedBy(t))
		sum += n
		squares += n * n
	}
	if squares == 0 {
		return 1
	}
	return sum * sum / (float64(len(v.tenants)) * squares)
}

// DrawFairnessDetail draws the sums: what each priority was served, and how even it is.
func (l *Look) DrawFairnessDetail(a cells.Area, v *Fairness) int {
	rest := l.title(a, "Served", "activations, ~ mean wait")
	if v.Frame.Snap == nil {
		return 1 + l.empty(rest, "No snapshot yet.")
	}
	served := &v.Frame.Snap.Served
	most := slices.Max(served[:])
	for p := range tasks.Priority(tasks.NumPriorities) {
		line := rest.Line(int(p))
		line.Text(1, 0, p.String(), theme.PriorityStyle(p))
		line.Fit(10, 0, units.CountWidth, units.AppendCount(l.cell[:0], served[p]), true, l.Glyphs.Ellipsis, countStyle(served[p]))
		l.drawWait(line, 16, v.Frame, p)
		line.Sub(cells.Rect{X: 24, W: line.W - 25, H: 1}).Gauge(float64(served[p])/float64(max(most, 1)), l.Glyphs.Bar, ' ', theme.Graph, theme.Dim)
	}
	_, rest = rest.SplitTop(tasks.NumPriorities + 1)
	starved, _ := v.Frame.Word(WordAt{ControlBuffer, megakernel.CtrlStarvation})
	l.field(rest.Line(0), "starvation", append(strconv.AppendUint(l.cell[:0], uint64(starved), 10), " claims"...), theme.Plain)
	l.field(rest.Line(1), "even", append(strconv.AppendFloat(l.cell[:0], v.jain(), 'f', 3, 64), " of 1 (Jain's index)"...), theme.Plain)
	return 1 + tasks.NumPriorities + 3
}
