// Package conformance holds a backend to the reference backend. A Case is one kernel with all the
// words of its buffers; a Runner runs it on both and compares every word afterwards, and how the
// dispatch ended, with no tolerance. What differs is named to the field of the first word.
//
// The cases themselves come from package cases, one for each operation of the language, and from
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
package conformance
