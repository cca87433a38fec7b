// Package worker runs conformance cases in processes of their own, because a random kernel can find
// a driver's compiler in a state where it ends the whole process. That is then a difference like any
// other, with its kernel, and not the end of the comparison.
//
// A worker process writes an empty reply when it is ready. Then it reads one JSON request a line from
// its standard input and answers each with one line on its standard output. What it writes to standard
// error is told only when it ends unasked.

package conformance
