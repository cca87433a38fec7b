package inspect

import (
	"encoding/csv"
	"io"
	"strings"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/stats"
)

// CSV prints the metrics of every snapshot as a line of comma-separated values behind a line of their names;
// what is not known is empty. It is a consumer of Subject.Follow.
type CSV struct {
	Subject Subject

	w      *csv.Writer
	before *megakernel.Snapshot
}

// NewCSV begins a table.
func NewCSV(w io.Writer, s Subject) *CSV {
	c := &CSV{Subject: s, w: csv.NewWriter(w)}
	_ = c.w.Write(stats.MetricNames()) // Flush reports
	return c
}

// Take prints a snapshot.
func (c *CSV) Take(m *fixtures.StreamMessage) error {
	if m.Snapshot == nil {
		return nil
	}
	sample := Sample(c.Subject, m.Snapshot, c.before)
	c.before = m.Snapshot
	row := make([]string, len(MetricTable))
	for i := range MetricTable {
		row[i] = cellText(MetricTable[i].Get(sample))
	}
	return c.w.Write(row)
}

// Close prints what is left.
func (c *CSV) Close() error {
	c.w.Flush()
	return c.w.Error()
}

// cellText is a value as a cell. Programs for spreadsheets take a text that begins with one of some characters for a formula: an
// apostrophe in front of it says that it is a text.
func cellText(v any) string {
	cell := string(stats.AppendText(nil, v))
	if _, isText := v.(string); isText && cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return "'" + cell
	}
	return cell
}
