// Package vm executes kernels in lockstep: one instruction runs over every lane of a workgroup.
//
// # Code
//
// A Code is a flat list of fixed-size instructions over numbered registers. A register holds one
// 32-bit word per lane; a vector occupies consecutive registers, a float is its IEEE bits, a bool
// is 0 or 1. Each operation is one row of a table (Ops): its name, what its operands D, A, B and C
// mean, and the function that runs it. Nothing runs before Verify has accepted it, and accepted
// code cannot make the machine panic.
//
// Registers 0 to InputRegs-1 hold the compute inputs, the last len(Consts) registers the constants,
// the ones between are variables and temporaries and start as zero.
//
// # Masks
//
// Divergence is handled by masks, one bit per lane. Mask 0 is the set of active lanes, mask 1 the
// set of lanes that left a construct they will rejoin further down. The operations are:
//
//	enter saved, set, set2       saved = active; set = set2 = none
//	if saved, cond, else, L      saved = active; else = active without cond; active = active with cond; none: L
//	else set, L                  active = set; none: L
//	test cond, L                 active = active with cond; none: L
//	join saved, cond, L          active = active + saved with cond; none: L
//	leave set, L                 set += active; left += active; active = none; L
//	rejoin set, L                left -= set; active += set; set = none; none active: L
//	repeat L                     the only jump backwards; counts one loop round for each active lane
//	merge saved, set, L          left -= set; active = saved - left; none: L
//
// mark does nothing: it is the place of a call that begins with no instruction of its own, where a
// debugger can stop.
//
// break, continue and return are all "leave" into the set of their loop, switch or call. Since only
// repeat jumps backwards and each round is counted, an iteration budget ends every kernel.
//
// # Memory
//
// Loads, stores and atomics name an Access: a space (a buffer, the shared memory or the registers
// themselves), a base, and for a dynamic index the stride and number of elements. An index out of
// range never touches memory: a load gives 0, a store does nothing, and the place is reported.
package vm
