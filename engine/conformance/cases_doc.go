// Package cases makes the conformance cases of the kernel language: one for each overload of each
// operator, conversion and built-in function, made from the tables of engine/glsl/tree, and a few
// written kernels (kernels/*.comp) for statements, memory and the order of execution.
//
// Operands are every pair (or triple) of special values where that is feasible, and random words.
// Operands for which the language leaves an operation open are replaced, see domain.go: there backends
// may differ.

package conformance
