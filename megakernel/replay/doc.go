// Package replay executes the run of a recording again, on any backend, and compares how it ends.
//
// A recording of vyretop run has the kernel's text, what the workload's buffers held before the first slice, the tasks that the
// host published and its commands. The handlers run in the kernel of this program, also where another version recorded them, so that
// recordings test new versions. From these a target is started that publishes the same tasks in the same order. When it
// has nothing left to do, its counts of tasks and the words of its buffers are compared with the recorded ones.
//
// Tasks run in another order each time, as on a device. What depends on that order is not compared: words of buffers that
// the workload's manifest declares unordered, and counts of yields, requeues and scheduling passes.
//
// Commands that only change when tasks run (pause, resume, step, requeue, settings) are not given again. An epoch is advanced
// when the target has nothing left to do without it. A run whose words were edited cannot be executed again, because the order
// of an edit among activations is not recorded.
package replay
