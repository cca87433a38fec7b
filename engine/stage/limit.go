package stage

import "fmt"

// ProbeRounds is what the host puts into the word ControlProbe.
const ProbeRounds = 2

// idle stands at the beginning of main where the last vector of a workgroup's row is not full. A device that ends loops
// also counts the rounds of the lanes that the row leaves idle: what they store has no effect, so a condition that reads it
// back never holds. They return at once. In a row of one invocation the compiler takes gl_LocalInvocationID.x for zero;
// there an atomic operation, which gives idle lanes zero, tells them apart.
func (b *builder) idle() string {
	row := b.program.WorkgroupSize[0]
	switch {
	case !b.options.LoopLimit || b.options.Lockstep == 0 || row%b.options.Lockstep == 0:
		return ""
	case row == 1:
		return "if (atomicOr(vts_probe, 0u) == 0u) return; "
	}
	return fmt.Sprintf("if (gl_LocalInvocationID.x >= %du) return; ", row)
}

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
