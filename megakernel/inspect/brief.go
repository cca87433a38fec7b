package inspect

import (
	"context"
	"errors"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel/stats"
	"vyretop/megakernel/tune"
)

// brief is a subject that is followed for a time from its first snapshot on.
type brief struct {
	Subject
	atMost time.Duration
}

// overdue is how long the snapshot that ends a brief subject may keep it waiting.
const overdue = 5 * time.Second

// Briefly limits how long a subject is followed; 0: no limit.
func Briefly(s Subject, atMost time.Duration) Subject {
	if atMost == 0 {
		return s
	}
	return brief{s, atMost}
}

// Follow implements Subject. The end is the first snapshot when the time is over, so that two exist and
// what was logged between them has its place; a target that gives none is not waited for longer than overdue.
func (b brief) Follow(ctx context.Context, each func(*fixtures.StreamMessage) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var first time.Time
	return b.Subject.Follow(ctx, func(m *fixtures.StreamMessage) error {
		err := each(m)
		switch {
		case m.Snapshot == nil:
		case first.IsZero():
			first = time.Now()
			time.AfterFunc(b.atMost+overdue, cancel)
		case time.Since(first) >= b.atMost:
			cancel()
		}
		return err
	})
}

// contentsTime bounds how long the buffers of a live run are read.
const contentsTime = 10 * time.Second

// withContents follows a subject, as it is with limits, and then reads the contents of its buffers: of a live run
// as soon as its work has ended, because the run may end soon after.
func withContents(ctx context.Context, s, along Subject, take func(*fixtures.StreamMessage) error, read func(context.Context, Subject) error) error {
	done := false
	contents := func() error {
		if done {
			return nil
		}
		done = true
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), contentsTime)
		defer cancel()
		beside, end, err := Beside(ctx, s)
		if err != nil {
			return nil // the run is gone, which the end of the following told
		}
		return errors.Join(read(ctx, beside), end())
	}
	err := along.Follow(ctx, func(m *fixtures.StreamMessage) error {
		err := take(m)
		if m.Snapshot != nil && s.Kind() == Live && tune.Ended(m.Snapshot) != nil {
			err = errors.Join(err, contents())
		}
		return err
	})
	if err != nil {
		return err
	}
	return contents()
}

// TimeActivations times the activations of a subject: of a live run for a time or until the context ends, of a recording all.
func TimeActivations(ctx context.Context, s Subject, name string, atMost time.Duration) (stats.OpTimesDocument, error) {
	from := s
	if s.Kind() == Live {
		from = Briefly(s, atMost)
	}
	times, sampled := &stats.OpTimes{}, ""
	err := from.Follow(ctx, func(m *fixtures.StreamMessage) error {
		times.Log(m.Log)
		if m.Snapshot != nil {
			sampled = m.Snapshot.Logging.Text()
			times.Snapshot(m.Snapshot)
		}
		return nil
	})
	if ctx.Err() != nil {
		err = nil // what was timed until then
	}
	target := s.Header().Target
	return stats.NewOpTimesDocument(name, target.Renderer, sampled, times, target.Opcodes), err
}
