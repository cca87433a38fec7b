package inspect

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"io"
	"strconv"
	"time"

	"vyretop/engine/fault"
	"vyretop/fixtures"
	"vyretop/megakernel/safe"
	"vyretop/megakernel/stats"
)

// OTLP writes what a target did as spans of OpenTelemetry, a JSON object of TracesData in each line, as its file exporter does
// (https://opentelemetry.io/docs/specs/otel/protocol/file-exporter) and collectors read. It is not safe for concurrent use.
//
// A task is a span from its first activation to the end of its last one, below the span of the task that spawned it; each activation
// is a span below that of its task. A task that faults has the status error. The trace is the run.
type OTLP struct {
	out    *bufio.Writer
	send   func(line []byte) error // in place of out; nil for none
	sent   time.Time
	header fixtures.Header
	err    error

	trace  [16]byte
	teller told
	family *family
	spans  []otlpSpan // that are not written
	logged bool       // a record of the log was taken
}

type otlpSpan struct {
	Trace      string          `json:"traceId"`
	ID         string          `json:"spanId"`
	Parent     string          `json:"parentSpanId,omitempty"`
	Name       string          `json:"name"`
	Kind       int             `json:"kind"` // 1: internal
	Start      string          `json:"startTimeUnixNano"`
	End        string          `json:"endTimeUnixNano"`
	Attributes []otlpAttribute `json:"attributes,omitempty"`
	Status     *otlpStatus     `json:"status,omitempty"`
}

type otlpAttribute struct {
	Key   string    `json:"key"`
	Value otlpValue `json:"value"`
}

// otlpValue is a number, which JSON has as a text, or a text.
type otlpValue struct {
	Int  *string `json:"intValue,omitempty"`
	Text *string `json:"stringValue,omitempty"`
}

type otlpStatus struct {
	Code    int    `json:"code"` // 2: error
	Message string `json:"message,omitempty"`
}

// NewOTLP begins the spans of a target.
func NewOTLP(out io.Writer, h fixtures.Header) *OTLP {
	w := &OTLP{out: bufio.NewWriter(out), header: h, family: newFamily()}
	w.teller.target = &w.header.Target
	sum := sha256.Sum256([]byte(h.Target.Workload + "\x00" + h.Host + "\x00" + h.Target.Started.UTC().Format(time.RFC3339Nano)))
	copy(w.trace[:], sum[:])
	return w
}

// SendOTLP begins spans that are sent to a collector: at the latest each second, or with each snapshot where those are rarer.
func SendOTLP(ctx context.Context, c *Collector, h fixtures.Header) *OTLP {
	w := NewOTLP(io.Discard, h)
	w.send, w.sent = func(line []byte) error { return c.Send(ctx, line) }, time.Now()
	return w
}

// Take adds a message of the target; see Subject.Follow.
func (w *OTLP) Take(m *fixtures.StreamMessage) error {
	if s := m.Snapshot; s != nil {
		w.family.see(s)
		w.teller.Snapshot(s, w.line)
		w.family.forget(w.task)
		if w.send != nil && time.Since(w.sent) >= time.Second {
			w.flush()
		}
	} else {
		w.logged = w.logged || len(m.Log) > 0
		w.teller.Log(m.Log, w.line)
	}
	return w.err
}

// Close writes the tasks that have not ended; the underlying writer stays open.
func (w *OTLP) Close() error {
	clear(w.family.present)
	w.family.forget(w.task)
	w.flush()
	if w.err == nil {
		w.err = w.out.Flush()
	}
	return w.err
}

// empty is the error about a target without records of the log, of which all spans are made: ErrSubject.
func (w *OTLP) empty() error {
	if w.logged {
		return nil
	}
	return &fault.Error{Kind: ErrSubject, Op: "export", Subject: w.header.Target.Workload, Detail: "no spans, because there is no record of the debug log",
		Fix: "record with --log all, or choose other positions; --form csv and --form trace have what snapshots tell"}
}

