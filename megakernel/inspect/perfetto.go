package inspect

import (
	"bufio"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/stats"
)

// Perfetto writes what a target did as a trace of Perfetto (https://perfetto.dev/docs/reference/trace-packet-proto), which
// ui.perfetto.dev opens and its trace processor queries. It is not safe for concurrent use.
//
// The process is the target. It has a track for the host's events, one for each worker, with what the worker was seen
// doing and its pauses, and below that one for each of its lanes, with the activations. Flows lead from the
// activation that spawned a task, as far as a snapshot has it in the ring, to the first activation of the task, and from an activation that requeues its task to
// the next one of the task. Counters are those of Trace, as are the times.
type Perfetto struct {
	out    *bufio.Writer
	target megakernel.Target
	err    error

	before *megakernel.Snapshot
	teller stats.Teller
	family *family
	known  map[uint64]bool   // tracks that are described
	first  bool              // the next packet is the first
	flow   uint64            // the last one
	flows  map[uint32]uint64 // of requeued tasks, to their next activation
}

// Fields of messages, by message, and values of them.
const (
	tracePacket = 1

	packetTimestamp = 8
	packetSequence  = 10
	packetEvent     = 11
	packetFlags     = 13
	packetTrack     = 60
	packetFirst     = 87

	trackUUID    = 1
	trackName    = 2
	trackProcess = 3
	trackParent  = 5
	trackCounter = 8

	processPID  = 1
	processName = 6

	counterUnit = 3
	unitCount   = 2

	eventNotes    = 4
	eventType     = 9
	eventTrack    = 11
	eventCategory = 22
	eventName     = 23
	eventCounter  = 30
	eventFlow     = 47
	eventFlowEnd  = 48

	noteUint = 3
	noteText = 6
	noteName = 10

	typeBegin   = 1
	typeEnd     = 2
	typeInstant = 3
	typeCounter = 4
)

// The tracks.
const (
	processTrack = 1
	hostTrack    = 2
	workerTracks = 1 << 32
	laneTracks   = 2 << 32
	metricTracks = 3 << 32
)

// sequence is the only one, and its state begins with the first packet.
const (
	sequence     = 1
	stateCleared = 1
)

// NewPerfetto begins a trace of a target.
func NewPerfetto(out io.Writer, h fixtures.Header) *Perfetto {
	w := &Perfetto{out: bufio.NewWriter(out), target: h.Target, family: newFamily(), known: map[uint64]bool{}, flows: map[uint32]uint64{}, first: true}
	var process message
	process.uint(processPID, 1)
	process.text(processName, clean(h.Target.Workload+" on "+h.Target.Backend))
	w.describe(processTrack, 0, "", func(m *message) { m.sub(trackProcess, process) })
	w.describe(hostTrack, processTrack, "host", nil)
	return w
}

// clean is a text as Protocol Buffers want it.
func clean(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return fmt.Sprintf("%q", text)
}

// Take adds a message of the target; see Subject.Follow.
func (w *Perfetto) Take(m *fixtures.StreamMessage) error {
	switch {
	case m.Event != nil:
		notes := []note{{"text", m.Event.Text}}
		if m.Event.Latency > 0 {
			notes = append(notes, note{"latency_us", uint64(m.Event.Latency / time.Microsecond)})
		}
		w.event(typeInstant, hostTrack, m.Event.At, m.Event.Kind+": "+m.Event.Text, m.Event.Kind, nil, notes...)
	case m.Snapshot != nil:
		w.snapshot(m.Snapshot)
	default:
		w.teller.Log(m.Log, w.line)
	}
	return w.err
}

// Close ends the trace; the underlying writer stays open.
func (w *Perfetto) Close() error {
	w.teller.End(w.line)
	if w.err == nil {
		w.err = w.out.Flush()
	}
	return w.err
}

func (w *Perfetto) snapshot(s *megakernel.Snapshot) {
	if w.before != nil && s.Taken < w.before.Taken {
		w.before = nil // of another run
	}
	w.family.see(s)
	w.teller.Snapshot(s, w.line)
	w.family.forget(func(m *member) { delete(w.flows, m.id) })
	w.counters(s)
	w.before = s
}

func (w *Perfetto) line(l *stats.SpanLine) {
	if l.Open {
		return // it comes again
	}
	if l.Lost > 0 {
		w.event(typeInstant, hostTrack, l.Begin, fmt.Sprintf("%d log records lost", l.Lost), "lost", nil)
	}
	switch l.Kind {
	case stats.Pause:
		w.slice(w.worker(l.Worker), l, "paused", "state", nil)
	case stats.Sampled:
		w.slice(w.worker(l.Worker), l, opcodeText(&w.target, l.Opcode), "sample", nil, note{"task", uint64(l.Task)})
	case stats.Message:
		w.event(typeInstant, w.lane(l.Worker, l.Lane), l.Begin, l.Record.Text(w.target.Formats), "message", nil, note{"task", uint64(l.Task)}, note{"record", l.Record.Number})
	case stats.Activation:
		w.activation(l)
	}
}

