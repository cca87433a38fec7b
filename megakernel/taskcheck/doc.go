// Package taskcheck runs a workload on the reference interpreter under the checkers of package engine/check, which report
// what its handlers do that GLSL or the kernel leaves undefined, with the tasks that did it. It also runs one under the profiler of package engine/profile (Profile), which counts what handlers
// execute by line.
//
// # What orders two tasks
//
// A race is two accesses to a word of the handlers' memory by different tasks, at least one of which writes and at least
// one of which is not atomic, that nothing orders. That one task happened to run before the other, on the same lane or
// in the same worker, orders nothing: another schedule could have had it the other way around. These do:
//
//   - a task before its own later activations, after a yield, a requeue or a pause, wherever they run;
//   - a parent before a child, up to the call of task_spawn;
//   - atomics: one takes over what the tasks before it at the same word have done;
//   - a word of a coherent or volatile buffer: a task that reads it takes over what the task that wrote it has done before,
//     as docs/workloads.md says that words are handed over. Two tasks that write such a word still race, unless it is both
//     volatile and writeonly: then it is a status for the host, of which the last one counts;
//   - an epoch: the task that began it before the tasks that waited for it;
//   - the host: a task that it publishes comes after those whose completions the workload has taken before, and a read of what
//     it has written into a coherent or volatile word after everything so far.
//
// The words of the kernel itself (slots, sets, inbox, outbox, log, pages) are what it synchronizes with. They order nothing
// between tasks but what is listed, and are not checked, apart from the words for operations in the control buffer.
package taskcheck
