package inspect

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/foxglove/mcap/go/mcap"
	"google.golang.org/protobuf/encoding/protowire"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// family of tasks: task 1 spawns task 7 and requeues itself, both end in the next slice.
func familyRun() (h fixtures.Header, messages []fixtures.StreamMessage) {
	h.Target = megakernel.Target{Workload: "family", Backend: "reference", Opcodes: map[uint32]string{0x100: "parent", 0x101: "child"}, Started: time.Unix(1000, 0)}
	slots := func(states ...tasks.State) []uint32 {
		child := tasks.Task{State: states[1], Opcode: 0x101, TaskID: 7, ParentTaskID: 1}
		parent := tasks.Task{State: states[0], Opcode: 0x100, TaskID: 1}
		a, b := parent.Words(), child.Words()
		return append(a[:], b[:]...)
	}
	snapshot := func(at time.Duration, words []uint32) fixtures.StreamMessage {
		return fixtures.StreamMessage{Snapshot: &megakernel.Snapshot{Taken: at, Workers: 1, Lanes: 2, Slots: words, WorkerTable: make([]uint32, megakernel.WorkerWords), Control: make([]uint32, 16)}}
	}
	record := func(n uint64, event megakernel.Event, task, op uint32, lane uint16) megakernel.LogRecord {
		return megakernel.LogRecord{Number: n, Format: megakernel.LogEventBase + uint32(event), Task: task, Opcode: op, Lane: lane}
	}
	return h, []fixtures.StreamMessage{
		snapshot(0, slots(tasks.Ready, tasks.Empty)),
		{Log: []megakernel.LogRecord{record(0, megakernel.EventRequeue, 1, 0x100, 0)}},
		snapshot(10*time.Millisecond, slots(tasks.Requeued, tasks.Ready)),
		{Log: []megakernel.LogRecord{record(1, megakernel.EventDone, 1, 0x100, 0), record(2, megakernel.EventFault, 7, 0x101, 1)}},
		{Event: &megakernel.HostEvent{At: 15 * time.Millisecond, Kind: "command", Text: "bad text \xff"}},
		snapshot(20*time.Millisecond, slots(tasks.Done, tasks.Faulted)),
	}
}

// protoField is a field of a message of Protocol Buffers.
type protoField struct {
	number protowire.Number
	value  uint64
	bytes  []byte
}

func protoFields(t *testing.T, m []byte) (out []protoField) {
	t.Helper()
	for len(m) > 0 {
		var f protoField
		number, kind, n := protowire.ConsumeTag(m)
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		f.number, m = number, m[n:]
		switch kind {
		case protowire.VarintType:
			f.value, n = protowire.ConsumeVarint(m)
		case protowire.Fixed64Type:
			f.value, n = protowire.ConsumeFixed64(m)
		case protowire.BytesType:
			f.bytes, n = protowire.ConsumeBytes(m)
		default:
			t.Fatalf("wire type %d", kind)
		}
		if n < 0 {
			t.Fatalf("field %d: %v", number, protowire.ParseError(n))
		}
		m, out = m[n:], append(out, f)
	}
	return out
}

func fieldOf(list []protoField, number protowire.Number) (protoField, bool) {
	i := slices.IndexFunc(list, func(f protoField) bool { return f.number == number })
	if i < 0 {
		return protoField{}, false
	}
	return list[i], true
}

// perfettoEvent is an event of a trace, with what its sequence says of it.
type perfettoEvent struct {
	at          time.Duration
	track, kind uint64
	name        string
	fields      []protoField
}

// perfettoState is what a reader knows of a sequence.
type perfettoState struct {
	last  uint64
	track uint64
	texts map[protowire.Number]map[uint64]string
}

// perfettoEvents reads a trace as its reader does: compressed packets, sequences, differences of time, texts by number.
func perfettoEvents(t *testing.T, trace []byte, tracks map[uint64]string) (events []perfettoEvent) {
	t.Helper()
	states := map[uint64]*perfettoState{}
	for _, batch := range protoFields(t, trace) {
		small, ok := fieldOf(protoFields(t, batch.bytes), packetCompressed)
		if !ok || len(batch.bytes) > 512<<10 {
			t.Fatal("a packet is not compressed, or too large")
		}
		zip, err := zlib.NewReader(bytes.NewReader(small.bytes))
		if err != nil {
			t.Fatal(err)
		}
		packets, err := io.ReadAll(zip)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range protoFields(t, packets) {
			packet := protoFields(t, p.bytes)
			if d, ok := fieldOf(packet, packetTrack); ok {
				id, _ := fieldOf(protoFields(t, d.bytes), trackUUID)
				name, _ := fieldOf(protoFields(t, d.bytes), trackName)
				tracks[id.value] = string(name.bytes)
			} else if e, ok := perfettoEventOf(t, packet, states); ok {
				events = append(events, e)
			}
		}
	}
	return events
}

