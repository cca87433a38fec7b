// Package reference is the CPU backend: it executes the typed tree of a kernel, and what it computes
// is what the other backends are compared with.
//
// # What GLSL leaves undefined
//
// Here every kernel has one meaning, given the order in which workgroups run:
//
//   - An integer division or remainder by zero is 0. The most negative int divided by -1 is itself, the
//     remainder 0.
//   - A shift uses the low five bits of its right operand.
//   - An index out of range reads 0 and writes nothing; an atomic on it yields 0. This is so for buffers,
//     shared memory, arrays and vectors, each by its own length.
//   - A variable that has not been assigned is 0, as are the shared memory when a workgroup starts and the
//     result of a function that ends without a return.
//   - A bit field that begins outside bits 0 to 31, or is shorter than one bit, is empty; one that is too
//     long ends at bit 31.
//   - A float too large for int or uint becomes the nearest one; NaN becomes 0.
//   - Operands and arguments are evaluated left to right; out arguments are copied back left to right.
//
// Division by zero and indexes out of range are reported with the source line: see Dispatch.Reports. Under the
// profile "checked" a dispatch that did such a thing fails with an ErrUndefined.
//
// # Floating point
//
// Package engine/glsl/floats has the rule, and the functions.
//
// # Order of execution
//
// The lanes of a workgroup run in lockstep: all of them execute an instruction before any executes the
// next, in ascending order where the order shows. So barriers wait for nothing, and it is an error when
// one is not reached by all lanes that have not returned from main. A lane that spins on a lock held by
// another lane of the same workgroup never gets it; the iteration budget ends such a kernel.
//
// Workgroups are interleaved. By default one goroutine runs them, a time slice each, in rounds whose
// order and slice lengths follow from Options.Seed: a workgroup that spins cannot starve the others, and
// the same seed, program and inputs give the same execution. The host may read and write host-visible
// buffers in the meantime; what it writes then is an input too. With Options.Parallel several goroutines
// run workgroups, with real atomics and an order that nothing determines.
package reference
