package pane

import (
	"vyretop/megakernel/recommend"
	"vyretop/tui/history"
)

// Pulse is whether what a frame shows of a live target still happens.
type Pulse uint8

// What can be known of that.
const (
	Beating Pulse = iota
	Ended         // the run has ended: nothing happens any longer
	Lost          // there is no connection: what happens is unknown
)

// Settle has a frame say that its target has ended, or that nothing comes from it any longer. What was measured over the
// newest second of the target is not of now, and goes: rates are 0 after the end, and unknown without a connection.
func (f *Frame) Settle(p Pulse) {
	reads := f.Stats.SnapshotsPerSecond
	f.Pulse, f.Occupancy, f.Stats = p, nil, history.Stats{}
	f.Advice, f.Advised, f.AdviceNote = recommend.Advice{}, "", "the run has ended: nothing is recommended"
	if p == Ended {
		f.Stats.RatesKnown, f.Stats.SnapshotsPerSecond = true, reads
		return
	}
	f.AdviceNote = "the connection is lost: nothing is recommended"
	for i := range f.Beats {
		f.Beats[i] = history.Never
	}
}
