// Package bench owns `vyretop bench`: what is measured of a device and of the resident kernel on it,
// how, and against what.
//
// # Rules
//
// Everything is measured in one run, on one device, one measurement after the other, and what is
// compared is compared as a ratio. A latency is given as p50, p99, p99.9 and maximum over
// Metric.N samples; LatencySamples of them are wanted, fewer mean that the time was too short. A wall
// time is never divided by a device time: all times here are the host's. The report says how many
// workers ran, where buffers live, which driver ran them, and whether the processors were
// oversubscribed. A measurement that failed has an error and no figures.
//
// # What each metric is
//
// The table `specs` names every metric and says what it is; docs/benchmarks.md is generated from it.
// Tasks are no-ops everywhere: the figures are what a task costs, not what it does. The kernels that
// the resident one is compared with are in folder kernels, written for these comparisons:
//
//   - dispatch.comp: the usual way. The host writes tasks, dispatches one invocation each, and waits
//     for the fence; one task, or a batch of 64 or 4,096, a dispatch; the grid given by the host or read
//     by the device (indirect). The calls are plain OpenGL, back to back on the context's own thread.
//   - naive.comp: a persistent kernel without queues. Every worker looks at all slots in turn and
//     takes what it finds ready with a compare-and-swap.
//   - slots.comp: no comparison but a limit. Every lane runs activations of tasks of its own, without
//     claiming, queueing or looking for them: what is left is the traffic of the slots.
//   - slot_copy and bell_copy: what the host's side of publishing costs at least.
//   - the Go worker pool (pool.go): goroutines that take tasks of the same size from a channel.
//
// # Bounds
//
// Each measurement has a share of the whole time. All loops on the host watch a context that ends
// after that share, all kernels bound their loops, and a failed session ends its measurement; so a run
// ends whatever happens to the device.
package bench

//go:generate go run vyretop/docs/gen benchmarks ../../docs/bench ../../docs/benchmarks.md
