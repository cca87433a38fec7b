package inspect

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/stats"
	"vyretop/tasks"
)

// TraceSchema is in the otherData of every trace.
const TraceSchema = "vyretop.trace/1"

// Trace writes what a target did in the Trace Event Format, which ui.perfetto.dev and chrome://tracing open. It is not safe for concurrent use.
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
// Package megakernel/stats places activations. The device's log tells in which pass of its worker an activation
// ended, not when. Scheduling passes are placed evenly between two snapshots, so within that span (50 ms of a live run) times
// are estimates; the order of a worker's activations is exact.
type Trace struct {
	out    *bufio.Writer
	target megakernel.Target
	some   bool // an event was written
	err    error

	before *megakernel.Snapshot
	teller told
	known  map[uint32]bool // threads that have names
}

// NewTrace begins a trace of a target.
func NewTrace(out io.Writer, h fixtures.Header) *Trace {
	t := h.Target
	w := &Trace{out: bufio.NewWriter(out), target: t, known: map[uint32]bool{}}
	w.teller.target = &w.target
	about := map[string]any{"schema": TraceSchema, "workload": t.Workload, "backend": t.Backend, "renderer": t.Renderer, "driver": t.Driver, "version": h.Version, "host": h.Host}
	if !t.Started.IsZero() {
		about["started"] = t.Started.UTC().Format(time.RFC3339Nano)
	}
	text, err := json.Marshal(about)
	w.fail(err)
	w.write(fmt.Appendf(nil, `{"displayTimeUnit":"ms","otherData":%s,"traceEvents":[`+"\n", text))
	w.emit(metadataOf("process_name", hostThread, t.Workload+" on "+t.Backend))
	w.emit(metadataOf("thread_name", hostThread, "host"))
	return w
}

// Take adds a message of the target; see inspect.Subject.Follow.
func (w *Trace) Take(m *fixtures.StreamMessage) error {
	switch {
	case m.Event != nil:
		w.event(m.Event)
	case m.Snapshot != nil:
		w.snapshot(m.Snapshot)
	default:
		w.teller.Log(m.Log, w.line)
	}
	return w.err
}

// maxThreads bounds the lanes that have names.
const maxThreads = 1 << 16

// Close ends the trace; the underlying writer stays open.
func (w *Trace) Close() error {
	w.teller.End(w.line)
	w.write([]byte("\n]}\n"))
	if w.err == nil {
		w.err = w.out.Flush()
	}
	return w.err
}

func (w *Trace) write(text []byte) {
	if w.err == nil {
		_, w.err = w.out.Write(text)
	}
}

func (w *Trace) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (w *Trace) event(e *megakernel.HostEvent) {
	args := map[string]any{"text": e.Text}
	if e.Latency > 0 {
		args["latency_us"] = float64(e.Latency) / 1e3
	}
	i := at(e.Kind+": "+e.Text, e.Kind, hostThread, max(0, e.At), args)
	i.Scope = "p" // a line through all threads
	w.emit(i)
}

// snapshot places what was logged before it, and shows what it says itself.
func (w *Trace) snapshot(s *megakernel.Snapshot) {
	if w.before != nil && s.Taken < w.before.Taken {
		w.before = nil // of another run
	}
	w.teller.Snapshot(s, w.line)
	w.counters(s)
	w.before = s
}

// line writes what a worker did.
func (w *Trace) line(l *stats.SpanLine) {
	if l.Open {
		return // it comes again
	}
	if l.Lost > 0 {
		w.emit(at(fmt.Sprintf("%d log records lost", l.Lost), "lost", hostThread, l.Begin, nil))
	}
	thread := w.thread(l.Worker, l.Lane)
	switch l.Kind {
	case stats.Pause:
		w.emit(during("paused", "state", thread, l.Begin, l.End, nil))
	case stats.Sampled:
		w.emit(during(opcodeText(&w.target, l.Opcode), "sample", thread, l.Begin, l.End, map[string]any{"task": l.Task}))
	case stats.Message:
		w.emit(at(l.Record.Text(w.target.Formats), "message", thread, l.Begin, map[string]any{"task": l.Task, "record": l.Record.Number}))
	case stats.Activation:
		args := map[string]any{"task": l.Task, "record": l.Record.Number, "outcome": l.Record.Text(w.target.Formats)}
		w.emit(during(opcodeText(&w.target, l.Opcode), "activation", thread, l.Begin, l.End, args))
	}
}

// opcodeText is the name of an opcode, or its number.
func opcodeText(t *megakernel.Target, op uint32) string {
	if name, ok := opcodeName(op, t).(string); ok {
		return name
	}
	return fmt.Sprintf("0x%x", op)
}

// thread is the number of a lane's thread, which it names when that is new.
func (w *Trace) thread(worker int, lane uint16) uint32 {
	n := threadOf(worker, lane)
	if !w.known[n] && len(w.known) < maxThreads {
		w.known[n] = true
		name := fmt.Sprintf("worker %d", worker)
		if lane > 0 {
			name += fmt.Sprintf(", lane %d", lane)
		}
		w.emit(metadataOf("thread_name", n, name))
		w.emit(event{Name: "thread_sort_index", Phase: metadata, Process: process, Thread: n, Args: map[string]any{"sort_index": n}})
	}
	return n
}

// counters shows how many tasks wait, run and are paused, and how fast they end.
func (w *Trace) counters(s *megakernel.Snapshot) {
	sample := stats.NewSample(s, w.before)
	show := func(name string, members ...string) {
		args := map[string]any{}
		for _, m := range members {
			if v := stats.MetricNamed(m).Value(sample); v != nil {
				args[m] = v
			}
		}
		if len(args) > 0 {
			w.emit(event{Name: name, Phase: counter, Time: micros(s.Taken), Process: process, Thread: hostThread, Args: args})
		}
	}
	show("queue depth", tasks.Ready.String(), tasks.Yielded.String(), tasks.Requeued.String(), tasks.Running.String(), tasks.Paused.String())
	show("ended per second", "tasks_per_s")
}
