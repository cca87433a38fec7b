package inspect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/metrics"
	"vyretop/tui/filter"
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

	target megakernel.Target
	next   uint64 // number of the record behind the last one
	events int
	before *megakernel.Snapshot
	head   bool
	failed bool
}

// errMatched ends a following where Fail matches.
var errMatched = errors.New("the condition is true")

// Failed reports whether something matched Fail.
func (l *Lines) Failed() bool { return l.failed }

// Take prints a message; it returns an error when writing fails, and one that is not for users when
// Fail matches: see Failed.
func (l *Lines) Take(m *fixtures.StreamMessage) error {
	if l.target.Opcodes == nil && l.target.Formats == nil {
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
		if !LogTable.Match(l.Keep, r) {
			continue
		}
		l.failed = l.failed || l.Fail != nil && LogTable.Match(l.Fail, r)
		if l.JSON {
			l.object(b, LogTable.Object(r, "schema", LogSchema))
			continue
		}
		fmt.Fprintln(b, r.line())
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

// line is a record for people.
func (r *Record) line() string {
	if r.Raw {
		return fmt.Sprintf("%10d  %s", r.Number, r.LogRecord.Text(r.target.Formats))
	}
	name, ok := opcodeName(r.Opcode, r.target).(string)
	if !ok {
		name = fmt.Sprintf("0x%x", r.Opcode)
	}
	return fmt.Sprintf("%10d  %-8s  #%-8d  %-12s  %s", r.Number, fmt.Sprintf("w%d.%d", r.Worker, r.Lane), r.Task, name, r.LogRecord.Text(r.target.Formats))
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
	fmt.Fprintf(b, "%10.3fs  %-8s  %s\n", max(0, e.At.Seconds()), e.Kind, strings.ReplaceAll(e.Text, "\n", " "))
}

// sampled are the metrics of a line for people.
var sampled = []string{"taken_ms", "phase", "epoch", "queue_depth", "waiting", "running", "paused", "done", "done_delta", "tasks_per_s", "faulted", "workers", "consistent"}

func (l *Lines) sample(b *bytes.Buffer, s *megakernel.Snapshot) {
	sample := Sample(l.Subject, s, l.before)
	l.before = s
	l.failed = l.failed || l.Fail != nil && l.Fail.Match(&metrics.Row{Sample: sample})
	if l.JSON {
		l.object(b, SnapshotDocument(l.Subject, sample))
		return
	}
	var head, text []byte
	for _, name := range sampled {
		cell := string(metrics.AppendText(nil, metrics.Named(name).Value(sample)))
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
