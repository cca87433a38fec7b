package fleet

import (
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"vyretop/engine/units"
	"vyretop/megakernel/filter"
	"vyretop/megakernel/targets"
	"vyretop/tui/cells"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// columns are those of filter.TargetColumns: which are on the screen, and in what width.
var columns = []pane.Column{
	{ID: "name", Title: "TARGET", Width: 17, Grow: true},
	{ID: "host", Title: "HOST", Off: true},
	{ID: "device", Title: "DEVICE", Width: 18, Keep: 3},
	{ID: "workload", Title: "WORKLOAD", Width: 10, Keep: 2},
	{ID: "label", Title: "LABEL", Off: true},
	{ID: "run", Title: "RUN", Off: true},
	{ID: "state", Title: "STATE", Width: 8},
	{ID: "verdict", Title: "VERDICT", Width: 10},
	{ID: "stalled", Title: "STALLED", Off: true},
	{ID: "tasks_per_s", Title: "TASKS/S", Width: 7, Right: true},
	{ID: "busy_percent", Title: "BUSY", Width: 4, Right: true},
	{ID: "progress_percent", Title: "DONE", Width: 4, Right: true},
	{ID: "done", Title: "TASKS", Width: 6, Right: true, Keep: 4},
	{ID: "faulted", Title: "FAULT", Width: 5, Right: true},
	{ID: "fault_slots", Title: "FAULT SLOTS", Off: true},
	{ID: "queue_depth", Title: "QUEUE", Width: 6, Right: true, Keep: 5},
	{ID: "workers", Title: "WORKERS", Off: true},
	{ID: "device_utilization_percent", Title: "GPU", Width: 4, Right: true, Keep: 6},
	{ID: "device_memory_used_bytes", Title: "MEMORY", Width: 6, Right: true, Keep: 1},
	{ID: "device_power_mw", Title: "POWER", Width: 5, Right: true, Keep: 1},
	{ID: "device_temperature_c", Title: "TEMP", Width: 4, Right: true, Keep: 1},
	{ID: "taken_ms", Title: "UP", Width: 6, Right: true, Keep: 2},
	{ID: "heard_ms", Title: "HEARD", Off: true},
	{ID: "program", Title: "VERSION", Off: true},
	{ID: "id", Title: "ID", Off: true},
	{ID: "trend", Title: "TREND", Width: 8, Keep: 7},
}

// fields are the names that filters know.
var fields = filter.TargetColumns.Names(filter.Command)

// The columns that are drawn in a way of their own.
var (
	columnName  = targets.Index("name")
	columnTrend = len(columns) - 1
)

// rows are the targets as a table.
type rows struct {
	look *theme.Theme
	list []*targets.Target // in the order of their titles
	now  time.Time
	row  targets.Row
}

var _ pane.Rows = (*rows)(nil)

// Columns implements pane.Rows.
func (r *rows) Columns() []pane.Column { return columns }

// Len implements pane.Rows.
func (r *rows) Len() int { return len(r.list) }

// Key implements pane.Rows.
func (r *rows) Key(row int) uint64 {
	key, _ := targets.Key(r.list[row].ID)
	return key
}

// at is a row for values.
func (r *rows) at(row int) *targets.Row {
	r.row.Target, r.row.Now = r.list[row], r.now
	return &r.row
}

// Number implements pane.Rows. The rows are in the order of their titles, which say more than eight bytes of them.
func (r *rows) Number(row, column int) uint64 {
	switch column {
	case columnName:
		return uint64(row)
	case columnTrend:
		column = targets.Index("tasks_per_s")
	}
	return r.at(row).Number(column)
}

// Append implements pane.Rows.
func (r *rows) Append(dst []byte, row, column int) ([]byte, pane.Cell) {
	t := r.list[row]
	if column == columnTrend {
		return r.appendTrend(dst, t), pane.Cell{Style: theme.Graph}
	}
	return appendValue(dst, columns[column].ID, r.at(row).Value(column)), pane.Cell{Style: styleOf(t, columns[column].ID)}
}

// appendValue writes a value in the unit of its column.
func appendValue(dst []byte, column string, value any) []byte {
	n, number := value.(uint64)
	switch {
	case value == nil:
		return append(dst, '-')
	case !number:
		if s, ok := value.(string); ok {
			return append(dst, s...)
		}
		return strconv.AppendBool(dst, value == true)
	}
	switch column {
	case "busy_percent", "progress_percent", "device_utilization_percent":
		return append(strconv.AppendUint(dst, n, 10), '%')
	case "taken_ms", "heard_ms":
		return units.AppendAge(dst, time.Duration(n)*time.Millisecond)
	case "device_power_mw":
		return append(strconv.AppendUint(dst, n/1000, 10), 'W')
	case "device_temperature_c":
		return append(strconv.AppendUint(dst, n, 10), 'C')
	}
	return units.AppendCount(dst, n)
}

// styleOf is the style of a cell: what is wrong stands out, what is over recedes.
func styleOf(t *targets.Target, column string) cells.Style {
	switch {
	case column == "state" && t.Lost, column == "faulted" && t.Faulted > 0, column == "verdict" && t.Stalled:
		return theme.Danger
	case t.Ended || t.Lost:
		return theme.Dim
	case column == "verdict" && t.Verdict == "working", column == "state" && t.Phase == "resident":
		return theme.Running
	case column == "name" && len(t.Alerts) > 0:
		return theme.Warning
	case column == "state":
		return theme.Ready
	}
	return theme.Plain
}

// appendTrend draws the rates of a target, each against its largest.
func (r *rows) appendTrend(dst []byte, t *targets.Target) []byte {
	rates := t.Rates[max(len(t.Rates)-columns[columnTrend].Width, 0):]
	top := slices.Max(append([]float64{0}, rates...))
	ramp := r.look.Glyphs.Columns
	for range columns[columnTrend].Width - len(rates) {
		dst = append(dst, ' ')
	}
	for _, v := range rates {
		level := 0
		if v > 0 && top > 0 {
			level = max(int(v/top*float64(len(ramp)-1)+0.5), 1)
		}
		dst = utf8.AppendRune(dst, ramp[level])
	}
	return dst
}
