package stats

import (
	"fmt"
	"math"

	"vyretop/engine/fault"
	"vyretop/tasks"
)

// Movement says whether a target moves.
type Movement struct {
	DoneDelta uint32 `json:"done_delta"` // tasks that ended since the last look
	Depth     uint32 `json:"queue_depth"`
	Faulted   uint32 `json:"fault_slots"`
	Requeued  uint32 `json:"requeue_slots"`
	IdlePpm   uint32 `json:"gpu_idle_ppm"`
	// Stalled: there is work, and none of it ended since. A fault neither causes nor hides it.
	Stalled bool `json:"suspected_stall"`
}

// MovementSince compares a look at a target with the number of tasks done at an earlier one. A counter
// that went back is ErrCounter. Sums saturate.
func MovementSince(o *StateCounts, done, earlier uint32) (Movement, error) {
	if done < earlier {
		return Movement{}, &fault.Error{Kind: ErrCounter, Subject: "done_count", Detail: fmt.Sprintf("went back from %d to %d", earlier, done), Fix: "compare looks at one launch only, the earlier one first"}
	}
	total := o.total()
	depth := total - uint64(o[tasks.Empty]) - uint64(o[tasks.Done])
	h := Movement{
		DoneDelta: done - earlier, Depth: saturate(depth), Faulted: o[tasks.Faulted], Requeued: o[tasks.Requeued],
	}
	if total > 0 {
		h.IdlePpm = rate(o[tasks.Empty], saturate(total), 1_000_000)
	}
	h.Stalled = h.DoneDelta == 0 && depth > 0
	return h, nil
}

func saturate(n uint64) uint32 { return uint32(min(n, math.MaxUint32)) }
