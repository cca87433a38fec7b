// Package dispatch owns one dispatch from the command line: files fill the buffers of a program, a
// backend runs it, and buffers become files.
//
// A file holds the bytes of a buffer as the kernel sees them: 32-bit little-endian words, std430. A
// buffer has the size that Request.Sizes gives it, else that of its input, else that of its block when
// the block has a fixed size. What no input fills is zero.
package dispatch
