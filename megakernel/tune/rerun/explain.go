package rerun

import (
	"fmt"

	"vyretop/megakernel"
	"vyretop/megakernel/policy"
	"vyretop/megakernel/tune"
)

// Relation tells how a shape that was found relates to the policy's recommendation for the same target, and
// to the limits of the device.
type Relation struct {
	Limits         Limits
	Recommendation policy.Recommendation // for the queue that the target had with its first settings
	Reasons        []policy.Reason
	Err            error    // why there is no recommendation
	Differences    []string // in words, each with its cause; none where all agree
}

// Relate compares what was found with the standard policy.
func Relate(s *Start, l Limits, best tune.Candidate) *Relation {
	r := &Relation{Limits: l}
	p := policy.StandardPolicy()
	r.Recommendation, r.Reasons, r.Err = p.Explain(&s.Request, policy.NoTopology)
	workers, ok := best.Value(megakernel.WorkersSetting)
	if !ok {
		workers = int64(s.Settings.Workers)
	}
	lanes, ok := best.Value(megakernel.LanesSetting)
	if !ok {
		lanes = int64(s.Settings.Lanes)
	}
	if r.Err != nil {
		r.add("the policy recommends nothing: %v", r.Err)
		return r
	}
	r.relateWorkers(s, workers)
	r.relateLanes(lanes)
	return r
}

func (r *Relation) add(format string, args ...any) {
	r.Differences = append(r.Differences, fmt.Sprintf(format, args...))
}

func (r *Relation) relateWorkers(s *Start, found int64) {
	asked := int64(r.Recommendation.Groups)
	atOnce, known := r.Limits.AtOnce.Get()
	switch {
	case asked == found:
	case known && asked > int64(atOnce):
		r.add("workers: the policy says %d (%s); the device runs %d at once, and more only take turns: %d measured best", asked, r.because("worker_groups"), atOnce, found)
	case asked < found:
		r.add("workers: the policy says %d (%s); with a queue of %d tasks %d measured best", asked, r.because("worker_groups"), s.Request.QueueLen, found)
	default:
		r.add("workers: the policy says %d (%s); it counts tasks, and does not know how long they take nor who else uses the processors: %d measured best", asked, r.because("worker_groups"), found)
	}
	if known && found > int64(atOnce) {
		r.add("workers: %d are more than the device runs at once (%d); when one leaves its slice another is there already", found, atOnce)
	}
}

func (r *Relation) relateLanes(found int64) {
	if width := int64(r.Recommendation.Geometry.WorkgroupSizeX); width != found {
		r.add("lanes: the policy says %d (%s), as wide as there are worker groups; the kernel's workgroups have %d, and %d of them measured best", width, r.because("workgroup_size_x"), r.Limits.Lanes, found)
	}
}

// because is the last rule that decided a member of the recommendation.
func (r *Relation) because(member string) string {
	for i := len(r.Reasons) - 1; i >= 0; i-- {
		if r.Reasons[i].Sets == member {
			return "rule " + r.Reasons[i].Rule
		}
	}
	return "no rule"
}