// activation writes a slice with its flows.
func (w *Perfetto) activation(l *stats.SpanLine) {
	m, before := w.family.ran(l)
	var flows message
	if id, ok := w.flows[l.Task]; ok {
		flows.fixed(eventFlowEnd, id)
		delete(w.flows, l.Task)
	}
	if m.requeued {
		w.flow++
		w.flows[l.Task] = w.flow
		flows.fixed(eventFlow, w.flow)
	}
	if parent := w.family.members[m.parent]; before.activations == 0 && parent != nil && parent.activations > 0 {
		w.flow++
		flows.fixed(eventFlowEnd, w.flow)
		var from message
		from.fixed(eventFlow, w.flow)
		// The activation is written already: an instant at its end, which is inside it, begins the flow.
		w.event(typeInstant, w.lane(parent.worker, parent.lane), min(parent.last, l.Begin), "spawn", "spawn", from, note{"task", uint64(l.Task)})
	}
	if m.ended {
		delete(w.flows, l.Task)
	}
	w.slice(w.lane(l.Worker, l.Lane), l, opcodeText(&w.target, l.Opcode), "activation", flows,
		note{"task", uint64(l.Task)}, note{"record", l.Record.Number}, note{"outcome", l.Record.Text(w.target.Formats)})
}

func (w *Perfetto) slice(track uint64, l *stats.SpanLine, name, category string, flows message, notes ...note) {
	w.event(typeBegin, track, l.Begin, name, category, flows, notes...)
	w.event(typeEnd, track, max(l.Begin, l.End), "", "", nil)
}

// note is an argument of an event: a text or a number.
type note struct {
	name  string
	value any
}

// event writes an event of a track. A damaged recording has times before the launch, too: they are the launch here.
func (w *Perfetto) event(kind, track uint64, at time.Duration, name, category string, flows message, notes ...note) {
	var e message
	e.uint(eventType, kind)
	e.uint(eventTrack, track)
	if name != "" {
		e.text(eventName, clean(name))
		e.text(eventCategory, clean(category))
	}
	e = append(e, flows...)
	for _, n := range notes {
		var v message
		v.text(noteName, n.name)
		switch x := n.value.(type) {
		case uint64:
			v.uint(noteUint, x)
		case string:
			v.text(noteText, clean(x))
		}
		e.sub(eventNotes, v)
	}
	w.timed(at, e)
}

func (w *Perfetto) timed(at time.Duration, event message) {
	w.packet(func(m *message) {
		m.uint(packetTimestamp, uint64(max(at, 0)))
		m.sub(packetEvent, event)
	})
}

// packet writes a packet.
func (w *Perfetto) packet(fill func(*message)) {
	var p, out message
	fill(&p)
	p.uint(packetSequence, sequence)
	if w.first {
		w.first = false
		p.uint(packetFlags, stateCleared)
		p.uint(packetFirst, 1)
	}
	out.sub(tracePacket, p)
	if w.err == nil {
		_, w.err = w.out.Write(out)
	}
}

// describe names a track.
func (w *Perfetto) describe(uuid, parent uint64, name string, more func(*message)) uint64 {
	if w.known[uuid] || len(w.known) >= maxThreads {
		return uuid
	}
	w.known[uuid] = true
	var t message
	t.uint(trackUUID, uuid)
	if name != "" {
		t.text(trackName, name)
	}
	if parent != 0 {
		t.uint(trackParent, parent)
	}
	if more != nil {
		more(&t)
	}
	w.packet(func(m *message) { m.sub(packetTrack, t) })
	return uuid
}

func (w *Perfetto) worker(n int) uint64 {
	return w.describe(workerTracks+uint64(n), processTrack, fmt.Sprintf("worker %d", n), nil)
}

func (w *Perfetto) lane(worker int, lane uint16) uint64 {
	return w.describe(laneTracks+uint64(worker)*maxLanes+uint64(lane)%maxLanes, w.worker(worker), fmt.Sprintf("lane %d", lane), nil)
}

// counted are the metrics that have counters.
var counted = []string{"ready", "yielded", "requeued", "running", "paused", "queue_depth", "done", "faulted", "tasks_per_s", "log_lost"}

func (w *Perfetto) counters(s *megakernel.Snapshot) {
	sample := stats.NewSample(s, w.before)
	for i, name := range counted {
		metric := stats.MetricNamed(name)
		if metric == nil {
			continue
		}
		v, ok := metric.Value(sample).(uint64)
		if !ok {
			continue
		}
		track := w.describe(metricTracks+uint64(i), processTrack, name, func(m *message) {
			var c message
			c.uint(counterUnit, unitCount)
			m.sub(trackCounter, c)
		})
		var e message
		e.uint(eventType, typeCounter)
		e.uint(eventTrack, track)
		e.uint(eventCounter, v)
		w.timed(s.Taken, e)
	}
}
