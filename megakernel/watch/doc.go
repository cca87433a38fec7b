// Package watch checks, between one snapshot of a target and the next, that its words obey the
// protocol: a race detector for the queue that runs beside it and costs it nothing. It is pure: the
// same snapshots give the same violations, live or from a recording.
//
// # Rules
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
// # Cost
//
// Of a large ring SlotsPerCheck slots are compared with the snapshot before, each time the next ones;
// its tasks are not checked for a second slot.
// Each rule reports a subject once, until the subject has obeyed it again.
package watch
