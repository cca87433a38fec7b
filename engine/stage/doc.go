// Package stage makes several dispatches out of one program, for a backend whose device lacks what the
// program or the caller asks for:
//
//   - A device without a grid barrier gets main divided at each gridBarrier(): part k+1 is dispatched when
//     part k has ended. What lives across (the variables of main declared before the barrier, private
//     module-scope variables, shared variables) is saved to a buffer and restored from it.
//   - A device that starts a workgroup for each one of a grid can be given a fixed number of workers instead,
//     workgroups that take those of the grid one after the other by a ticket.
//   - A device may run invocations side by side and continue with a loop for those that have left it. What it
//     reads for them then must not be what they take along. It is not, where the value has more than one way
//     out of the loop: then it is kept for each. So each loop gets a way out at its very beginning, on a
//     condition that never holds and that the compiler does not see through ("firm").
//   - A device that cannot end a kernel gets a stop word: each workgroup looks at it before it begins, each
//     loop now and then: the word is in the host's memory, far from the device.
//   - A device may end the loops of an invocation after that many iterations, without an error. Then main ends with a
//     loop that shows it.
//
// The parts are GLSL text with the same lines as the program's, so positions in a driver's log stay
// right. What is added to a line is generated and its names begin with vts_.
//
// # The spill buffer
//
// A storage block of uint words. First invocation records, one for each invocation of the grid, by
// workgroup (x fastest) and gl_LocalInvocationIndex: word 0 is the number of parts that the invocation has
// been through, 0 when it has returned; then the components of the live variables, densely, bool as 0 or
// 1, float as its bits. After all of them workgroup records: the components of the shared variables.
//
// # The control buffer
//
// For the host and the device at once. Word 0: not 0 makes the dispatch stop. Word 1: workgroups that have
// ended, of all parts. Words 2 to 4: the grid, for workers. Word 5: 0, or the complement of the number of an invocation
// whose loops the device has ended. Word 6: ProbeRounds.
//
// # The ticket buffer
//
// Zero before the dispatch. Word 0: the next ticket; a run takes as many as there are workgroups in the grid and
// workers together, since each worker ends with a ticket beyond the grid, so that the next run begins with a
// multiple of that.
package stage
