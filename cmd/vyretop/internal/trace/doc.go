// Package trace writes what a target did in the Trace Event Format, which ui.perfetto.dev and
// chrome://tracing open. This comment says what becomes of what.
//
// The file is a JSON object: "otherData" says what ran where, "traceEvents" holds the events, in the order
// in which they were read and not of their times, which the format allows. There is one process, the target. Its threads
// are "host" (0) and the lanes of its workers, worker*1024 + lane + 1: lanes of a worker run at once, and
// events of a thread must not overlap. "ts" and "dur" are microseconds since launch.
//
//	"X"  an activation, named after its opcode, on the lane that ran it; or a worker that is paused; or,
//	     where the debug log has nothing of a worker that runs, what it was seen doing ("cat":"sample")
//	"i"  an event of the host: a command, its answer, a change of settings, an error; or a message of a
//	     handler; or that log records are missing
//	"C"  "tasks" by state, and "ended per second", with every snapshot
//	"M"  the names of the process and its threads
//
// Package megakernel/span places activations. The device's log tells in which lap of its worker an activation
// ended, not when. Laps are placed evenly between two snapshots, so within that span (50 ms of a live run) times
// are estimates; the order of a worker's activations is exact.
package trace
