// Package resident owns one running megakernel: its buffers, its slices, and the host's side of the
// protocol.
//
// A Session launches the kernel and keeps it resident: dispatches ("slices") follow one another as
// long as there is something to do, and when there is not, the session parks until the next publish
// or command. All state lives in buffers, so nothing is lost between slices.
//
// Three kinds of goroutine touch a Session. The slicer (one, its own) starts slices and decides what
// comes after each; it alone writes the launch settings. Publishers reserve entries of the inbox, write
// them and ring the bell, none waiting for another (queue.go); commanders share a lock. Readers
// (Snapshot, log readers, recorders) only load words and disturb nothing.
//
// Where the driver compiles on threads of its own and does not have the kernel stored, the first slices run its core
// variant (package kernel), and the full kernel replaces it between two slices when it is compiled. Commands and epochs
// wait for that; snapshots end the slice and copy the slots between two.
package resident
