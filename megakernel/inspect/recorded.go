package inspect

import (
	"context"
	"fmt"
	"math"
	"time"

	"vyretop/engine/fault"
	"vyretop/fixtures"
	"vyretop/megakernel"
)

// recorded is a recording at a position.
type recorded struct {
	rec *fixtures.Recording
	at  time.Duration
}

// NewRecorded looks at the end of a recording, which stays the caller's to close.
func NewRecorded(rec *fixtures.Recording) Subject { return newRecorded(rec, nil) }

func newRecorded(rec *fixtures.Recording, at *time.Duration) *recorded {
	r := &recorded{rec: rec, at: math.MaxInt64}
	if at != nil {
		r.at = *at
	}
	return r
}

// Recording is the recording itself, which stays the subject's.
func (r *recorded) Recording() *fixtures.Recording { return r.rec }

// Whole reports whether no position was chosen.
func (r *recorded) Whole() bool { return r.at == math.MaxInt64 }

func (r *recorded) Kind() Kind              { return Recording }
func (r *recorded) Header() fixtures.Header { return r.rec.Header() }
func (r *recorded) Close() error            { return r.rec.Close() }

// Damage is what of the recording cannot be read.
func (r *recorded) Damage() []*fixtures.Damage { return r.rec.Damage() }
func (r *recorded) Truncated() bool            { return r.rec.Truncated() }

// ReadBuffer copies words of a buffer as they were at that time.
func (r *recorded) ReadBuffer(_ context.Context, name string, first int, dst []uint32) error {
	return r.rec.ReadBuffer(r.at, name, first, dst)
}

func (r *recorded) Now(context.Context) (*megakernel.Snapshot, error) {
	s, _, err := r.rec.SnapshotAt(r.at)
	if err == nil && s == nil {
		err = r.nothingHere()
	}
	return s, err
}

// nothingHere is the error about a position without a snapshot.
func (r *recorded) nothingHere() error {
	e := &fault.Error{Kind: ErrNoSnapshot, Subject: r.rec.Header().Target.Workload, Detail: "the recording has no snapshot", Fix: "see what else it has with vyretop events and vyretop log, or record again"}
	if r.rec.Snapshots() > 0 {
		start, end := r.rec.Span()
		e.Kind, e.Detail, e.Fix = ErrSubject, "no snapshot at this position", fmt.Sprintf("choose one from %v to %v", ceil(start), end.Truncate(time.Microsecond))
	}
	return e
}

// ceil is a time with six digits that is not before another one.
func ceil(d time.Duration) time.Duration {
	return (d + time.Microsecond - 1).Truncate(time.Microsecond)
}

// Beyond returns the end of a recording; ok says that the position that was asked for is behind it, and the end is taken.
func (r *recorded) Beyond() (end time.Duration, ok bool) {
	_, end = r.rec.Span()
	return end, r.at != math.MaxInt64 && r.at > ceil(end)
}

func (r *recorded) Pair(_ context.Context, window time.Duration) (now, before *megakernel.Snapshot, err error) {
	now, before, err = r.pairAt(r.at, window)
	if err == nil && now == nil {
		err = r.nothingHere()
	}
	return now, before, err
}

// pairAt is Pair at a time of the recording; now is nil before the first snapshot.
func (r *recorded) pairAt(at, window time.Duration) (now, before *megakernel.Snapshot, err error) {
	at = min(at, r.at)
	now, number, err := r.rec.SnapshotAt(at)
	if err != nil || now == nil {
		return nil, nil, err
	}
	now = r.rested(now, number, at)
	if before, _, err = r.rec.SnapshotAt(now.Taken - window); err == nil && before == nil {
		before, _, err = r.rec.SnapshotNumber(0)
	}
	if before != nil && before.Seq == now.Seq && before.Taken == now.Taken {
		before = nil
	}
	return now, before, err
}

// rested is a snapshot as of a later time, where the one after it shows that nothing has changed until then: recordings leave
// out what lies between such two.
func (r *recorded) rested(s *megakernel.Snapshot, number int, at time.Duration) *megakernel.Snapshot {
	if at <= s.Taken || number+1 >= r.rec.Snapshots() {
		return s
	}
	next, _, err := r.rec.SnapshotNumber(number + 1)
	if err != nil || next == nil || !next.Unchanged(s) {
		return s
	}
	later := *s
	later.Taken = min(at, next.Taken)
	return &later
}

func (r *recorded) LastLog(limit int) []megakernel.LogRecord { return r.rec.LastLog(r.at, limit) }

func (r *recorded) History(ctx context.Context, want fixtures.Wanted, each func(*fixtures.StreamMessage) error) error {
	return r.rec.Follow(ctx, want, r.at, each)
}

// Follow goes through the recording as a live subject would have gone through the run.
func (r *recorded) Follow(ctx context.Context, each func(*fixtures.StreamMessage) error) error {
	return r.rec.Follow(ctx, fixtures.Wanted{Snapshots: true, Log: true, Events: true}, r.at, each)
}
