// Package activations follows the activations of a resident kernel on the reference interpreter: which task begins one, with
// what in its buffers, and which words of buffers its handler writes, by source line.
//
// A Follower watches the dispatches of a reference backend. It knows an activation by the kernel's function vt_begin, which
// each one passes where a task that yields is not run again at once: the session needs a burst of 1 and no core variant.
//
// Where a worker has one lane and there is one worker, activations run one after the other, and an activation sees in its
// buffers what those before it have left. Otherwise lanes run in step, and others write while it runs.
package activations
