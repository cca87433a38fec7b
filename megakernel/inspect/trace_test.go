package inspect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/stats"
	"vyretop/tasks"
)

// document is a trace as a reader of the format sees it.
type document struct {
	Unit   string         `json:"displayTimeUnit"`
	Other  map[string]any `json:"otherData"`
	Events []read         `json:"traceEvents"`
}

type read struct {
	Name  string         `json:"name"`
	Cat   string         `json:"cat"`
	Phase string         `json:"ph"`
	Time  *float64       `json:"ts"`
	Dur   *float64       `json:"dur"`
	PID   *int           `json:"pid"`
	TID   *uint32        `json:"tid"`
	Scope string         `json:"s"`
	Args  map[string]any `json:"args"`
}

func decode(t *testing.T, text []byte) *document {
	t.Helper()
	d, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	obey(t, d)
	return d
}

func parse(text []byte) (*document, error) {
	d := &document{}
	strict := json.NewDecoder(bytes.NewReader(text))
	strict.DisallowUnknownFields()
	return d, strict.Decode(d)
}

// obey checks the rules of the Trace Event Format: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
func obey(t *testing.T, d *document) {
	t.Helper()
	names := map[uint32]string{}
	last := map[uint32]float64{}
	spans := map[uint32][][2]float64{}
	for i, e := range d.Events {
		wrong := func(format string, args ...any) { t.Errorf("event %d, %+v: %s", i, e, fmt.Sprintf(format, args...)) }
		if e.Name == "" || e.Time == nil || e.PID == nil || e.TID == nil || *e.Time < 0 {
			wrong("a member is missing")
			continue
		}
		switch e.Phase {
		case "M":
			if e.Name == "thread_name" {
				names[*e.TID], _ = e.Args["name"].(string)
			}
			continue
		case "X":
			if e.Dur == nil || *e.Dur < 0 {
				wrong("it has no duration")
				continue
			}
			spans[*e.TID] = append(spans[*e.TID], [2]float64{*e.Time, *e.Time + *e.Dur})
		case "i":
			if !slices.Contains([]string{"g", "p", "t"}, e.Scope) {
				wrong("the scope is none")
			}
		case "C":
			for name, v := range e.Args {
				if _, ok := v.(float64); !ok {
					wrong("%s is not a number", name)
				}
			}
			if *e.Time < last[*e.TID] {
				wrong("counters go back in time")
			}
			last[*e.TID] = *e.Time
		default:
			wrong("the phase is unknown")
		}
		if names[*e.TID] == "" {
			wrong("its thread has no name")
		}
	}
	for thread, list := range spans {
		nest(t, names[thread], list)
	}
}

// nest checks that the spans of a thread follow one another, or lie inside one another.
func nest(t *testing.T, name string, list [][2]float64) {
	t.Helper()
	const rounding = 1e-6 // of a sum of microseconds with three digits
	slices.SortFunc(list, func(a, b [2]float64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(b[1], a[1])) })
	var open [][2]float64
	for _, s := range list {
		for len(open) > 0 && open[len(open)-1][1] <= s[0]+rounding {
			open = open[:len(open)-1]
		}
		if len(open) > 0 && s[1] > open[len(open)-1][1]+rounding {
			t.Errorf("%s: %v reaches over the end of %v", name, s, open[len(open)-1])
			return
		}
		open = append(open, s)
	}
}

func count(d *document, keep func(*read) bool) (n int) {
	for i := range d.Events {
		if keep(&d.Events[i]) {
			n++
		}
	}
	return n
}

// TestTheRecordingOfADemoBecomesATrace: every activation of its log is in there, on the worker that ran it.
func TestTheRecordingOfADemoBecomesATrace(t *testing.T) {
	rec, err := fixtures.Open("../../fixtures/testdata/scan.mcap")
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	s := NewRecorded(rec)
	var b bytes.Buffer
	w := NewTrace(&b, s.Header())
	want := map[uint32]int{}
	err = s.Follow(t.Context(), func(m *fixtures.StreamMessage) error {
		for i := range m.Log {
			if r := &m.Log[i]; stats.Outcome(r) {
				want[threadOf(int(r.Worker), r.Lane)]++
			}
		}
		return w.Take(m)
	})
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	d := decode(t, b.Bytes())
	if len(want) == 0 || d.Other["schema"] != TraceSchema || d.Other["workload"] != "scan" {
		t.Errorf("activations on %d lanes, otherData %v", len(want), d.Other)
	}
	for thread, n := range want {
		if got := count(d, func(e *read) bool { return *e.TID == thread && e.Cat == "activation" }); got != n {
			t.Errorf("thread %d has %d activations, the log %d", thread, got, n)
		}
	}
	if n := count(d, func(e *read) bool { return e.Phase == "C" && e.Name == "queue depth" }); n != rec.Snapshots() {
		t.Errorf("%d counts of %d snapshots", n, rec.Snapshots())
	}
	if n := count(d, func(e *read) bool { return e.Phase == "i" && *e.TID == hostThread }); n < len(rec.Events(0, math.MaxInt64, math.MaxInt)) {
		t.Errorf("%d instants of %d events", n, len(rec.Events(0, math.MaxInt64, math.MaxInt)))
	}
}

// runningAt has two workers after that many passes, in a state.
func runningAt(at time.Duration, beat uint32, state megakernel.WorkerState) *megakernel.Snapshot {
	s := &megakernel.Snapshot{Taken: at, Slots: make([]uint32, tasks.SlotWords), WorkerTable: make([]uint32, 2*megakernel.WorkerWords)}
	for w := range 2 {
		r := s.WorkerTable[w*megakernel.WorkerWords:]
		r[megakernel.WkState], r[megakernel.WkHeartbeat] = uint32(state), beat
	}
	s.Slots[tasks.WordOpcode], s.Slots[tasks.WordTaskID] = 16, 5
	return s
}

