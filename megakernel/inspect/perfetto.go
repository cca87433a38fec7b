package inspect

import (
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
//
// The packets are small: each track is a sequence of its own with timestamps that are differences, texts that come again are written once
// in a sequence, counters where they change, and batches of packets are compressed.
type Perfetto struct {
	out    packed
	target megakernel.Target

	before *megakernel.Snapshot
	teller told
	family *family
	texts  interned
	tracks map[placeOf]*packets
	host   *packets
	counts map[string]uint64 // the values of counters
	flow   uint64            // the last one
	flows  map[uint32]uint64 // of requeued tasks, to their next activation
}

// The tracks that every trace has. Others have the numbers behind them.
const (
	processTrack = 1
	hostTrack    = 2
)

// placeOf is what a track is of: a worker, a lane of a worker, or a metric.
type placeOf struct {
	kind         byte
	worker, lane int
}

// NewPerfetto begins a trace of a target.
func NewPerfetto(out io.Writer, h fixtures.Header) *Perfetto {
	w := &Perfetto{out: packed{out: out}, target: h.Target, family: newFamily(), texts: interned{map[internedKey]uint64{}},
		tracks: map[placeOf]*packets{}, counts: map[string]uint64{}, flows: map[uint32]uint64{}}
	w.teller.target = &w.target
	var process message
	process.uint(processPID, 1)
	process.text(processName, clean(h.Target.Workload+" on "+h.Target.Backend))
	w.describe(processTrack, 0, "", func(m *message) { m.sub(trackProcess, process) })
	w.describe(hostTrack, processTrack, "host", nil)
	w.host = &packets{sequence: hostTrack, track: hostTrack}
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
		w.event(typeInstant, w.host, m.Event.At, m.Event.Kind+": "+m.Event.Text, m.Event.Kind, nil, notes...)
	case m.Snapshot != nil:
		w.snapshot(m.Snapshot)
	default:
		w.teller.Log(m.Log, w.line)
	}
	return w.out.err
}

// Close ends the trace; the underlying writer stays open.
func (w *Perfetto) Close() error {
	w.teller.End(w.line)
	w.out.flush()
	return w.out.err
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
		w.event(typeInstant, w.host, l.Begin, fmt.Sprintf("%d log records lost", l.Lost), "lost", nil)
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

func (w *Perfetto) slice(track *packets, l *stats.SpanLine, name, category string, flows message, notes ...note) {
	w.event(typeBegin, track, l.Begin, name, category, flows, notes...)
	w.event(typeEnd, track, max(l.Begin, l.End), "", "", nil)
}

// note is an argument of an event: a text or a number.
type note struct {
	name  string
	value any
}

// event writes an event of a track. A damaged recording has times before the launch, too: they are the launch here. Texts
// of instants are of what happened and differ: only those of slices have numbers.
func (w *Perfetto) event(kind uint64, track *packets, at time.Duration, name, category string, flows message, notes ...note) {
	var e message
	e.uint(eventType, kind)
	switch {
	case name == "":
	case kind == typeInstant:
		e.text(eventName, clean(name))
		track.text(&e, &w.texts, asCategory, clean(category))
	default:
		track.text(&e, &w.texts, asName, clean(name))
		track.text(&e, &w.texts, asCategory, clean(category))
	}
	e = append(e, flows...)
	for _, n := range notes {
		var v message
		track.text(&v, &w.texts, asNoteName, n.name)
		switch x := n.value.(type) {
		case uint64:
			v.uint(noteUint, x)
		case string:
			if kind == typeInstant {
				v.text(noteText, clean(x))
			} else {
				track.text(&v, &w.texts, asNoteText, clean(x))
			}
		}
		e.sub(eventNotes, v)
	}
	w.timed(track, at, e)
}

// timed writes an event, behind the packet with which its sequence begins.
func (w *Perfetto) timed(track *packets, at time.Duration, event message) {
	if !track.begun {
		track.begun = true
		w.out.packet(track.begin())
	}
	w.out.packet(track.event(max(at, 0), event))
}

// describe names a track.
func (w *Perfetto) describe(uuid, parent uint64, name string, more func(*message)) {
	var t, m message
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
	m.sub(packetTrack, t)
	m.uint(packetSequence, 1)
	w.out.packet(m)
}

// track is the one of a place, which it describes when that is new. Where there are too many it is the host's.
func (w *Perfetto) track(of placeOf, parent uint64, name string, more func(*message)) *packets {
	t := w.tracks[of]
	if t == nil && len(w.tracks) >= maxThreads {
		return w.host
	}
	if t == nil {
		uuid := uint64(hostTrack + 1 + len(w.tracks))
		t = &packets{sequence: uuid, track: uuid}
		w.tracks[of] = t
		w.describe(uuid, parent, name, more)
	}
	return t
}

func (w *Perfetto) worker(n int) *packets {
	return w.track(placeOf{'w', n, 0}, processTrack, fmt.Sprintf("worker %d", n), nil)
}

func (w *Perfetto) lane(worker int, lane uint16) *packets {
	parent := w.worker(worker).track
	return w.track(placeOf{'l', worker, int(lane) % maxLanes}, parent, fmt.Sprintf("lane %d", lane), nil)
}

// counted are the metrics that have counters.
var counted = []string{"ready", "yielded", "requeued", "running", "paused", "queue_depth", "done", "faulted", "tasks_per_s", "log_lost"}

// counters writes the values that differ from those before.
func (w *Perfetto) counters(s *megakernel.Snapshot) {
	sample := stats.NewSample(s, w.before)
	for i, name := range counted {
		metric := stats.MetricNamed(name)
		if metric == nil {
			continue
		}
		v, ok := metric.Value(sample).(uint64)
		before, known := w.counts[name]
		if !ok || known && v == before {
			continue
		}
		w.counts[name] = v
		track := w.track(placeOf{'c', i, 0}, processTrack, name, func(m *message) {
			var c message
			c.uint(counterUnit, unitCount)
			m.sub(trackCounter, c)
		})
		var e message
		e.uint(eventType, typeCounter)
		e.uint(eventCounter, v)
		w.timed(track, s.Taken, e)
	}
}
