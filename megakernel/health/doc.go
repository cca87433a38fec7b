// Package health says whether a target progresses and, if it does not, what blocks it.
//
// Judge is a pure function of one or two snapshots. Everything that calls a target stalled uses it: the
// report of Explain, the metrics verdict and stalled, and the alerts that compare them.
//
// # Explain
//
// Explain tells what a target does, from its words alone: whether it is stalled and by what, what
// every worker is about, and what every task that does not continue waits for. The verdict on the target as a
// whole is that of Judge.
//
// Everything is a pure function of one or two snapshots, so that a live run, a recording and a file of
// raw buffers are explained alike. A snapshot is a sample: what happened and was undone between two of
// them is not seen, and a worker inside a handler shows nothing of where it is.
//
// ## Workers
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
// ## Tasks
//
// A task that has not ended and is not running waits for a word:
//
//	epoch       paused until the epoch reaches its resume_epoch
//	missed      paused until an epoch that has come; no worker has looked since
//	command     held: only a command lets it continue
//	breakpoint  held by a breakpoint: only a command lets it continue
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
//
// # Watch
//
// A Watch checks, between one snapshot of a target and the next, that its words obey the
// protocol: a race detector for the queue that runs beside it and costs it nothing. The
// same snapshots give the same violations, live or from a recording.
//
// ## Rules
//
//	state.unknown       a slot's state word is not a state
//	priority.unknown    a task that has not ended has no known priority
//	transition          a task that had ended is live again
//	task.counter        yields, requeues or age of a task went back
//	owner               a task that has not ended is in two slots
//	worker.state        a worker's state word is not a state
//	worker.slot         a worker names a slot that does not exist
//	worker.counter      a worker's heartbeat or one of its counts went back
//	control.base        the control buffer does not say where its tenant masks are
//	control.counter     a counter of the control buffer went back
//	total               a total of the target went back
//	device              the device itself found slots in a state that they must not have
//	sum.tasks           at rest, imported and spawned tasks are not those that ended and those that live
//	sum.faulted         at rest, faulted slots are not the tasks that faulted and were not reaped
//
// Single words are read whole, so rules about one word always apply. Rules that compare words with
// each other apply only to snapshots that are consistent; sums only when the target has been parked
// and nothing moved since the snapshot before. 32-bit counters wrap: one went back when it is less
// than 2^31 behind.
//
// A worker continues naming its last slot until it has another or serves, so that two may name one:
// that is not a violation.
//
// Slots with the protocol's own operations carry arguments where tasks have counters, and task ids
// are the publisher's: rules about one task over time leave out these operations and id 0.
//
// ## Cost
//
// Of a large ring SlotsPerCheck slots are compared with the snapshot before, each time the next ones;
// its tasks are not checked for a second slot.
// Each rule reports a subject once, until the subject has obeyed it again.
package health
