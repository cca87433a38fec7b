package inspect

import (
	"context"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/filter"
	"vyretop/megakernel/stats"
)

// Selection says what of a subject is exported; the zero value is everything.
type Selection struct {
	From time.Duration // of a recording: time since launch of the first snapshot
	Keep *filter.Expr  // nil, or which records of the log, in the names of LogTable; what snapshots tell of workers is left out, too
}

// From is a subject that is followed from a time on: from the first snapshot at that time or behind it. What was logged before that
// snapshot has no place in time, and is left out.
func From(s Subject, from time.Duration) Subject {
	if from <= 0 {
		return s
	}
	return later{s, from}
}

// later is a subject that is followed from a time on.
type later struct {
	Subject
	from time.Duration
}

// Follow implements Subject.
func (l later) Follow(ctx context.Context, each func(*fixtures.StreamMessage) error) error {
	began := false
	take := func(m *fixtures.StreamMessage) error {
		began = began || m.Snapshot != nil && m.Snapshot.Taken >= l.from
		if began || m.Event != nil && m.Event.At >= l.from || m.Reload != nil {
			return each(m)
		}
		return nil
	}
	if r, ok := l.Subject.(*recorded); ok {
		return r.rec.Follow(ctx, fixtures.Wanted{Snapshots: true, Log: true, Events: true, From: l.from}, r.at, take)
	}
	return l.Subject.Follow(ctx, take)
}

// told is a teller of the lines that a filter keeps.
type told struct {
	stats.Teller
	keep   *filter.Expr
	target *megakernel.Target
}

// Log implements the same method of stats.Teller.
func (t *told) Log(records []megakernel.LogRecord, each func(*stats.SpanLine)) {
	t.Teller.Log(records, t.kept(each))
}

// Snapshot implements the same method of stats.Teller.
func (t *told) Snapshot(s *megakernel.Snapshot, each func(*stats.SpanLine)) {
	t.Teller.Snapshot(s, t.kept(each))
}

// End implements the same method of stats.Teller.
func (t *told) End(each func(*stats.SpanLine)) { t.Teller.End(t.kept(each)) }

func (t *told) kept(each func(*stats.SpanLine)) func(*stats.SpanLine) {
	if t.keep == nil {
		return each
	}
	return func(l *stats.SpanLine) {
		if l.Record != nil && LogTable.Match(t.keep, &Record{LogRecord: *l.Record, target: t.target}) {
			each(l)
		}
	}
}
