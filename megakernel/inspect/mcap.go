package inspect

import (
	"encoding/json"
	"io"
	"strconv"
	"time"

	"github.com/foxglove/mcap/go/mcap"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/stats"
)

// MCAP writes what a target did as an MCAP file whose messages are JSON with schemas, which any reader of MCAP decodes and
// Foxglove shows; recordings have encodings of their own. The channels are /samples, the metrics of every snapshot; /log, the records of
// the debug log; and /events, what happened on the host. The last two have the schema foxglove.Log. It is not safe for concurrent use.
type MCAP struct {
	out     *mcap.Writer
	subject Subject
	target  megakernel.Target
	teller  told
	before  *megakernel.Snapshot
	known   bool // the channel of samples is declared
	numbers [3]uint32
	err     error
}

// Numbers of the schemas and channels.
const (
	logSchema    = 1
	sampleSchema = 2

	logChannel    = 1
	eventChannel  = 2
	sampleChannel = 3
)

// jsonSchema and jsonText are encodings of MCAP's registry.
const (
	jsonSchema = "jsonschema"
	jsonText   = "json"
)

// foxgloveLog is the schema of that name (https://docs.foxglove.dev/docs/sdk/schemas/log).
const foxgloveLog = `{"title":"foxglove.Log","type":"object","properties":{` +
	`"timestamp":{"type":"object","title":"time","properties":{"sec":{"type":"integer","minimum":0},"nsec":{"type":"integer","minimum":0,"maximum":999999999}}},` +
	`"level":{"title":"foxglove.LogLevel","type":"integer"},"message":{"type":"string"},"name":{"type":"string"},"file":{"type":"string"},"line":{"type":"integer","minimum":0}}}`

// NewMCAP begins a file.
func NewMCAP(w io.Writer, s Subject) (*MCAP, error) {
	out, err := mcap.NewWriter(w, &mcap.WriterOptions{Chunked: true, ChunkSize: 1 << 20, Compression: mcap.CompressionZSTD, IncludeCRC: true})
	if err != nil {
		return nil, err
	}
	m := &MCAP{out: out, subject: s, target: s.Header().Target}
	m.teller.target = &m.target
	m.fail(out.WriteHeader(&mcap.Header{}))
	m.fail(out.WriteSchema(&mcap.Schema{ID: logSchema, Name: "foxglove.Log", Encoding: jsonSchema, Data: []byte(foxgloveLog)}))
	m.channel(logChannel, logSchema, "/log")
	m.channel(eventChannel, logSchema, "/events")
	return m, m.err
}

func (w *MCAP) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (w *MCAP) channel(id, schema uint16, topic string) {
	about := map[string]string{"workload": w.target.Workload, "backend": w.target.Backend, "renderer": w.target.Renderer}
	w.fail(w.out.WriteChannel(&mcap.Channel{ID: id, SchemaID: schema, Topic: topic, MessageEncoding: jsonText, Metadata: about}))
}

// Take adds a message of the target; see Subject.Follow.
func (w *MCAP) Take(m *fixtures.StreamMessage) error {
	switch {
	case m.Event != nil:
		level := levelInfo
		if m.Event.Kind == "error" {
			level = levelError
		}
		w.note(eventChannel, m.Event.At, level, m.Event.Kind, m.Event.Text)
	case m.Snapshot != nil:
		w.teller.Snapshot(m.Snapshot, w.line)
		w.sample(m.Snapshot)
	default:
		w.teller.Log(m.Log, w.line)
	}
	return w.err
}

// Close ends the file; the underlying writer stays open.
func (w *MCAP) Close() error {
	w.fail(w.out.Close())
	return w.err
}

// Levels of foxglove.Log.
const (
	levelDebug = 1
	levelInfo  = 2
	levelError = 4
)

func (w *MCAP) line(l *stats.SpanLine) {
	level := levelDebug
	switch {
	case l.Record == nil:
		return
	case l.Kind == stats.Message:
		level = levelInfo
	case megakernel.KindOf(l.Record.Format) == megakernel.EventFault:
		level = levelError
	}
	name := "worker " + strconv.Itoa(l.Worker) + ", task " + megakernel.TaskName(l.Task) + ", " + opcodeText(&w.target, l.Opcode)
	w.note(logChannel, l.End, level, name, l.Record.Text(w.target.Formats))
}

func (w *MCAP) note(channel uint16, at time.Duration, level int, name, text string) {
	ns := w.wall(at)
	w.message(channel, ns, map[string]any{
		"timestamp": map[string]uint64{"sec": ns / uint64(time.Second), "nsec": ns % uint64(time.Second)},
		"level":     level, "name": name, "message": text, "file": "", "line": 0,
	})
}

// wall is a time since launch as nanoseconds of Unix time.
func (w *MCAP) wall(at time.Duration) uint64 {
	if started := w.target.Started; !started.IsZero() {
		at += time.Duration(started.UnixNano())
	}
	return nanoseconds(at)
}

func (w *MCAP) message(channel uint16, ns uint64, body any) {
	text, err := json.Marshal(body)
	w.fail(err)
	if w.err == nil {
		w.fail(w.out.WriteMessage(&mcap.Message{ChannelID: channel, Sequence: w.numbers[channel-1], LogTime: ns, PublishTime: ns, Data: text}))
		w.numbers[channel-1]++
	}
}

// sample writes the metrics of a snapshot. What is not known is left out.
func (w *MCAP) sample(s *megakernel.Snapshot) {
	sample := Sample(w.subject, s, w.before)
	w.before = s
	if !w.known {
		w.known = true
		w.fail(w.out.WriteSchema(&mcap.Schema{ID: sampleSchema, Name: "vyretop.sample", Encoding: jsonSchema, Data: sampleSchemaOf(sample)}))
		w.channel(sampleChannel, sampleSchema, "/samples")
	}
	w.message(sampleChannel, w.wall(s.Taken), MetricTable.Object(sample))
}

// sampleSchemaOf has the types of the metrics. One that is not known in the first sample is a number: texts always are.
func sampleSchemaOf(s *stats.Sample) []byte {
	types := map[string]any{}
	for i := range MetricTable {
		of := "number"
		switch MetricTable[i].Get(s).(type) {
		case string:
			of = "string"
		case bool:
			of = "boolean"
		}
		types[MetricTable[i].Name] = map[string]string{"type": of}
	}
	text, err := json.Marshal(map[string]any{"title": "vyretop.sample", "type": "object", "properties": types})
	if err != nil {
		panic("BUG: schema of samples: " + err.Error()) // plain data
	}
	return text
}
