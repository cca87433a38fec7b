package tui

import (
	"bufio"
	"context"
	"io"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/alert"
)

// LinearSource is where the data comes from; that of a dashboard has all of it.
type LinearSource interface {
	// Target describes the run as a whole.
	Target() megakernel.Target
	// Snapshot is the newest one; nil before the first.
	Snapshot() *megakernel.Snapshot
	// Events are those from number after on, counted from 0, at most limit.
	Events(after, limit int) []megakernel.HostEvent
	// Updates has a value when a snapshot is new; it is closed when none will come.
	Updates() <-chan struct{}
}

// LinearOptions say how to tell. Every zero value is a default.
type LinearOptions struct {
	Alerts  *alert.Watch
	Summary time.Duration // of target time between two summaries; default DefaultSummary
}

// DefaultSummary is how often what changes all the time is told.
const DefaultSummary = 5 * time.Second

// eventBatch bounds the events of one look at the source.
const eventBatch = 256

// RunLinear tells what a source does until it or ctx ends; neither is an error.
func RunLinear(ctx context.Context, w io.Writer, s LinearSource, o LinearOptions) error {
	target := s.Target()
	t := NewTeller(&target, o)
	out := bufio.NewWriter(w)
	seen := 0
	for open := true; ; {
		events := s.Events(seen, eventBatch)
		seen += len(events)
		for _, line := range t.Tell(s.Snapshot(), events) {
			_, _ = out.WriteString(line + "\n") // Flush reports
		}
		if err := out.Flush(); err != nil || !open {
			return err
		}
		if len(events) == eventBatch {
			continue
		}
		select {
		case _, open = <-s.Updates():
		case <-ctx.Done():
			open = false
		}
	}
}
