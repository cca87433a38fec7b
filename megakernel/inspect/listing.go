package inspect

import (
	"bufio"
	"context"
	"errors"
	"io"

	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
)

// Listing is a table of a subject: its columns, its rows at a snapshot, and what the document of them is called.
type Listing[T any] struct {
	Schema, Name string // of the document, and of its rows in there
	Columns      Table[T]
	Rows         func(context.Context, Subject, *megakernel.Snapshot) (Rows[T], error)
}

// The tables of a subject.
var (
	WorkerListing = Listing[Worker]{Schema: WorkersSchema, Name: "workers", Columns: WorkerTable, Rows: rowsOf(WorkersOf)}
	TaskListing   = Listing[Task]{Schema: TasksSchema, Name: "tasks", Columns: TaskTable, Rows: rowsOf(TasksOf)}

	BreakpointListing = Listing[breakpoint.Status]{
		Schema: BreakpointsSchema, Name: "breakpoints", Columns: BreakpointTable,
		Rows: func(_ context.Context, s Subject, _ *megakernel.Snapshot) (Rows[breakpoint.Status], error) {
			all, err := Breakpoints(s)
			return ListOf(all), err
		},
	}
)

// WordListing is the table of the words of a buffer: of all, or of what is at a place, as WordsOf reads it.
func WordListing(buffer, place string) Listing[Word] {
	return Listing[Word]{Schema: WordsSchema, Name: "words", Columns: WordTable, Rows: func(ctx context.Context, s Subject, now *megakernel.Snapshot) (Rows[Word], error) {
		return WordsOf(ctx, s, now, buffer, place)
	}}
}

// rowsOf are rows that a snapshot has.
func rowsOf[T any](rows func(*megakernel.Snapshot, *megakernel.Target) Rows[T]) func(context.Context, Subject, *megakernel.Snapshot) (Rows[T], error) {
	return func(_ context.Context, s Subject, now *megakernel.Snapshot) (Rows[T], error) {
		target := s.Header().Target
		return rows(now, &target), nil
	}
}

// Query says which rows of a table are wanted, and in which form.
type Query struct {
	Keep string // a filter; "" keeps all
	Fail string // a filter: whether a row that is kept matches it is told; "" matches none
	JSON bool
}

// Write writes the table of a subject as it is now, and reports whether a row matches q.Fail. Errors are filter.ErrSyntax, and
// those of the subject and of w.
func (l *Listing[T]) Write(ctx context.Context, w io.Writer, s Subject, q Query) (matched bool, err error) {
	target := s.Header().Target
	keep, err := l.Columns.FilterOf(&target, q.Keep)
	if err != nil {
		return false, err
	}
	fail, err := l.Columns.FilterOf(&target, q.Fail)
	if err != nil {
		return false, err
	}
	now, err := s.Now(ctx)
	if err != nil {
		return false, err
	}
	all, err := l.Rows(ctx, s, now)
	if err != nil {
		return false, err
	}
	rows := l.Columns.Select(keep, all)
	if q.Fail != "" {
		if matched, err = l.Columns.Select(fail, rows).Any(); err != nil {
			return false, err
		}
	}
	if q.JSON {
		out := bufio.NewWriter(w)
		err := WriteDocument(out, l.Schema, s, Sample(s, now, nil), l.Name, l.Columns, rows)
		return matched, errors.Join(err, out.Flush())
	}
	return matched, l.Columns.of(&target).Write(w, rows)
}
