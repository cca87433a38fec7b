// Package check runs a compute shader on the reference interpreter and reports what it does that GLSL leaves undefined or
// that is likely to be a mistake: accesses out of range, reads of variables and shared words without a value, races
// between invocations, barriers that not all lanes reach, writes that others read without coherent, divisions by zero,
// shifts by the width of a word or more, NaN from numbers, loops without end.
//
// Checkers are hooks around the instructions that they are about; a shader that runs without them pays nothing.
//
// # Races
//
// Two accesses to one word race when they are of different invocations, at least one writes, at least one is not atomic,
// and nothing orders them. Within a workgroup barrier() orders. Between workgroups atomics do: an atomic takes over what
// the workgroups before it at the same word had done, and passes on what its own has done, as a vector clock (Flanagan and
// Freund, "FastTrack: Efficient and Precise Dynamic Race Detection", PLDI 2009, with one clock for each workgroup instead
// of each thread). Of each word the last write and the last reads of two invocations are kept: of these two readers at
// least one is not the invocation that writes next, so a race between a write and earlier reads is found. Writes of the
// same value do not count. This takes 96 bytes for each word that the dispatch touches.
//
// A word of a buffer that one invocation writes and another one reads must be coherent or volatile, even where barriers or
// atomics order the two (GLSL 4.50, sections 4.10 and 7.12).
package check
