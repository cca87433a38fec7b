// Package dap serves the source debugger to editors by the Debug Adapter Protocol
// (https://microsoft.github.io/debug-adapter-protocol). One call of Serve is one session with one client.
//
// Threads are the lanes of the selected workgroup, and one for each other workgroup under way. All of them stop and run
// together. What changes the session while it runs interrupts the run, and the run continues.
//
// One goroutine reads messages, one serves them, and one runs the session while it is under way. The session belongs to
// the second one while it stands still, to the third while it runs.
package dap
