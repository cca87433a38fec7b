// Package work has the processes of several machines share the work of one workload by a queue at a hub with streams (JetStream).
//
// # Tasks
//
// A queue is made by Submit, which knows the units of the workload (workload.Queued). Its tasks are numbered from 0; task k of n has the
// units k, k+n, k+2n and so on, so that tasks are about equally large where units are sorted by size. The stream
//
//	vyretop-work-NAME   vyretop.work.NAME.task.K
//
// holds the tasks that are not done. Its metadata have the Job: workload, flags, units and what they are made of. A worker takes a task
// for as long as it says within the lease that it is at it. The task of a worker that is killed goes to another one after that. Who has
// done a task first publishes its result in the stream
//
//	vyretop-done-NAME   vyretop.work.NAME.done.K
//
// as the first message of its subject, which the hub makes sure of, and then removes the task. So each task is done at least once, and has exactly
// one result, whenever a process or the hub ends. A result that is too large for a message is in the object store vyretop-work-NAME, and the
// message names it.
//
// A task that several workers in a row did not end with gets the result that it has failed.
package work
