package live

import (
	"context"
	"time"
)

// The log is read by a goroutine of its own: a kernel fills the ring of a log in milliseconds, in which reading a snapshot
// of many slots may not even be half done. It sleeps as long as the log stays nearly empty.
const (
	leastRest = 200 * time.Microsecond
	mostRest  = 10 * time.Millisecond
	// logBatch bounds the records taken at a time, so that a kernel that logs without end cannot keep others waiting.
	logBatch = 1 << 17
	// busyLog records or more in one reading have the next one come sooner, fewer than quietLog later.
	busyLog  = 1 << 14
	quietLog = 1 << 12
)

// pumpLog takes the log until ctx ends.
func (h *Hub) pumpLog(ctx context.Context) {
	rest := leastRest
	timer := time.NewTimer(rest)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		n := 0
		if !h.quiet.Load() {
			n = h.takeLog()
		}
		switch {
		case n == logBatch:
			rest = 0
		case n >= busyLog:
			rest = max(rest/2, leastRest)
		case n < quietLog:
			rest = min(max(2*rest, leastRest), mostRest)
		}
		timer.Reset(rest)
	}
}

// takeLog takes all available records, keeps and records them, and returns how many that were.
func (h *Hub) takeLog() int {
	h.taking.Lock()
	defer h.taking.Unlock()
	blocks := h.session.TakeLog(logBatch)
	if len(blocks) == 0 {
		return 0
	}
	h.AddLog(blocks)
	if h.o.Recorder != nil {
		h.o.Recorder.LogBlocks(blocks)
	}
	return blocks.Len()
}
