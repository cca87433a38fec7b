package inspect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"vyretop/engine/fault"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/filter"
	"vyretop/megakernel/safe"
	"vyretop/megakernel/stats"
)

// Lines prints what a target says, a line for each record, event or snapshot, each at once. It is the
// consumer of Subject.Follow.
type Lines struct {
	W       io.Writer
	JSON    bool // NDJSON: every line an object with a schema member
	Subject Subject
	Log     bool // print debug-log records
	Events  bool // print events
	Samples bool // print snapshots

	Keep *filter.Expr // prints only what matches, in the names of the one table that is printed
	Fail *filter.Expr // nil, or what ends the following

	keepLog *filter.Expr // as Keep, of the log only

	target megakernel.Target
	next   uint64 // number of the record behind the last one
	events int
	before *megakernel.Snapshot
	waits  stats.Observer // of the tasks that wait, from sample to sample
	head   bool
	line   []byte // of the record printed last, for its memory
	failed bool
}

// errMatched ends a following where Fail matches.
const errMatched fault.Kind = "the condition is true"

// Failed reports whether something matched Fail.
func (l *Lines) Failed() bool { return l.failed }

// Take prints a message; it returns an error when writing fails, and one that is not for users when
// Fail matches: see Failed.
func (l *Lines) Take(m *fixtures.StreamMessage) error {
	if m.Reload != nil || l.target.Opcodes == nil && l.target.Formats == nil {
		l.target = l.Subject.Header().Target
	}
	var b bytes.Buffer
	switch {
	case len(m.Log) > 0 && l.Log:
		l.records(&b, m.Log)
	case m.Event != nil && l.Events:
		l.event(&b, m.Event)
	case m.Snapshot != nil && l.Samples:
		l.sample(&b, m.Snapshot)
	}
	if _, err := l.W.Write(b.Bytes()); err != nil {
		return err
	}
	if l.failed {
		return errMatched
	}
	return nil
}

func (l *Lines) records(b *bytes.Buffer, records []megakernel.LogRecord) {
	rows := RecordsOf(records, &l.target, l.Subject.Kind() == Raw)
	for i := range rows {
		r := &rows[i]
		if lost := r.Number - l.next; l.next > 0 && r.Number > l.next {
			l.lost(b, lost)
		}
		l.next = r.Number + 1
		if !LogTable.Match(l.Keep, r) || !LogTable.Match(l.keepLog, r) {
			continue
		}
		l.failed = l.failed || l.Fail != nil && LogTable.Match(l.Fail, r)
		if l.JSON {
			l.object(b, LogTable.Object(r, "schema", LogSchema))
			continue
		}
		l.line = r.appendLine(l.line[:0])
		b.WriteString(safe.Text(string(l.line)))
		b.WriteByte('\n')
	}
}

// lost says that records are missing in front of the next one.
func (l *Lines) lost(b *bytes.Buffer, n uint64) {
	if l.JSON {
		var o object
		o.add("schema", LogSchema)
		o.add("lost", n)
		l.object(b, o.end())
		return
	}
	fmt.Fprintf(b, "... %d records lost\n", n)
}

// appendLine appends a record for people. Logs have millions of records: nothing is formatted by package fmt.
func (r *Record) appendLine(b []byte) []byte {
	b = appendRight(b, r.Number, 10)
	b = append(b, "  "...)
	if !r.Raw {
		at := len(b)
		b = strconv.AppendUint(append(b, 'w'), uint64(r.Worker), 10)
		b = strconv.AppendUint(append(b, '.'), uint64(r.Lane), 10)
		b = append(fill(b, at, 8), "  #"...)
		at = len(b)
		b = append(fill(strconv.AppendUint(b, uint64(r.Task), 10), at, 8), "  "...)
		at = len(b)
		if name, ok := opcodeName(r.Opcode, r.target).(string); ok {
			b = append(b, name...)
		} else {
			b = strconv.AppendUint(append(b, "0x"...), uint64(r.Opcode), 16)
		}
		b = append(fill(b, at, 12), "  "...)
	}
	return r.LogRecord.AppendText(b, r.target.Formats)
}

// appendRight appends a number, to the right of that many columns.
func appendRight(b []byte, n uint64, width int) []byte {
	var digits [20]byte
	text := strconv.AppendUint(digits[:0], n, 10)
	for range width - len(text) {
		b = append(b, ' ')
	}
	return append(b, text...)
}

// fill appends spaces until what begins at a place has that many columns.
func fill(b []byte, at, width int) []byte {
	for range width - utf8.RuneCount(b[at:]) {
		b = append(b, ' ')
	}
	return b
}

func (l *Lines) event(b *bytes.Buffer, e *megakernel.HostEvent) {
	row := Event{l.events, *e}
	l.events++
	if !EventTable.Match(l.Keep, &row) {
		return
	}
	l.failed = l.failed || l.Fail != nil && EventTable.Match(l.Fail, &row)
	if l.JSON {
		l.object(b, EventTable.Object(&row, "schema", EventsSchema))
		return
	}
	fmt.Fprintf(b, "%10.3fs  %-8s  %s\n", max(0, e.At.Seconds()), safe.Text(e.Kind), safe.Text(strings.ReplaceAll(e.Text, "\n", " ")))
}

// sampled are the metrics of a line for people.
var sampled = []string{"taken_ms", "phase", "epoch", "queue_depth", "waiting", "running", "paused", "done", "done_delta", "tasks_per_s", "faulted", "workers", "consistent"}

func (l *Lines) sample(b *bytes.Buffer, s *megakernel.Snapshot) {
	sample := Sample(l.Subject, s, l.before)
	l.before = s
	sample.Observe(&l.waits)
	l.failed = l.failed || l.Fail != nil && l.Fail.Match(&stats.Row{Sample: sample})
	if l.JSON {
		l.object(b, SnapshotDocument(l.Subject, sample))
		return
	}
	var head, text []byte
	for _, name := range sampled {
		cell := string(stats.AppendText(nil, stats.MetricNamed(name).Value(sample)))
		if cell == "" {
			cell = "-"
		}
		width := max(len(name), 10) + 2 // numbers of ten digits have room
		head, text = fmt.Appendf(head, "%*s", width, name), fmt.Appendf(text, "%*s", width, cell)
	}
	if !l.head {
		l.head = true
		b.Write(append(head, '\n'))
	}
	b.Write(append(text, '\n'))
}

func (l *Lines) object(b *bytes.Buffer, o json.RawMessage) {
	b.Write(o)
	b.WriteByte('\n')
}
