package rerun

import (
	"slices"
	"time"

	"vyretop/engine"
	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/tune"
)

// Limits are what bounds the settings of a target.
type Limits struct {
	Workers    int                  `json:"workers"`          // most that can be launched
	AtOnce     engine.Optional[int] `json:"at_once,omitzero"` // workers that the device runs at the same time
	Lanes      int                  `json:"lanes"`            // of a workgroup of this kernel
	MaxLanes   int                  `json:"max_lanes"`        // of the largest workgroup that is searched
	SliceMaxMs float64              `json:"longest_slice_ms"` // that the target was started with
}

// LimitsOf are the limits of a device, for a kernel with that many lanes and slices.
func LimitsOf(p engine.DeviceProfile, s *Start) Limits {
	l := Limits{Workers: megakernel.MaxWorkers, Lanes: s.WorkgroupSize, MaxLanes: max(s.WorkgroupSize, s.MaxLanes), SliceMaxMs: units.Milliseconds(s.Settings.Slice)}
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
// the longest slices and shorter ones. With the longest slices also workgroups of half, twice and four times the size, all
// of whose lanes are filled: each is a kernel to compile.
func Space(s *Start, l Limits) (list []tune.Candidate, start int) {
	workers := around(s.Settings.Workers, min(l.Workers, max(2*l.AtOnce.Or(l.Workers), s.Settings.Workers)), 4)
	lanes := around(s.Settings.Lanes, l.Lanes, 1)
	durations := []time.Duration{time.Millisecond, 10 * time.Millisecond, s.Settings.Slice}
	durations = slices.DeleteFunc(durations, func(d time.Duration) bool { return d > s.Settings.Slice })
	list = tune.Candidates(workers, lanes, slices.Compact(durations))
	own := megakernel.Setting{ID: megakernel.WorkgroupSetting, Value: int64(s.WorkgroupSize)}
	for i := range list {
		list[i] = append(list[i], own)
	}
	for _, size := range workgroups(s.WorkgroupSize, l.MaxLanes) {
		for _, c := range tune.Candidates(workers, []int{size}, []time.Duration{s.Settings.Slice}) {
			list = append(list, append(c, megakernel.Setting{ID: megakernel.WorkgroupSetting, Value: int64(size)}))
		}
	}
	start = slices.IndexFunc(list, func(c tune.Candidate) bool {
		return !slices.ContainsFunc(c, func(x megakernel.Setting) bool { return s.Settings.Get(x.ID, x.Index) != x.Value })
	})
	return list, start
}

// workgroups lists sizes of workgroups to search beside n, in order; none where most is n.
func workgroups(n, most int) (out []int) {
	if most <= n {
		return nil
	}
	for _, size := range []int{n / 2, 2 * n, 4 * n} {
		if size >= 1 && size <= most {
			out = append(out, size)
		}
	}
	return out
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