func (w *OTLP) line(l *stats.SpanLine) {
	if l.Kind != stats.Activation {
		return
	}
	m, _ := w.family.ran(l)
	outcome := l.Record.Text(w.header.Target.Formats)
	w.add(otlpSpan{ID: spanID(spanActivation, l.Record.Number), Parent: spanID(spanTask, uint64(l.Task)), Name: opcodeText(&w.header.Target, l.Opcode),
		Attributes: []otlpAttribute{numberOf("vyretop.task", uint64(l.Task)), numberOf("vyretop.worker", uint64(l.Worker)), numberOf("vyretop.lane", uint64(l.Lane)), textOf("vyretop.outcome", outcome)}}, l.Begin, l.End)
	if m.ended {
		w.task(m)
	}
}

// task writes the span of a task.
func (w *OTLP) task(m *member) {
	s := otlpSpan{ID: spanID(spanTask, uint64(m.id)), Name: "task " + opcodeText(&w.header.Target, m.opcode),
		Attributes: []otlpAttribute{numberOf("vyretop.task", uint64(m.id)), numberOf("vyretop.activations", uint64(m.activations))}}
	if m.parent != 0 {
		s.Parent = spanID(spanTask, uint64(m.parent))
		s.Attributes = append(s.Attributes, numberOf("vyretop.parent", uint64(m.parent)))
	}
	if m.faulted {
		s.Status = &otlpStatus{Code: 2, Message: "faulted"}
	}
	w.add(s, m.first, m.last)
}

// maxSpans bounds the spans of a line.
const maxSpans = 1 << 12

func (w *OTLP) add(s otlpSpan, from, to time.Duration) {
	s.Trace, s.Kind = hex.EncodeToString(w.trace[:]), 1
	s.Name = safe.Text(s.Name)
	s.Start, s.End = w.wall(from), w.wall(max(from, to))
	if w.spans = append(w.spans, s); len(w.spans) >= maxSpans {
		w.flush()
	}
}

// wall is a time since launch as nanoseconds of Unix time.
func (w *OTLP) wall(at time.Duration) string {
	base := int64(0)
	if started := w.header.Target.Started; !started.IsZero() {
		base = started.UnixNano()
	}
	return strconv.FormatInt(max(base+int64(at), 0), 10)
}

// spanID is eight bytes: what the span is of, and its number. Neighbors differ in few digits, so that a compressed file is small.
func spanID(of byte, number uint64) string {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], number)
	b[0] = of
	return hex.EncodeToString(b[:])
}

// What spans are of.
const (
	spanTask       = 1
	spanActivation = 2
)

func numberOf(key string, n uint64) otlpAttribute {
	text := strconv.FormatUint(n, 10)
	return otlpAttribute{key, otlpValue{Int: &text}}
}

func textOf(key, text string) otlpAttribute { return otlpAttribute{key, otlpValue{Text: &text}} }

// flush writes a line.
func (w *OTLP) flush() {
	if len(w.spans) == 0 || w.err != nil {
		return
	}
	t := &w.header.Target
	resource := []otlpAttribute{textOf("service.name", "vyretop"), textOf("service.instance.id", t.Workload), textOf("vyretop.host", w.header.Host),
		textOf("vyretop.workload", t.Workload), textOf("vyretop.backend", t.Backend), textOf("vyretop.renderer", t.Renderer)}
	line, err := json.Marshal(map[string]any{"resourceSpans": []any{map[string]any{
		"resource":   map[string]any{"attributes": resource},
		"scopeSpans": []any{map[string]any{"scope": map[string]any{"name": "vyretop", "version": w.header.Version}, "spans": w.spans}},
	}}})
	switch {
	case err != nil:
	case w.send != nil:
		err, w.sent = w.send(line), time.Now()
	default:
		_, err = w.out.Write(append(line, '\n'))
	}
	w.err, w.spans = err, w.spans[:0]
}