func perfettoEventOf(t *testing.T, packet []protoField, states map[uint64]*perfettoState) (out perfettoEvent, ok bool) {
	t.Helper()
	value := func(list []protoField, n protowire.Number) uint64 { f, _ := fieldOf(list, n); return f.value }
	inside := func(list []protoField, n protowire.Number) []protoField {
		f, _ := fieldOf(list, n)
		return protoFields(t, f.bytes)
	}
	sequence, flags := value(packet, packetSequence), value(packet, packetFlags)
	state := states[sequence]
	if flags == stateCleared {
		defaults := inside(packet, packetDefaults)
		state = &perfettoState{track: value(inside(defaults, defaultEvent), defaultEventTrack), texts: map[protowire.Number]map[uint64]string{}}
		states[sequence] = state
		if value(defaults, defaultClock) != differenceClock || len(inside(packet, packetClock)) != 2 {
			t.Errorf("sequence %d begins without its clock", sequence)
		}
		return out, false
	}
	if state == nil || flags != stateNeeded {
		t.Fatalf("sequence %d did not begin, flags %d", sequence, flags)
	}
	for _, entry := range inside(packet, packetInterned) {
		if state.texts[entry.number] == nil {
			state.texts[entry.number] = map[uint64]string{}
		}
		text, _ := fieldOf(protoFields(t, entry.bytes), internedText)
		state.texts[entry.number][value(protoFields(t, entry.bytes), internedID)] = string(text.bytes)
	}
	at := value(packet, packetTimestamp)
	if value(packet, packetClockID) != traceClock {
		at += state.last
		state.last = at
	}
	out = perfettoEvent{at: time.Duration(at), track: state.track, fields: inside(packet, packetEvent)}
	out.kind = value(out.fields, eventType)
	name, _ := fieldOf(out.fields, eventName)
	if out.name = string(name.bytes); out.name == "" {
		out.name = state.texts[asName.table][value(out.fields, eventNameID)]
	}
	if out.name == "" && (out.kind == typeBegin || out.kind == typeInstant) {
		t.Errorf("an event without a name: %v", out.fields)
	}
	return out, true
}

