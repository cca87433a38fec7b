package bench

import (
	"context"
	"time"
)

// spec is one metric: what it is, and how it is measured.
type spec struct {
	name  string
	unit  string
	share float64 // of the whole time, in seconds of DefaultFor
	what  string  // for people, one line
	// measure works for about a time and adds to the tally; sum makes the metric of the tally.
	measure func(r *suite, ctx context.Context, share time.Duration, t *tally) error
	sum     func(t *tally) Metric
	needs   needs
}

// needs are what is measured with beside the device.
type needs uint8

const (
	ownProgram needs = 1 << iota
	ripgrepProgram
)

// specs are the metrics, in the order in which they are measured and printed.
var specs = []spec{
	{"submit_to_done", "us", 4, "from Publish of one task until the host has its completion, one worker; on a software device the scheduling pass is compiled for its handler", (*suite).submitToDone, sumLatency, 0},
	{"pause_all", "us", 4, "from the command, at a random time while workers are busy, until the host has the last answer", (*suite).pauseAll, sumLatency, 0},
	{"publish_single", "ns/task", 2, "the host's time to publish a task, one at a time", (*suite).publishSingle, sumCost, 0},
	{"publish_batch", "ns/task", 2, "the same in batches of 64", (*suite).publishBatch, sumCost, 0},
	{"host_fed", "tasks/s", 3, "tasks published, run and collected, by one goroutine; on a software device the scheduling pass is compiled for their handler", (*suite).hostFed, sumRate, 0},
	{"resident_noop", "tasks/s", 3, "activations of continuations that stay on the device, one priority", (*suite).residentNoop, sumRate, 0},
	{"resident_strict", "tasks/s", 2, "as resident_noop, with one activation of a task per scheduling pass (setting burst=1): one that yields waits for all others", residentBurst(1), sumRate, 0},
	{"resident_burst", "tasks/s", 2, "the same with up to eight, which is the default on the host's processors", residentBurst(8), sumRate, 0},
	{"resident_simd", "tasks/s", 4, "the same with a scheduling pass compiled for that handler, and the best workers and lanes of those tried", (*suite).residentBest, sumPicked, 0},
	{"resident_full", "tasks/s", 3, "the same through all priorities, on all processors of a software device: each activation requeues its task in the next one, four tenants", (*suite).residentFull, sumRate, 0},
	{"resident_many", "tasks/s", 3, "as resident_noop, in a kernel with twelve more handlers that no task has", (*suite).residentMany, sumRate, 0},
	{"resident_special", "tasks/s", 3, "resident_many with the kernel specialized for the handler that is used", (*suite).residentSpecial, sumRate, 0},
	{"resident_scaling", "% of linear", 4, "resident_noop of as many workers as have a task for each lane, against that multiple of one worker", (*suite).residentScaling, sumScaling, 0},
	{"log_records", "records/s", 3, "debug-log records read by the host while workers write, as many of them as it can keep up with", (*suite).logRecords, sumLog, 0},
	{"log_taken", "records/s", 6, "debug-log records that the dashboard's reader takes, of debugf and sampled events, from one worker at the highest rate at which at most 0.1 % are lost in a round", logged(false), sumLog, 0},
	{"log_recorded", "records/s", 6, "the same with --record, until the recording is closed", logged(true), sumLog, 0},
	{"log_default_cost", "%", 8, "what resident_noop loses to the debug log as it is by default, against --log off, in pairs of windows", logCost(0), sumMedian, 0},
	{"log_every_cost", "%", 4, "the same of --log every=1, which logs each activation and so allows no more than one of a task in a scheduling pass", logCost(1), sumMedian, 0},
	{"observe_cost", "%", 8, "what resident_noop loses while the host takes 60 snapshots a second and reads the log", (*suite).observeCost, sumMedian, 0},
	{"slice_gap", "us", 3, "from one slice to the next, when slices end as soon as the kernel sees the request", (*suite).sliceGap, sumGap, 0},
	{"dispatch_fence", "us", 4, "one OpenGL dispatch and its fence per task", dispatchOf(1, false), sumLatency, 0},
	{"dispatch_batch_64", "us", 2, "one dispatch and fence per 64 tasks", dispatchOf(64, false), sumLatency, 0},
	{"dispatch_batch_4096", "us", 2, "one dispatch and fence per 4,096 tasks", dispatchOf(4096, false), sumLatency, 0},
	{"dispatch_indirect", "us", 4, "as dispatch_fence, the grid read by the device", dispatchOf(1, true), sumLatency, 0},
	{"dispatch_indirect_64", "us", 2, "as dispatch_batch_64, the grid read by the device", dispatchOf(64, true), sumLatency, 0},
	{"dispatch_indirect_4096", "us", 2, "as dispatch_batch_4096, the grid read by the device", dispatchOf(4096, true), sumLatency, 0},
	{"naive_scan", "tasks/s", 3, "activations in a persistent kernel without queues, same slots and tasks as resident_noop", (*suite).naiveScan, sumRate, 0},
	{"slot_traffic", "tasks/s", 2, "activations if nothing had to be claimed or queued: every lane loads and stores tasks of its own", (*suite).slotTraffic, sumRate, 0},
	{"slot_copy", "ns/task", 1, "writing tasks into a ring of host-visible memory, on one core of the host", (*suite).slotCopy, sumCost, 0},
	{"bell_copy", "ns/task", 1, "the same with a doorbell for each task, which another processor polls", bellCopy(1), sumCost, 0},
	{"batch_copy", "ns/task", 1, "the same with a doorbell for each 64 tasks, which another processor polls before it reads the tasks", bellCopy(batch), sumCost, 0},
	{"go_pool", "tasks/s", 2, "a Go worker pool on channels", (*suite).goPool, sumRate, 0},
	{"go_pool_latency", "us", 1, "from sending a task to that pool to its result", (*suite).goPoolLatency, sumLatency, 0},
	{"retune_lanes", "ms", 1, "from the request for another workgroup size, with a handler that no driver has compiled before, until it is in force; and what the workers do while it is compiled", retuneLanes, sumRetune, 0},
	{"cold_start", "ms", 1, "from the start of `vyretop run collatz` to the first task that is done, with no program stored by vyretop or the driver; and of other workloads", measuring((*processes).coldStart), sumStart, ownProgram},
	{"start_now", "ms", 1, "the same with `--start now`, which has the interpreter run tasks until the device has compiled the kernel", measuring((*processes).startNow), sumStart, ownProgram},
	{"stored_start", "ms", 1, "as cold_start, after `vyretop warm`", measuring((*processes).storedStart), sumStart, ownProgram},
	{"scan", "B/s", 2, "bytes that `vyretop run scan` reads and searches for four patterns", measuring(rateOf("scan")), sumRate, ownProgram},
	{"scan_ripgrep", "B/s", 1, "the same by ripgrep, on all processors", measuring(ripgrepRate("--fixed-strings", "--file", "patterns")), sumRate, ripgrepProgram},
	{"grep", "B/s", 2, "bytes that `vyretop run grep` reads and searches for a regular expression", measuring(rateOf("grep")), sumRate, ownProgram},
	{"grep_ripgrep", "B/s", 1, "the same by ripgrep, on all processors", measuring(ripgrepRate("--regexp", `\b(TODO|FIXME|XXX)\b`)), sumRate, ripgrepProgram},
	{"bfs", "edges/s", 2, "edges that `vyretop run bfs` traverses, in a Kronecker graph of 2^17 vertices on a software device and 2^20 on others", measuring(rateOf("bfs")), sumRate, ownProgram},
	{"render", "paths/s", 2, "paths that `vyretop run render` follows", measuring(rateOf("render")), sumRate, ownProgram},
	{"infer", "tokens/s", 2, "tokens that `vyretop run infer` writes", measuring(rateOf("infer")), sumRate, ownProgram},
}
