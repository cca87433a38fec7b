// Package debug explains what a target does, from its words alone: whether it is stalled and by what, what
// every worker is about, and what every task that does not go on waits for. The verdict on the target as a
// whole is that of package health.
//
// Everything is a pure function of one or two snapshots, so that a live run, a recording and a file of
// raw buffers are explained alike. A snapshot is a sample: what happened and was undone between two of
// them is not seen, and a worker inside a handler shows nothing of where it is.
//
// # Workers
//
// Over the time between two snapshots a worker is
//
//	faulted      a task faulted on it
//	progressing  a task ended or was parked on it, it ran activations while the target moved, or
//	             it began one
//	waiting      it ran activations that wanted to spawn, and no slot is free
//	spinning     it ran activations and nothing moved, or is inside one activation for the
//	             whole time, or looks for work although there is some
//	parked       it is paused, in no slice, or finds nothing to do
//
// in this order: the first that is true.
//
// # Tasks
//
// A task that has not ended and is not running waits for a word:
//
//	epoch       paused until the epoch reaches its resume_epoch
//	missed      paused until an epoch that has come; no worker has looked since
//	command     held: only a command lets it go on
//	breakpoint  held by a breakpoint: only a command lets it go on
//	io          paused until the host has answered a request
//	output      paused until the host has drained a buffer that is full
//	input       paused until the host has provided data
//	tenant      it may run, but the mask of its tenant is 0
//	quota       it may run, but its tenant has had its quota for now
//	slot        it may run, but what it wants to spawn finds no free slot
//	workers     it may run, but every worker is paused or in no slice
//	starved     it may run, but its priority was not served although others were
//	cycle       it is its own ancestor
//
// A task that may run and is served in its turn waits for nothing.
package debug
