package trace

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/metrics"
	"vyretop/megakernel/span"
	"vyretop/tasks"
)

// Schema is in the otherData of every trace.
const Schema = "vyretop.trace/1"

// Writer turns what a target says into a trace. It is not safe for concurrent use.
type Writer struct {
	out    *bufio.Writer
	target megakernel.Target
	some   bool // an event was written
	err    error

	before  *megakernel.Snapshot
	pending []megakernel.LogRecord // since then
	placer  span.Placer
	next    uint64                // number of the next record
	known   map[uint32]bool       // threads that have names
	paused  map[int]time.Duration // by worker: since when
}

// NewWriter begins a trace of a target.
func NewWriter(out io.Writer, h fixtures.Header) *Writer {
	t := h.Target
	w := &Writer{out: bufio.NewWriter(out), target: t, known: map[uint32]bool{}, paused: map[int]time.Duration{}}
	about := map[string]any{"schema": Schema, "workload": t.Workload, "backend": t.Backend, "renderer": t.Renderer, "driver": t.Driver, "version": h.Version, "host": h.Host}
	if !t.Started.IsZero() {
		about["started"] = t.Started.UTC().Format(time.RFC3339Nano)
	}
	text, err := json.Marshal(about)
	w.fail(err)
	w.write(fmt.Appendf(nil, `{"displayTimeUnit":"ms","otherData":%s,"traceEvents":[`+"\n", text))
	w.emit(named("process_name", hostThread, t.Workload+" on "+t.Backend))
	w.emit(named("thread_name", hostThread, "host"))
	return w
}

// Take adds a message of the target; see inspect.Subject.Follow.
func (w *Writer) Take(m *fixtures.StreamMessage) error {
	switch {
	case m.Event != nil:
		w.event(m.Event)
	case m.Snapshot != nil:
		w.snapshot(m.Snapshot)
	default:
		w.pending = append(w.pending, m.Log...)
		if len(w.pending) >= maxPending {
			w.early()
		}
	}
	return w.err
}

// maxPending bounds the records that wait for the next snapshot, and maxThreads the lanes that have names.
const (
	maxPending = 1 << 18
	maxThreads = 1 << 16
)

// early places the records that wait at the snapshot before them: there are too many to wait for the next one.
func (w *Writer) early() {
	at := w.before
	if at == nil {
		at = &megakernel.Snapshot{}
	}
	w.records(at)
	w.pending = w.pending[:0]
}

// Close ends the trace; the underlying writer stays open.
func (w *Writer) Close() error {
	for worker := range w.paused {
		w.endPause(worker)
	}
	w.write([]byte("\n]}\n"))
	if w.err == nil {
		w.err = w.out.Flush()
	}
	return w.err
}

func (w *Writer) write(text []byte) {
	if w.err == nil {
		_, w.err = w.out.Write(text)
	}
}

func (w *Writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (w *Writer) event(e *megakernel.HostEvent) {
	args := map[string]any{"text": e.Text}
	if e.Latency > 0 {
		args["latency_us"] = float64(e.Latency) / 1e3
	}
	i := at(e.Kind+": "+e.Text, e.Kind, hostThread, max(0, e.At), args)
	i.Scope = "p" // a line through all threads
	w.emit(i)
}

// snapshot places what was logged before it, and shows what it says itself.
func (w *Writer) snapshot(s *megakernel.Snapshot) {
	if w.before != nil && s.Taken < w.before.Taken {
		w.before = nil // of another run
	}
	workers := s.WorkerRecords()
	ran := w.records(s)
	for i := range workers {
		w.worker(s, &workers[i], ran[i])
	}
	w.counters(s)
	w.before, w.pending = s, w.pending[:0]
}

// records places the records since the last snapshot, and says which workers they tell of.
func (w *Writer) records(s *megakernel.Snapshot) map[int]bool {
	clock, ran := span.Between(w.before, s), map[int]bool{}
	for x := range w.placer.Place(&clock, w.pending) {
		r := x.Record
		if r.Number > w.next && w.next > 0 {
			w.emit(at(fmt.Sprintf("%d log records lost", r.Number-w.next), "lost", hostThread, x.Begin, nil))
		}
		w.next = r.Number + 1
		thread := w.thread(int(r.Worker), r.Lane)
		text := r.Text(w.target.Formats)
		args := map[string]any{"task": r.Task, "record": r.Number}
		if !x.Ended() {
			w.emit(at(text, "message", thread, x.Begin, args))
			continue
		}
		args["outcome"] = text
		ran[int(r.Worker)] = true
		w.emit(during(w.opcode(r.Opcode), "activation", thread, x.Begin, x.End, args))
	}
	return ran
}

func (w *Writer) opcode(op uint32) string {
	if name, ok := w.target.Opcodes[op]; ok {
		return name
	}
	if name, ok := megakernel.OpcodeName(op); ok {
		return name
	}
	return fmt.Sprintf("0x%x", op)
}

// thread is the number of a lane's thread, which it names when that is new.
func (w *Writer) thread(worker int, lane uint16) uint32 {
	n := threadOf(worker, lane)
	if !w.known[n] && len(w.known) < maxThreads {
		w.known[n] = true
		name := fmt.Sprintf("worker %d", worker)
		if lane > 0 {
			name += fmt.Sprintf(", lane %d", lane)
		}
		w.emit(named("thread_name", n, name))
		w.emit(event{Name: "thread_sort_index", Phase: metadata, Process: process, Thread: n, Args: map[string]any{"sort_index": n}})
	}
	return n
}

// worker shows that a worker is paused, or what it was seen doing where the log says nothing.
func (w *Writer) worker(s *megakernel.Snapshot, k *megakernel.Worker, logged bool) {
	switch _, was := w.paused[k.ID]; {
	case k.State == megakernel.WorkerPaused && !was:
		w.paused[k.ID] = s.Taken
	case k.State != megakernel.WorkerPaused && was:
		w.endPause(k.ID)
	}
	idle := logged || k.State != megakernel.WorkerRunning || int64(k.Slot) >= int64(s.NumSlots())
	if idle || w.before == nil {
		return
	}
	w.emit(during(w.opcode(k.Opcode), "sample", w.thread(k.ID, 0), w.before.Taken, s.Taken, map[string]any{"task": k.TaskID}))
}

// endPause writes the pause of a worker, which was seen last with the snapshot before.
func (w *Writer) endPause(worker int) {
	since := w.paused[worker]
	delete(w.paused, worker)
	to := since
	if w.before != nil {
		to = w.before.Taken
	}
	w.emit(during("paused", "state", w.thread(worker, 0), since, to, nil))
}

// counters shows how many tasks wait, run and are paused, and how fast they end.
func (w *Writer) counters(s *megakernel.Snapshot) {
	sample := metrics.New(s, w.before)
	show := func(name string, members ...string) {
		args := map[string]any{}
		for _, m := range members {
			if v := metrics.Named(m).Value(sample); v != nil {
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
