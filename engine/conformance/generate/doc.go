// Package generate makes random kernels that the kernel language defines completely: a backend that computes
// something else than the reference for one of them is wrong, or the reference is.
//
// # How what backends may do differently is kept out
//
// What the kernel language defines beyond GLSL (variables start as zero, floats are exact, integers divide
// and shift by anything) is relied upon: the text for drivers says it in full. What remains are indexes,
// which the text itself forces into their range, and the order of evaluation: expressions have no side
// effects. What changes a variable is a statement of its own, the functions that expressions call change
// nothing outside, and arguments that a call writes are different variables. Loops go round a few times,
// a few kernels have one that goes round more often than some devices can.
//
// # How the order of execution is kept out
//
// An invocation writes to places of its own. What invocations share they change by atomics that give
// the same end in any order, one operation for each place, and never look at the old value; or they
// exchange it in shared memory between two barriers, which stand where all invocations come.
//
// Functions of subgroups stand where all invocations of a workgroup come, behind a subgroupBarrier, or in a branch of one
// assignment there: behind other branches GLSL leaves open which invocations are active together.
//
// # The tape
//
// Every decision is read from a Tape of bytes, in which 0 always means the simplest choice. A random
// tape gives a random kernel; the same bytes give the same kernel; fewer or smaller bytes give a
// smaller one, which is how Shrink works without knowing anything of GLSL.
package generate
