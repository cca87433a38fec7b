// Package megakernel owns the protocol between the host and a resident kernel: which buffers there
// are, what every word of them means, how they are encoded and decoded, and the Snapshot that an
// inspector reads from them.
//
// # Buffers
//
// Bindings 0 to 7 belong to the protocol; a workload's own buffers start at FirstUserBinding.
//
//	0 control    peer-compatible words (control.go); written by both sides
//	1 ring       slots of 16 words (package tasks); written by the device
//	2 debug log  ring of records with sequence numbers (log.go); written by the device
//	3 io queue   peer-compatible requests for host I/O (ioqueue.go)
//	4 sched      scheduler state: task sets, hot counters, worker control (sched.go); device only
//	5 inbox      bell, launch settings, commands and new tasks (inbox.go); written by the host
//	6 outbox     what the device has consumed, acknowledgements, completions (outbox.go); written by the device
//	7 workers    one record per worker (worker.go); written by the device
//
// All words are little-endian u32. Counters that number ring entries ("published so far") only
// grow and wrap at 2^32; rings have a power of two of entries, so that a counter modulo the size is
// the index also across the wrap.
//
// # Who owns a task
//
// A slot that is not running is in one set (sched.go). The worker that takes a slot's bit out of a
// set with an atomic AND owns the slot until it puts the bit into a set again. This one rule is why
// no task is lost or run twice: by stealing, by commands, by the end of a slice.
package megakernel

// Binding numbers of the protocol's buffers.
const (
	BindControl = iota
	BindRing
	BindLog
	BindIO
	BindSched
	BindInbox
	BindOutbox
	BindWorkers

	// FirstUserBinding is the first binding a workload may use.
	FirstUserBinding = 8
)

// ProtocolVersion is written to the inbox at launch and into recordings; readers refuse another one.
const ProtocolVersion = 1
