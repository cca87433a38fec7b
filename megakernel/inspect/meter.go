package inspect

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"vyretop/engine/fault"
	"vyretop/engine/units"
	"vyretop/fixtures"
)

// ErrLimit is matched by the error about an export that became larger than its limit.
const ErrLimit fault.Kind = "the export is larger than its limit"

// Meter says how far an export is and how large it has become. How large it will be is not said: what a second of a recording
// holds differs a hundredfold between its beginning and its end. It is a writer between the export and its file, and may be read
// from another goroutine.
type Meter struct {
	W     io.Writer
	Limit int64 // of bytes; 0: none

	large    int64 // that tell is told of, once
	tell     func()
	from, to time.Duration // of a recording; to is 0 where the end is not known
	at       atomic.Int64
	written  atomic.Int64
}

// NewMeter measures the export of a subject from a time on.
func NewMeter(w io.Writer, s Subject, from time.Duration, limit int64) *Meter {
	m := &Meter{W: w, Limit: limit}
	if r, ok := s.(*recorded); ok {
		start, end := r.rec.Span()
		m.from, m.to = max(start, from), min(end, r.at)
	}
	return m
}

// Write implements io.Writer.
func (m *Meter) Write(p []byte) (int, error) {
	if total := m.written.Load() + int64(len(p)); m.Limit > 0 && total > m.Limit {
		return 0, &fault.Error{Kind: ErrLimit, Detail: "the export is larger than its limit of " + units.Bytes(m.Limit), Fix: "select less with --from, --to or --filter, or raise the limit"}
	}
	n, err := m.W.Write(p)
	m.written.Add(int64(n))
	if m.tell != nil && m.Written() > m.large {
		m.tell()
		m.tell = nil
	}
	return n, err
}

// OnLarge has tell called once, within Write, when more than some bytes were written.
func (m *Meter) OnLarge(bytes int64, tell func()) { m.large, m.tell = bytes, tell }

// Written is how many bytes the file has.
func (m *Meter) Written() int64 { return m.written.Load() }

// Share is how much of a recording was read, from 0 to 1; ok is false of a live run.
func (m *Meter) Share() (share float64, ok bool) {
	if m.to <= m.from {
		return 0, false
	}
	return min(max(float64(time.Duration(m.at.Load())-m.from)/float64(m.to-m.from), 0), 1), true
}

// String says how far the export is.
func (m *Meter) String() string {
	text := units.Bytes(m.Written()) + " written"
	share, ok := m.Share()
	if !ok {
		return text
	}
	return fmt.Sprintf("%.0f %% of the recording's time read, %s", share*100, text)
}

// metered is a subject whose following a meter is told of.
type metered struct {
	Subject
	meter *Meter
}

// Follow implements Subject.
func (m metered) Follow(ctx context.Context, each func(*fixtures.StreamMessage) error) error {
	return m.Subject.Follow(ctx, func(msg *fixtures.StreamMessage) error {
		err := each(msg)
		if msg.Snapshot != nil {
			m.meter.at.Store(int64(msg.Snapshot.Taken))
		}
		return err
	})
}
