package inspect

import (
	"context"
	"errors"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
)

// RecordTo writes what a subject says into a new recording, or several, for atMost (0: no limit) or until either ends, and then what its
// buffers hold. warn is told at once what keeps the recording waiting; what ends the recording ends RecordTo, whether or not
// the subject says anything more. Errors are those of the subject and of fixtures.Writer.
func RecordTo(ctx context.Context, s Subject, atMost time.Duration, file string, in Segments, warn func(text string)) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	out := &segmented{Segments: in, header: s.Header(), name: file}
	out.tell = func(w *fixtures.Writer) {
		w.OnTrouble(func(text string) {
			if w.Err() == nil {
				warn(text)
				return
			}
			end() // Close returns the error
		})
	}
	if err := out.next(); err != nil {
		return err
	}
	var at time.Duration
	err := withContents(ctx, s, Briefly(s, atMost), func(m *fixtures.StreamMessage) error {
		switch {
		case m.Snapshot != nil:
			at = m.Snapshot.Taken
			return out.snapshot(m.Snapshot)
		case m.Reload != nil:
			out.w.Reloaded(*m.Reload)
		case m.Event != nil:
			out.w.Event(*m.Event)
		default:
			out.w.Log(m.Log)
		}
		return nil
	}, func(ctx context.Context, s Subject) error {
		if out.w == nil {
			return nil
		}
		return recordContents(ctx, s, out.w, at)
	})
	if out.w == nil { // the next file could not be made
		return err
	}
	return errors.Join(err, out.w.Close())
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
