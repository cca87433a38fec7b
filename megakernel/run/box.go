package run

import (
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/live"
	"vyretop/tasks"
)

// both hands everything to two recorders.
type both [2]live.Recorder

func (b both) Snapshot(s *megakernel.Snapshot) {
	for _, r := range b {
		r.Snapshot(s)
	}
}

func (b both) LogBlocks(blocks megakernel.LogBlocks) {
	for _, r := range b {
		r.LogBlocks(blocks)
	}
}

func (b both) Submitted(at time.Duration, list []tasks.Task) {
	for _, r := range b {
		r.Submitted(at, list)
	}
}

func (b both) Command(at time.Duration, c megakernel.Command) {
	for _, r := range b {
		r.Command(at, c)
	}
}

func (b both) Event(e megakernel.HostEvent) {
	for _, r := range b {
		r.Event(e)
	}
}
