package inspect

import (
	"context"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
)

// RecordTo writes what a subject says into a new recording, or several, for atMost (0: no limit) or until either ends, and then what its
// buffers hold. warn is told at once what keeps the recording waiting; what ends the recording ends RecordTo, whether or not
// the subject says anything more. Errors are those of the subject and of fixtures.Writer.
func RecordTo(ctx context.Context, s Subject, atMost time.Duration, file string, in fixtures.Segments, warn func(text string)) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	out, err := fixtures.CreateSegments(file, s.Header(), in, func(w *fixtures.Writer) {
		w.OnTrouble(func(text string) {
			if w.Err() == nil {
				warn(text)
				return
			}
			end() // Close returns the error
		})
	})
	if err != nil {
		return err
	}
	var at time.Duration
	err = withContents(ctx, s, Briefly(s, atMost), func(m *fixtures.StreamMessage) error {
		switch {
		case m.Snapshot != nil:
			at = m.Snapshot.Taken
			out.Snapshot(m.Snapshot)
			return out.Err()
		case m.Reload != nil:
			out.Reloaded(*m.Reload)
		case m.Event != nil:
			out.Event(*m.Event)
		default:
			out.Log(m.Log)
		}
		return nil
	}, func(ctx context.Context, s Subject) error {
		if w := out.Writer(); w != nil {
			return recordContents(ctx, s, w, at)
		}
		return nil
	})
	if closed := out.Close(); err == nil {
		err = closed
	}
	return err
}

// recordContents records what the buffers of a subject hold, as far as run --record does.
func recordContents(ctx context.Context, s Subject, w *fixtures.Writer, at time.Duration) error {
	limits := Limits{Buffer: fixtures.KeptOfBuffer, All: fixtures.KeptOfAll}
	return Contents(ctx, s, limits, func(b *megakernel.BufferInfo, first int, words []uint32) error {
		w.Buffer(at, b.Name, first, words)
		return nil
	}, func(b *megakernel.BufferInfo, n int, err error) {
		text := fixtures.KeptText(b, b.Words-n)
		if err != nil {
			text += ": " + err.Error()
		}
		w.Event(megakernel.HostEvent{At: at, Kind: "record", Text: text})
	})
}
