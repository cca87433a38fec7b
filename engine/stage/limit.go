package stage

import "fmt"

// ProbeRounds is what the host puts into the word ControlProbe.
const ProbeRounds = 2

// watch stands at the end of main. A device that has ended the loops of an invocation ends each one that follows after
// its first round: so a loop that should run twice, which the compiler cannot know, tells whether that happened. The word
// ControlLimit gets the complement of the invocation's number, so that the lowest one stays; a worker, which is not to
// be found in the grid, gives all bits.
func (b *builder) watch() string {
	if !b.options.LoopLimit {
		return ""
	}
	size := b.program.WorkgroupSize
	where := "0xffffffffu"
	if !b.options.Workers {
		where = fmt.Sprintf("~(((gl_WorkGroupID.z * gl_NumWorkGroups.y + gl_WorkGroupID.y) * gl_NumWorkGroups.x + gl_WorkGroupID.x) * %du + gl_LocalInvocationIndex)", size[0]*size[1]*size[2])
	}
	return "uint vts_rounds_wanted = vts_probe, vts_rounds_run = 0u; " +
		"for (uint vts_round = 0u; vts_round < vts_rounds_wanted; vts_round++) vts_rounds_run++; " +
		"if (vts_rounds_run < vts_rounds_wanted) atomicMax(vts_limit, " + where + "); "
}
