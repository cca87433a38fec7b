package targets

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"vyretop/megakernel/filter"
	"vyretop/megakernel/stats"
)

// Column is a column of the table of targets. Its value is an uint64, a string, or nil where it is not known.
type Column struct {
	Name  string
	value func(*Target, time.Time) any
}

// known is the value of a figure.
func known(of func(*Target) *uint64) func(*Target, time.Time) any {
	return func(t *Target, _ time.Time) any {
		if n := of(t); n != nil {
			return *n
		}
		return nil
	}
}

func number(of func(*Target) uint64) func(*Target, time.Time) any {
	return func(t *Target, _ time.Time) any { return of(t) }
}

func text(of func(*Target) string) func(*Target, time.Time) any {
	return func(t *Target, _ time.Time) any {
		if s := of(t); s != "" {
			return s
		}
		return nil
	}
}

// Columns are the columns, in the order of filter.TargetColumns.
var Columns = []Column{
	{"name", text((*Target).Title)},
	{"host", text(func(t *Target) string { return t.Host })},
	{"device", text(func(t *Target) string { return t.Device })},
	{"workload", text(func(t *Target) string { return t.Workload })},
	{"label", text(func(t *Target) string { return t.Label })},
	{"run", text((*Target).Run)},
	{"state", text((*Target).State)},
	{"verdict", text(func(t *Target) string { return t.Verdict })},
	{"stalled", func(t *Target, _ time.Time) any { return t.Stalled }},
	{"tasks_per_s", known(func(t *Target) *uint64 { return t.TasksPerS })},
	{"busy_percent", known(func(t *Target) *uint64 { return t.Busy })},
	{"progress_percent", known(func(t *Target) *uint64 { return t.Status.Progress })},
	{"done", number(func(t *Target) uint64 { return t.Done })},
	{"faulted", number(func(t *Target) uint64 { return t.Faulted })},
	{"fault_slots", number(func(t *Target) uint64 { return t.FaultSlots })},
	{"queue_depth", number(func(t *Target) uint64 { return t.QueueDepth })},
	{"workers", number(func(t *Target) uint64 { return t.Workers })},
	{"device_utilization_percent", known(func(t *Target) *uint64 { return t.Utilization })},
	{"device_memory_used_bytes", known(func(t *Target) *uint64 { return t.MemoryUsed })},
	{"device_power_mw", known(func(t *Target) *uint64 { return t.Power })},
	{"device_temperature_c", known(func(t *Target) *uint64 { return t.Temperature })},
	{"taken_ms", number(func(t *Target) uint64 { return t.UptimeMs })},
	{"heard_ms", func(t *Target, now time.Time) any { return uint64(max(now.Sub(t.Heard), 0) / time.Millisecond) }},
	{"program", text(func(t *Target) string { return t.Program })},
	{"id", text(func(t *Target) string { return t.ID })},
}

// Index is the number of a column, -1 where no column has the name.
func Index(name string) int {
	for i := range Columns {
		if Columns[i].Name == name {
			return i
		}
	}
	return -1
}

// Row is a target as filters and tables see it.
type Row struct {
	*Target
	Now time.Time

	buf []byte
}

var _ filter.Partial = (*Row)(nil)

// Value is the value of a column.
func (r *Row) Value(column int) any { return Columns[column].value(r.Target, r.Now) }

// Text implements filter.Row.
func (r *Row) Text(column int) []byte {
	r.buf = stats.AppendText(r.buf[:0], r.Value(column))
	return r.buf
}

// Number implements filter.Row. That of a text orders texts by their first bytes.
func (r *Row) Number(column int) uint64 {
	v := r.Value(column)
	if s, ok := v.(string); ok {
		return order(s)
	}
	return stats.AsNumber(v)
}

// Known implements filter.Partial.
func (r *Row) Known(column int) bool { return r.Value(column) != nil }

// order is a number that orders texts as their first eight bytes do, without regard to case.
func order(s string) (n uint64) {
	for i := range 8 {
		n <<= 8
		if i < len(s) {
			c := s[i]
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			n |= uint64(c)
		}
	}
	return n
}

// MarshalJSON writes the columns that are known, and which alerts hold.
func (r *Row) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i := range Columns {
		v := r.Value(i)
		if v == nil {
			continue
		}
		value, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "%q:%s,", Columns[i].Name, value)
	}
	alerts, err := json.Marshal(append([]string{}, r.Alerts...))
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(&out, `"alerts":%s}`, alerts)
	return out.Bytes(), nil
}