func yield(number uint64, worker, lane uint16, pass uint64) megakernel.LogRecord {
	return megakernel.LogRecord{Number: number, Format: megakernel.LogEventBase + uint32(megakernel.EventYield), Worker: worker, Lane: lane, Task: 5, Opcode: 16, Time: pass, ArgCount: 2}
}

// write makes a trace of messages.
func write(t *testing.T, messages ...*fixtures.StreamMessage) *document {
	t.Helper()
	var b bytes.Buffer
	w := NewTrace(&b, fixtures.Header{Target: megakernel.Target{Workload: "w", Backend: "b", Opcodes: map[uint32]string{16: "work"}, Formats: []string{"hello %u"}}})
	for _, m := range messages {
		if err := w.Take(m); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return decode(t, b.Bytes())
}

func TestActivationsArePlacedByTheirPasses(t *testing.T) {
	const ms = time.Millisecond
	message := yield(9, 1, 0, 15)
	message.Format, message.ArgCount, message.Args[0] = 0, 1, 7
	d := write(t,
		&fixtures.StreamMessage{Snapshot: runningAt(10*ms, 10, megakernel.WorkerRunning)},
		&fixtures.StreamMessage{Log: []megakernel.LogRecord{yield(3, 0, 0, 10), yield(4, 0, 0, 12), yield(5, 0, 1, 12), yield(8, 1, 0, 19), message, yield(10, 1, 0, 900), yield(11, 1, 0, 3)}},
		&fixtures.StreamMessage{Event: &megakernel.HostEvent{At: 15 * ms, Kind: "ack", Text: "pause worker 1: applied", Latency: 4 * time.Microsecond}},
		&fixtures.StreamMessage{Snapshot: runningAt(20*ms, 20, megakernel.WorkerPaused)},
		&fixtures.StreamMessage{Snapshot: runningAt(30*ms, 20, megakernel.WorkerPaused)},
		&fixtures.StreamMessage{Snapshot: runningAt(40*ms, 25, megakernel.WorkerRunning)},
	)
	var got []string
	for _, e := range d.Events {
		if *e.TID == hostThread && e.Phase != "i" || e.Phase == "M" {
			continue
		}
		line := fmt.Sprintf("%s %d %s %v", e.Phase, *e.TID, e.Name, *e.Time)
		if e.Dur != nil {
			line += fmt.Sprintf("+%v", *e.Dur)
		}
		got = append(got, line)
	}
	want := []string{
		"i 0 ack: pause worker 1: applied 15000",
		"X 1 work 10000+1000", "X 1 work 12000+1000", "X 2 work 12000+1000",
		"i 0 2 log records lost 19000", "X 1025 work 19000+1000",
		"i 1025 hello 7 15000",
		"X 1025 work 20000+0", "X 1025 work 10000+0", // passes that cannot be
		"X 1 paused 20000+10000", "X 1 work 30000+10000", // seen, and not logged
		"X 1025 paused 20000+10000", "X 1025 work 30000+10000",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the trace has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestActivationsOfOnePassFollowEachOther: a task that yields may have several in a scheduling pass.
func TestActivationsOfOnePassFollowEachOther(t *testing.T) {
	const ms = time.Millisecond
	d := write(t,
		&fixtures.StreamMessage{Snapshot: runningAt(10*ms, 10, megakernel.WorkerRunning)},
		&fixtures.StreamMessage{Log: []megakernel.LogRecord{yield(3, 0, 0, 10), yield(4, 0, 1, 10), yield(5, 0, 0, 10), yield(6, 0, 0, 11)}},
		&fixtures.StreamMessage{Snapshot: runningAt(20*ms, 20, megakernel.WorkerRunning)},
	)
	var got []string
	for _, e := range d.Events {
		if e.Cat == "activation" {
			got = append(got, fmt.Sprintf("%d %v+%v", *e.TID, *e.Time, *e.Dur))
		}
	}
	if want := []string{"1 10000+500", "2 10000+1000", "1 10500+500", "1 11000+1000"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestTracesEndInOrder: a target that said nothing, or that ends while a worker is paused, is a trace too.
func TestTracesEndInOrder(t *testing.T) {
	if d := write(t); len(d.Events) != 2 {
		t.Errorf("%+v", d.Events)
	}
	d := write(t, &fixtures.StreamMessage{Snapshot: runningAt(time.Second, 1, megakernel.WorkerPaused)})
	if n := count(d, func(e *read) bool { return e.Name == "paused" }); n != 2 {
		t.Errorf("%d pauses of 2", n)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }

var errBroken = errors.New("no space left")

func TestAFullDiskIsAnError(t *testing.T) {
	w := NewTrace(broken{}, fixtures.Header{})
	for range 1000 {
		_ = w.Take(&fixtures.StreamMessage{Snapshot: runningAt(time.Second, 1, megakernel.WorkerRunning)})
	}
	if err := w.Close(); !errors.Is(err, errBroken) {
		t.Errorf("%v", err)
	}
}

// TestTimesBeforeTheLaunchAreNumbers: those of a damaged recording ended a trace with an error about its JSON.
func TestTimesBeforeTheLaunchAreNumbers(t *testing.T) {
	for m, want := range map[micros]string{1234567: "1234.567", 0: "0.000", -1: "-0.001", -1234567: "-1234.567", math.MinInt64: "-9223372036854775.808"} {
		if got, err := json.Marshal(m); err != nil || string(got) != want {
			t.Errorf("%d ns: %s, %v, want %s", m, got, err, want)
		}
	}
}
