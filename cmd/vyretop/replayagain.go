package main

import (
	"context"

	"vyretop/fixtures"
	"vyretop/megakernel/capture"
	"vyretop/megakernel/replay"
	"vyretop/tasks"
	"vyretop/tui"
)

// executable plays a recording whose run can be executed again.
type executable struct {
	*fixtures.Player
	name string
	rec  *fixtures.Recording
}

// playedSource is what the dashboard shows of a recording.
func playedSource(player *fixtures.Player, name string, rec *fixtures.Recording) tui.Source {
	if !replay.Possible(rec) {
		return player
	}
	return executable{player, name, rec}
}

// Activation implements pane.Executor.
func (e executable) Activation(ctx context.Context, task uint32, slot [tasks.SlotWords]uint32) (*capture.Capture, error) {
	r, err := replay.Activation(ctx, e.name, e.rec, replay.Wanted{Task: task, Words: slot[:]})
	if err != nil {
		return nil, err
	}
	return r.Capture, nil
}
