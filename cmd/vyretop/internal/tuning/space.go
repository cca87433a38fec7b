package tuning

import (
	"slices"
	"time"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/megakernel/tune"
)

// Limits are what bounds the settings of a target.
type Limits struct {
	Workers  int                  `json:"workers"`          // most that can be launched
	AtOnce   engine.Optional[int] `json:"at_once,omitzero"` // workers that the device runs at the same time
	Lanes    int                  `json:"lanes"`            // of a workgroup of this kernel
	SliceMax time.Duration        `json:"longest_slice_ns"` // that the target was started with
}

// LimitsOf are the limits of a device, for a kernel with so many lanes and slices.
func LimitsOf(p engine.DeviceProfile, s *Start) Limits {
	l := Limits{Workers: megakernel.MaxWorkers, Lanes: s.WorkgroupSize, SliceMax: s.Settings.Slice}
	if groups, known := p.MaxWorkgroups.Get(); known {
		l.Workers = min(l.Workers, int(groups[0]))
	}
	if n, known := p.ConcurrentWorkgroups.Get(); known {
		l.AtOnce = engine.Known(int(n))
	}
	return l
}

// Space lists the candidates for a target, and which of them it starts with: an eighth to four times its
// workers, though not more than twice as many as the device runs at once; an eighth of the lanes to all;
// the longest slices and shorter ones.
func Space(s *Start, l Limits) (list []tune.Candidate, start int) {
	workers := around(s.Settings.Workers, min(l.Workers, max(2*l.AtOnce.Or(l.Workers), s.Settings.Workers)), 4)
	lanes := around(s.Settings.Lanes, l.Lanes, 1)
	durations := []time.Duration{time.Millisecond, 10 * time.Millisecond, s.Settings.Slice}
	durations = slices.DeleteFunc(durations, func(d time.Duration) bool { return d > s.Settings.Slice })
	list = tune.Candidates(workers, lanes, slices.Compact(durations))
	start = slices.IndexFunc(list, func(c tune.Candidate) bool {
		return !slices.ContainsFunc(c, func(x megakernel.Setting) bool { return s.Settings.Get(x.Knob, x.Index) != x.Value })
	})
	return list, start
}

// around lists n divided by 8, 4 and 2, n, and n multiplied by 2 up to times, within 1 and most.
func around(n, most, times int) (out []int) {
	for d := 8; d > 1; d /= 2 {
		out = append(out, max(1, n/d))
	}
	for m := 1; m <= times; m *= 2 {
		out = append(out, min(n*m, most))
	}
	slices.Sort(out)
	return slices.Compact(out)
}
