package inspect

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/stats"
)

// The schemas of the documents and of the lines of streams.
const (
	SnapshotSchema = "vyretop.snapshot/1"
	WorkersSchema  = "vyretop.workers/1"
	TasksSchema    = "vyretop.tasks/1"
	LogSchema      = "vyretop.log/1"
	EventsSchema   = "vyretop.events/1"
	WordsSchema    = "vyretop.words/1"
	StallSchema    = "vyretop.stall/1"
	DiffSchema     = "vyretop.diff/1"
)

// MetricTable is the table of what is said of a target as a whole.
var MetricTable = metricTable()

func metricTable() Table[stats.Sample] {
	var t Table[stats.Sample]
	for i := range stats.Metrics {
		t = append(t, Column[stats.Sample]{stats.Metrics[i].Name, stats.Metrics[i].Value})
	}
	return t
}

// Sampled is what samples are of: a Subject, or a run of this process.
type Sampled interface {
	// Kind says where the subject is read from.
	Kind() Kind
	// Header is what is known of the run as a whole.
	Header() fixtures.Header
}

// Sample is a snapshot of a subject as metrics read it.
func Sample(s Sampled, now, before *megakernel.Snapshot) *stats.Sample {
	out := stats.NewSample(now, before)
	out.Raw = s.Kind() == Raw
	if s.Kind() == Live {
		out.Age = time.Since(s.Header().Target.Started) - now.Taken
	}
	return out
}

// target is what a document says of where it comes from.
type target struct {
	Kind     Kind   `json:"kind"`
	Workload string `json:"workload,omitempty"`
	Label    string `json:"label,omitempty"` // the user's name for the run
	Backend  string `json:"backend,omitempty"`
	Renderer string `json:"renderer,omitempty"`
	Started  string `json:"started,omitempty"` // RFC 3339
}

func targetOf(s Subject) target {
	t := s.Header().Target
	out := target{Kind: s.Kind(), Workload: t.Workload, Label: t.Label, Backend: t.Backend, Renderer: t.Renderer}
	if !t.Started.IsZero() {
		out.Started = t.Started.UTC().Format(time.RFC3339Nano)
	}
	return out
}

// SnapshotDocument is the document of a sample: the target, every metric that is known, and what the workers
// did since the earlier snapshot.
func SnapshotDocument(s Subject, sample *stats.Sample) json.RawMessage {
	o := MetricTable.object(sample, "schema", SnapshotSchema, "target", targetOf(s))
	if r := sample.Occupancy(); r != nil {
		o.add("occupancy", occupied{s.Header().Target.Clock, r})
	}
	if list := sharesOf(s, sample.Now); list != nil {
		o.add("shares", list)
	}
	if v := sample.Now.Vitals; v != nil {
		o.add("devices", v.Devices)
	}
	return o.end()
}

// share is what one of several devices has done.
type share struct {
	Device      int    `json:"device"`
	Renderer    string `json:"renderer"`
	Phase       string `json:"phase"`
	Submitted   uint64 `json:"submitted"`
	Done        uint64 `json:"done"`
	Faulted     uint64 `json:"faulted"`
	Activations uint64 `json:"activations"`
}

func sharesOf(s Subject, now *megakernel.Snapshot) (list []share) {
	names := s.Header().Target.Devices
	for i, x := range now.Shares {
		if i < len(names) {
			list = append(list, share{i, names[i], x.Phase.String(), x.Submitted, x.Done, x.Faulted, x.Activations})
		}
	}
	return list
}

// occupied is a report of occupancy with the clock that its shares are of.
type occupied struct {
	Clock string `json:"clock,omitempty"` // left out where times are not counted
	*stats.Occupancy
}

// WriteDocument prints the document of a table at a position: rows under a name.
func WriteDocument[T any](w io.Writer, schema string, s Subject, sample *stats.Sample, name string, t Table[T], rows Rows[T]) error {
	var o object
	o.add("schema", schema)
	o.add("target", targetOf(s))
	o.position(sample)
	return writeDocument(w, &o, name, t, rows)
}

func objects[T any](t Table[T], rows []T) []json.RawMessage {
	out := make([]json.RawMessage, len(rows))
	for i := range rows {
		out[i] = t.Object(&rows[i])
	}
	return out
}

// position adds what says which position a document is about, and how far it can be trusted.
func (o *object) position(sample *stats.Sample) {
	for _, m := range stats.Metrics {
		if v := m.Value(sample); v != nil && momentary[m.Name] {
			o.add(m.Name, v)
		}
	}
}

var momentary = map[string]bool{"seq": true, "taken_ms": true, "age_ms": true, "consistent": true, "torn_by": true, "phase": true, "epoch": true}

// WriteSample prints the metrics that are known, one in a line.
func WriteSample(w io.Writer, s *stats.Sample) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i := range stats.Metrics {
		if v := stats.Metrics[i].Value(s); v != nil {
			fmt.Fprintf(t, "%s\t%v\n", stats.Metrics[i].Name, v)
		}
	}
	return t.Flush()
}

// WriteDiff prints the document of the differences between two subjects.
func WriteDiff(w io.Writer, a, b Subject, equal bool, rows Rows[Difference]) error {
	var o object
	o.add("schema", DiffSchema)
	o.add("a", targetOf(a))
	o.add("b", targetOf(b))
	o.add("equal", equal)
	return writeDocument(w, &o, "words", DiffTable, rows)
}
