// Package engine is the contract between vyretop and whatever executes a kernel: a Program goes in,
// a Backend compiles it to a Pipeline, and a Pipeline runs over Buffers. The implementations are
// package gl (OpenGL) and package engine/reference (a CPU interpreter); callers hold only the
// interfaces declared here.
//
// A resident kernel is an ordinary dispatch that does not end for a while. Pipeline.Start returns
// at once with a Pending; until it is done the host reads and writes the same memory through
// Buffer.Words, one 32-bit word at a time and atomically.
//
// All sizes are counted in 32-bit little-endian words unless a name says bytes.
package engine
