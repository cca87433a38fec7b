// Package generate makes random kernels that GLSL defines completely: a backend that computes
// something else than the reference for one of them is wrong, or the reference is.
//
// # How undefined behaviour is kept out
//
// What the kernel language defines beyond GLSL (variables start as zero, floats are exact) is relied upon:
// the text for drivers says it in full. Expressions have no side effects: what changes a variable is a statement of its own, and the
// functions that expressions call change nothing outside. Divisors, shift amounts, indexes, field
// positions and the like are forced into their range by the text itself. Loops count to a small
// constant. Arguments that a call writes are different variables.
//
// # How the order of execution is kept out
//
// An invocation writes to places of its own. What invocations share they change by atomics that give
// the same end in any order, one operation for each place, and never look at the old value; or they
// exchange it in shared memory between two barriers, which stand where all invocations come.
//
// # The tape
//
// Every decision is read from a Tape of bytes, in which 0 always means the simplest choice. A random
// tape gives a random kernel; the same bytes give the same kernel; fewer or smaller bytes give a
// smaller one, which is how Shrink works without knowing anything of GLSL.
package generate
