// Package stats owns figures of a snapshot, each computed in one place.
//
// SlotCounts is what one pass over the slots finds out: how many tasks are in which state, priority and tenant, how old
// the oldest that waits is, and one byte per slot that a map of the ring is drawn from. A ring of a million slots is
// 64 MiB; the pass reads each slot's cache line once and leaves a megabyte behind.
//
// # Metrics
//
// Metrics are the numbers that are said of a target as a whole: their names, their units, and
// how each is read from a snapshot. Commands print them, conditions and alerts compare them.
//
// A metric is a pure function of a Sample. One that cannot be known, such as a rate without an earlier
// snapshot, is absent. Numbers are whole; the unit is the end of the name (taken_ms, tasks_per_s), and a
// name without one counts.
//
// # Occupancy
//
// Occupancy says what the workers of a target spend their time on, how many lanes they fill, and how
// long tasks wait: measured, from two snapshots. Beside it stands what the launch policy takes for occupancy.
//
// ## What is measured
//
// Time is what workers count in slices, in ticks (megakernel.Target.Clock says of what): all of it, in
// handlers, and looking for something to do. What is left is claiming: finding and claiming tasks, putting
// them back, importing, serving the host. The time of a handler is that of the whole workgroup: a lane that
// is done waits for the others. Between slices nothing is counted, so shares are of the time in slices.
//
// Lanes are those that claims have filled.
//
// ## How long tasks wait
//
// The mean is exact for a queue in balance, by Little's law (J. Little, "A proof for the queuing formula
// L = λW", Operations Research 9, 1961): tasks that wait over tasks served per second. Quantiles are of the
// tasks that wait now, and of how long they have waited so far: an Observer sees that at its snapshots
// only, so a wait that begins and ends between two of them is not among them, and a quantile says "at
// most", by powers of two of the time between snapshots.
//
// # Spans
//
// A Teller tells from the records of the debug log when activations ran, and on which worker.
//
// A record says in which pass of its worker an activation ended, not when. A scheduling pass is placed by the heartbeats
// of the worker at two snapshots, evenly between them: within those times (50 ms of a live run) times are
// estimates, while the order of a worker's activations is exact.
//
// # Decoder
//
// A Decoder reads what a kernel is doing from the words of its control buffer and ring: how
// the slots are occupied, which windows of work are in flight, what the counters say, and whether
// nothing moves any longer. It also turns that into a launch request.
//
// Everything is a pure function of the words. A Decoder only keeps its memory from one call to the
// next, so that decoding allocates nothing once its slices have grown.
//
// # Windows
//
// A window is a batch of slots with one ticket: those of an opcode that the caller declares as one of
// windows, grouped by ticket (argument 0) and opcode. Argument 1 says what part of the window a slot
// is: 0 required, 1 lookahead.
//
// # Counters
//
//	total          all slots, those of unknown state included
//	depth          total - empty - done
//	idle_ppm       empty of total, in millionths
//	frontier_bps   depth of total, in basis points
//	occupancy_bps  total - empty of total, in basis points
//	drained        tasks done since launch
//	skew           largest less smallest of the tenant counters that are not zero
package stats
