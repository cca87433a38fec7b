// Package resident owns one running megakernel: its buffers, its slices, and the host's side of the
// protocol.
//
// A Session launches the kernel and keeps it resident: dispatches ("slices") follow one another as
// long as there is something to do, and when there is not, the session parks until the next publish
// or command. All state lives in buffers, so nothing is lost between slices.
//
// A Session is a façade over parts, each of which owns one thing; they are embedded, so that their exported methods are the
// session's:
//
//	launch       what was launched and where its memory is; nothing of it changes
//	life         phase and number of the slice, the requests to drain and to stop, how waiters hear of a change
//	publisher    the host's end of the inbox (queue.go)
//	collector    the completions that have been read back
//	commander    commands to the running kernel and their answers, and which workers are paused
//	slotView     what the host sees of the slots, and which of them have changed
//	reads        what is done between two slices for others: reads and edits of memory of the device's own
//	forms        what slices run, and the kernel variants that are compiled for it
//	tuning       settings in force and wanted, and the changes that can be undone
//	breakpoints  breakpoints and their hits
//	texts        the texts of the handlers: that of the launch, and those that were reloaded (program.go)
//	tally, notes totals of what the device has done; faults and undefined operations
//	slicer       the slices
//
// Three kinds of goroutine touch a Session. The slicer (one, its own) starts slices and decides what comes after each; it
// alone writes the launch settings. What others want of the slices they leave where it looks between two of them: another
// form in forms, other settings in tuning, work on the device's memory in reads. Two things do not wait for it, because the
// running kernel sees them by itself: publishers reserve entries of the inbox, write them and ring the bell, none waiting
// for another and without a lock unless there may be no room; commanders share a lock. Readers (Snapshot, log readers,
// recorders) only load words and disturb nothing.
//
// # Locks
//
// The order of the locks, outermost first, with what is done under each; order.go has the same list as types. Builds with
// the tag invariants or the race detector panic where a goroutine takes a lock out of order. The slicer holds none of
// those that are kept while others wait for it: turn, form, mirror.
//
//	tuning.turn          one change of settings, until it is in force
//	forms.formMu         one change of form, until it is in force
//	publisher.roomMu     a look for room in the inbox; with open, freeing the buffers
//	reads.open           reading a buffer; freeing the buffers
//	slotView.mirrorMu    one request for the mirror, until it is answered
//	commander.commandMu  writing a command
//	breakState.mu        the breakpoints
//	variants.mu          the kernel variants
//	leaves               nothing is taken under these: collector.collectMu, pauseState.mu, notes.mu, changes.mu, queue.mu, reads.mu, signal.mu
//
// # Reloaded handlers
//
// A text of the handlers is a program, of which nothing changes; slices run forms of it. Reload assembles another one, with the
// numbers of debugf formats and files that the texts before have given out (kernel.Earlier), so that the newest tables decode
// all records of the log. What declares memory in another way is refused (kernel.Unlike). The form that takes the place of the
// one in force is compiled beside its slices; then, under formMu, the breakpoints move to their new lines, the program becomes the one
// that all variants are compiled of, and variants of the old one are given up. The slicer takes the form between two slices and
// tells of it as megakernel.Reload, with the published tasks that no activation has had: what a recording needs to execute the
// run again. A session that began with a core variant of the old text goes to the full kernel of the new one.
// How an activation began that a breakpoint holds is marked with the number of its text (megakernel.KeptText).
//
// Where the driver compiles on threads of its own and does not have the kernel stored, the first slices run its core
// variant (package kernel), and the full kernel replaces it between two slices when it is compiled. Commands and epochs
// wait for that; snapshots end the slice and copy the slots between two.
package resident
