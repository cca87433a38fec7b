// Package conformance holds a backend to the reference backend. A Case is one kernel with all the
// words of its buffers; a Runner runs it on both and compares every word afterwards, and how the
// dispatch ended, with no tolerance. What differs is named to the field of the first word.
//
// The cases themselves come from Cases, one for each operation of the language, and from
// package generate, which makes random kernels that the language defines completely, and makes a kernel that
// shows a difference small.
//
// # Kernel files
//
// A case can be a file: GLSL that any compiler takes, whose comments say what else the case needs.
// Numbers are decimal, or hexadecimal with 0x; what is left out of a buffer is zero.
//
//	//: grid X Y Z                    workgroups; 1 1 1 without this line
//	//: buffer B = WORD WORD …        the first words of the buffer at binding B
//	//: buffer B size N               its number of words, when there are more
//	//: buffer B random N seed S      N words from the generator PCG(S, 0)
//
// Every block of the kernel needs a buffer line.
//
// # Cases
//
// Cases makes the conformance cases of the kernel language: one for each overload of each
// operator, conversion and built-in function, made from the tables of engine/glsl/tree, and a few
// written kernels (kernels/*.comp) for statements, memory and the order of execution.
//
// Operands are every pair (or triple) of special values where that is feasible, and random words.
// Operands for which the language leaves an operation open are replaced, see domain.go: there backends
// may differ.
//
// # Processes
//
// A Pool runs cases in processes of their own, because a random kernel can find
// a driver's compiler in a state where it ends the whole process. That is then a difference like any
// other, with its kernel, and not the end of the comparison.
//
// A worker process writes an empty reply when it is ready. Then it reads one JSON request a line from
// its standard input and answers each with one line on its standard output. What it writes to standard
// error is told only when it ends unasked.
package conformance