// TestPerfettoFollowsPublicSchema: slices nest and end, tracks are named before they are used, and arrows lead from the activation that requeues to the next one and from
// the parent to the child.
func TestPerfettoFollowsPublicSchema(t *testing.T) {
	h, messages := familyRun()
	var out bytes.Buffer
	w := NewPerfetto(&out, h)
	for i := range messages {
		if err := w.Take(&messages[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	tracks, open, flows := map[uint64]string{}, map[uint64]int{}, map[uint64][]string{}
	counters := 0
	for i, e := range perfettoEvents(t, out.Bytes(), tracks) {
		if _, named := tracks[e.track]; !named {
			t.Errorf("event %d is of a track without a description", i)
		}
		for _, f := range e.fields {
			if f.number == eventFlow || f.number == eventFlowEnd {
				flows[f.value] = append(flows[f.value], e.name)
			}
		}
		switch e.kind {
		case typeBegin:
			open[e.track]++
		case typeEnd:
			open[e.track]--
		case typeCounter:
			counters++
		}
		if open[e.track] < 0 || open[e.track] > 1 {
			t.Errorf("event %d: %d slices are open on track %q", i, open[e.track], tracks[e.track])
		}
		if e.at > 20*time.Millisecond {
			t.Errorf("event %d at %v", i, e.at)
		}
	}
	for track, n := range open {
		if n != 0 {
			t.Errorf("%d slices of track %q do not end", n, tracks[track])
		}
	}
	var arrows []string
	for _, names := range flows {
		arrows = append(arrows, strings.Join(names, " to "))
	}
	slices.Sort(arrows)
	if want := []string{"parent to parent", "spawn to child"}; !slices.Equal(arrows, want) || counters == 0 {
		t.Errorf("arrows %q, want %q; %d counters", arrows, want, counters)
	}
}

// TestSpansHaveParents: each activation is below its task, the child's task below the parent's, and a fault is an error.
func TestSpansHaveParents(t *testing.T) {
	h, messages := familyRun()
	var out bytes.Buffer
	w := NewOTLP(&out, h)
	for i := range messages {
		if err := w.Take(&messages[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	spans := map[string]otlpSpan{}
	for line := range strings.Lines(out.String()) {
		var d struct {
			Resource []struct {
				Scope []struct {
					Spans []otlpSpan `json:"spans"`
				} `json:"scopeSpans"`
			} `json:"resourceSpans"`
		}
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		for _, s := range d.Resource[0].Scope[0].Spans {
			if begin, _ := strconv.Atoi(s.Start); begin < 1000e9 || len(s.Trace) != 32 || len(s.ID) != 16 || s.End < s.Start {
				t.Errorf("%+v", s)
			}
			spans[s.ID] = s
		}
	}
	var got []string
	for _, s := range spans {
		got = append(got, fmt.Sprintf("%s below %q, fault %t", s.Name, spans[s.Parent].Name, s.Status != nil))
	}
	slices.Sort(got)
	want := []string{`child below "task child", fault false`, `parent below "task parent", fault false`, `parent below "task parent", fault false`,
		`task child below "task parent", fault true`, `task parent below "", fault false`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestTasksWithoutAnEndAreInOrder: the spans of tasks that left the ring together were in an order of their own in each export.
func TestTasksWithoutAnEndAreInOrder(t *testing.T) {
	const most = 64
	f := newFamily()
	for id := range uint32(most) {
		f.of(most - id).activations = 1
	}
	var got []uint32
	f.forget(func(m *member) { got = append(got, m.id) })
	if len(got) != most || !slices.IsSorted(got) || len(f.members) != 0 {
		t.Errorf("%v, %d are left", got, len(f.members))
	}
}

// TestMCAPOfJSON: every channel has a schema, and messages are JSON of it.
func TestMCAPOfJSON(t *testing.T) {
	rec, err := fixtures.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	s, err := Open(t.Context(), Embedded, Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var out bytes.Buffer
	if err := (&Exporting{Form: FormMCAP}).Write(t.Context(), s, &out); err != nil {
		t.Fatal(err)
	}
	r, err := mcap.NewReader(bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	it, err := r.Messages()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for {
		schema, channel, message, err := it.NextInto(nil)
		if err != nil {
			break
		}
		var body map[string]any
		var about struct {
			Properties map[string]any `json:"properties"`
		}
		if err := json.Unmarshal(message.Data, &body); err != nil || json.Unmarshal(schema.Data, &about) != nil {
			t.Fatalf("%s: %v", channel.Topic, err)
		}
		for name := range body {
			if about.Properties[name] == nil {
				t.Fatalf("%s: the schema does not have %s", channel.Topic, name)
			}
		}
		seen[channel.Topic]++
	}
	if seen["/samples"] != rec.Snapshots() || seen["/events"] == 0 || seen["/log"] == 0 {
		t.Errorf("%v", seen)
	}
}

// TestLayoutShowsWhatThereIs: the paths of the layout for Foxglove are metrics.
func TestLayoutShowsWhatThereIs(t *testing.T) {
	text, err := os.ReadFile("../../docs/foxglove-layout.json")
	if err != nil || !json.Valid(text) {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`"/samples\.([a-z_]+)"`).FindAllSubmatch(text, -1)
	for _, m := range found {
		if !slices.Contains(MetricTable.Fields(), string(m[1])) {
			t.Errorf("%s is not a metric", m[1])
		}
	}
	if len(found) < 6 {
		t.Errorf("%d paths", len(found))
	}
}

// TestCellsAreNoFormulas: a text that a program for spreadsheets would execute is one.
func TestCellsAreNoFormulas(t *testing.T) {
	for v, want := range map[any]string{"=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@x": "'@x", "\tx": "'\tx", "idle": "idle", "": "", uint64(3): "3", true: "true"} {
		if got := cellText(v); got != want {
			t.Errorf("%v is %q, want %q", v, got, want)
		}
	}
}

// TestTablesHaveOneTypeForEachColumn: every table of the embedded recording can be written.
func TestTablesHaveOneTypeForEachColumn(t *testing.T) {
	for _, table := range Tables {
		s, err := Open(t.Context(), Embedded, Options{Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := (&Exporting{Form: FormParquet, Table: table}).Write(t.Context(), s, &out); err != nil || !bytes.HasPrefix(out.Bytes(), []byte("PAR1")) || !bytes.HasSuffix(out.Bytes(), []byte("PAR1")) {
			t.Errorf("%s: %d bytes, %v", table, out.Len(), err)
		}
		s.Close()
	}
}
