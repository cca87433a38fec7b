package inspect

import (
	"context"
	"errors"
	"io"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/inspect/parquet"
	"vyretop/megakernel/stats"
)

// Tables are those that FormParquet can be of.
var Tables = []string{tableSamples, tableLog, tableActivations, tableTasks, tableEvents}

const (
	tableSamples     = "samples"
	tableLog         = "log"
	tableActivations = "activations"
	tableTasks       = "tasks"
	tableEvents      = "events"
)

// table writes a table of a subject as Parquet. Tasks are those that have slots at the position.
func (e *Exporting) table(ctx context.Context, s Subject, w io.Writer) error {
	t := s.Header().Target
	about := [][2]string{{"vyretop.table", e.Table}, {"workload", t.Workload}, {"backend", t.Backend}, {"renderer", t.Renderer}}
	if !t.Started.IsZero() {
		about = append(about, [2]string{"started", t.Started.UTC().Format(time.RFC3339Nano)})
	}
	switch e.Table {
	case tableLog:
		return exportRows(ctx, e.along(s), w, about, LogTable, e.recordRows(s, &t))
	case tableActivations:
		return e.activations(ctx, s, w, about)
	case tableTasks:
		return exportTasks(ctx, s, w, about)
	case tableEvents:
		n := 0
		return exportRows(ctx, e.along(s), w, about, EventTable, func(m *fixtures.StreamMessage, row func(*Event) error) error {
			if m.Event == nil {
				return nil
			}
			n++
			return row(&Event{n - 1, *m.Event})
		})
	}
	var before *megakernel.Snapshot
	return exportRows(ctx, e.along(s), w, about, MetricTable, func(m *fixtures.StreamMessage, row func(*stats.Sample) error) error {
		if m.Snapshot == nil {
			return nil
		}
		sample := Sample(s, m.Snapshot, before)
		before = m.Snapshot
		return row(sample)
	})
}

func (e *Exporting) recordRows(s Subject, t *megakernel.Target) func(*fixtures.StreamMessage, func(*Record) error) error {
	return func(m *fixtures.StreamMessage, row func(*Record) error) error {
		rows := RecordsOf(m.Log, t, s.Kind() == Raw)
		for i := range rows {
			if !LogTable.Match(e.Keep, &rows[i]) {
				continue
			}
			if err := row(&rows[i]); err != nil {
				return err
			}
		}
		return nil
	}
}

// exportRows writes the rows that a function makes of the messages of a subject.
func exportRows[T any](ctx context.Context, s Subject, w io.Writer, about [][2]string, t Table[T], rows func(m *fixtures.StreamMessage, row func(*T) error) error) error {
	out, err := parquet.New(w, t.Fields(), about...)
	if err != nil {
		return err
	}
	values := make([]any, len(t))
	return errors.Join(s.Follow(ctx, func(m *fixtures.StreamMessage) error {
		return rows(m, func(r *T) error { return out.Row(t.values(values, r)...) })
	}), out.Close())
}

// values fills in the values of a row, as a file with types has them.
func (t Table[T]) values(dst []any, row *T) []any {
	for i := range t {
		switch v := t[i].Get(row).(type) {
		case named:
			if dst[i] = v.String(); v.printed || v.counted {
				dst[i] = v.number
			}
		case nil, uint64, bool, string:
			dst[i] = v
		default:
			dst[i] = string(stats.AppendText(nil, v))
		}
	}
	return dst
}

func exportTasks(ctx context.Context, s Subject, w io.Writer, about [][2]string) error {
	now, err := s.Now(ctx)
	if err != nil {
		return err
	}
	out, err := parquet.New(w, TaskTable.Fields(), about...)
	if err != nil {
		return err
	}
	t, values := s.Header().Target, make([]any, len(TaskTable))
	var failed error
	err = TasksOf(now, &t)(func(row *Task) bool {
		failed = out.Row(TaskTable.values(values, row)...)
		return failed == nil
	})
	return errors.Join(err, failed, out.Close())
}

// activations writes a row for each activation; within a span between two snapshots the times are estimates.
func (e *Exporting) activations(ctx context.Context, s Subject, w io.Writer, about [][2]string) error {
	out, err := parquet.New(w, []string{"record", "worker", "lane", "task", "op", "opcode", "begin_ns", "end_ns", "kind", "outcome"}, about...)
	if err != nil {
		return err
	}
	t := s.Header().Target
	teller := told{keep: e.Keep, target: &t}
	var failed error
	line := func(l *stats.SpanLine) {
		if l.Kind != stats.Activation || failed != nil {
			return
		}
		kind := megakernel.KindOf(l.Record.Format).String()
		failed = out.Row(l.Record.Number, num(l.Worker), num(l.Lane), num(l.Task), num(l.Opcode), opcodeText(&t, l.Opcode), nanoseconds(l.Begin), nanoseconds(l.End), kind, l.Record.Text(t.Formats))
	}
	take := func(m *fixtures.StreamMessage) error {
		if m.Snapshot != nil {
			teller.Snapshot(m.Snapshot, line)
		} else {
			teller.Log(m.Log, line)
		}
		return failed
	}
	return errors.Join(e.along(s).Follow(ctx, take), out.Close())
}

func nanoseconds(d time.Duration) uint64 { return uint64(max(d, 0)) }
