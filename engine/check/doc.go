// Package check runs a compute shader on the reference interpreter and reports what it does that GLSL leaves undefined or
// that is likely to be a mistake: accesses out of range, reads of variables and shared words without a value, races
// between invocations, barriers that not all lanes reach, writes that others read without coherent, loops that read what
// is not volatile until it changes, atomics whose result would have been the value that is read behind them, indexes that
// wrap around, divisions by zero, shifts by the width of a word or more, NaN from numbers, loops without end.
//
// NewCompiled says what the front end found before anything runs. Run checks a dispatch. A Monitor checks the dispatches of a resident kernel, in which accesses are of tasks.
//
// Checkers are hooks around the instructions that they are about; a shader that runs without them pays nothing.
//
// # Races
//
// Two accesses to one word race when they are of different invocations, at least one writes, at least one is not atomic,
// and nothing orders them. Within a workgroup barrier() orders. Between workgroups atomics do: an atomic takes over what
// the workgroups before it at the same word had done, and passes on what its own has done, as a vector clock (Flanagan and
// Freund, "FastTrack: Efficient and Precise Dynamic Race Detection", PLDI 2009, with one clock for each workgroup or task
// instead of each thread). So does a read of a volatile word that another workgroup wrote. Of each word the last write and the last reads of two invocations are kept: of these two readers at
// least one is not the invocation that writes next, so a race between a write and earlier reads is found. Writes of the
// same value do not count. This takes 84 bytes for each word that is touched, at most maxPages pages of words.
//
// A word of a buffer that one invocation writes and another one reads must be coherent or volatile, even where barriers or
// atomics order the two (GLSL 4.50, sections 4.10 and 7.12).
package check
