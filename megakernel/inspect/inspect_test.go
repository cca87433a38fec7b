package inspect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/filter"
	"vyretop/megakernel/peer"
	"vyretop/tasks"
)

func snapshot(slots ...tasks.Task) *megakernel.Snapshot {
	s := &megakernel.Snapshot{Taken: time.Second}
	s.Control, _ = megakernel.EncodeControl(1, 0)
	for i := range slots {
		words := slots[i].Words()
		s.Slots = append(s.Slots, words[:]...)
	}
	return s
}

// rawFile writes a snapshot and records as raw buffers.
func rawFile(t interface {
	Fatal(...any)
	Helper()
}, dir string, s *megakernel.Snapshot, records []megakernel.LogRecord) string {
	t.Helper()
	path := filepath.Join(dir, "raw")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(WriteRaw(f, s, records), f.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAForeignMCAPFileIsNamed: it was said to be no raw buffers, because its size is not a multiple of four.
func TestAForeignMCAPFileIsNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.mcap")
	w, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	foreign, err := mcap.NewWriter(w, &mcap.WriterOptions{})
	if err == nil {
		err = errors.Join(foreign.WriteHeader(&mcap.Header{Profile: "ros1"}), foreign.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), file, Options{}); !errors.Is(err, fixtures.ErrNotRecording) || !strings.Contains(err.Error(), `an MCAP file of profile "ros1"`) {
		t.Error(err)
	}
}

// TestRawBuffersComeBack: whatever slots and records there are, without being told how many.
func TestRawBuffersComeBack(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		s := snapshot()
		for range rapid.IntRange(0, 5).Draw(t, "slots") {
			words := rapid.SliceOfN(rapid.Uint32(), tasks.SlotWords, tasks.SlotWords).Draw(t, "slot")
			words[tasks.WordState] %= tasks.NumStates
			s.Slots = append(s.Slots, words...)
		}
		records := make([]megakernel.LogRecord, rapid.IntRange(0, 9).Draw(t, "records"))
		for i := range records {
			records[i] = megakernel.LogRecord{Number: uint64(i), Format: rapid.Uint32().Draw(t, "format"), ArgCount: 3, Args: [4]uint32{rapid.Uint32().Draw(t, "argument")}}
		}
		got, err := Open(t.Context(), rawFile(t, dir, s, records), Options{})
		if err != nil {
			t.Fatal(err)
		}
		now, err := got.Now(t.Context())
		if err != nil || got.Kind() != Raw {
			t.Fatal(got.Kind(), err)
		}
		if !bytes.Equal(peer.Bytes(s.Slots), peer.Bytes(now.Slots)) || !cmp.Equal(s.Control, now.Control) {
			t.Fatalf("%d slots came back as %d", len(s.Slots)/tasks.SlotWords, now.NumSlots())
		}
		if diff := cmp.Diff(records, append([]megakernel.LogRecord{}, got.LastLog(math.MaxInt)...)); diff != "" {
			t.Fatalf("records (-want +got):\n%s", diff)
		}
	})
}

func TestFilesThatAreNoTarget(t *testing.T) {
	dir := t.TempDir()
	control, _ := megakernel.EncodeControl(1, 0)
	claims := append([]uint32{}, control...)
	claims[megakernel.CtrlPriorityOffset+tasks.NumPriorities] = 7
	for name, tt := range map[string]struct {
		words []uint32
		rest  string
		o     Options
	}{
		"empty":                     {nil, "", Options{}},
		"a rest of a word":          {control, "abc", Options{}},
		"no control buffer":         {make([]uint32, 200), "", Options{}},
		"fewer slots than it says":  {claims, "", Options{}},
		"fewer slots than asked":    {control, "", Options{Slots: 3}},
		"no room for observables":   {control, "", Options{Observables: 10}},
		"a log with a wrong cursor": {append(append([]uint32{}, control...), 5, 0, 0), "", Options{}},
	} {
		path := filepath.Join(dir, "file")
		if err := os.WriteFile(path, append(peer.Bytes(tt.words), tt.rest...), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(t.Context(), path, tt.o)
		if !errors.Is(err, ErrSubject) && !errors.Is(err, megakernel.ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzRaw(f *testing.F) {
	var b bytes.Buffer
	if err := WriteRaw(&b, snapshot(tasks.Task{State: tasks.Ready}), make([]megakernel.LogRecord, 2)); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes(), uint32(0), uint32(0))
	f.Add(b.Bytes(), uint32(9), uint32(3))
	path := filepath.Join(f.TempDir(), "raw")
	f.Fuzz(func(t *testing.T, text []byte, slots, observables uint32) {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := openRaw(path, Options{Slots: slots, Observables: observables})
		if err != nil {
			return
		}
		now, _ := s.Now(t.Context())
		if len(collect(t, TasksOf(now, &megakernel.Target{}))) > now.NumSlots() || !json.Valid(SnapshotDocument(s, Sample(s, now, nil))) {
			t.Error("it cannot be shown")
		}
	})
}

func TestTablesAlignAndSayWhatIsNotKnown(t *testing.T) {
	type row struct {
		name string
		n    any
	}
	table := Table[row]{{"name", func(r *row) any { return r.name }}, {"n", func(r *row) any { return r.n }}}
	var b strings.Builder
	if err := table.Write(&b, ListOf([]row{{"é", uint64(5)}, {"long", uint64(1234)}, {"x", nil}})); err != nil {
		t.Fatal(err)
	}
	want := "name     n\né        5\nlong  1234\nx        -\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if got := string(table.Object(&row{"<a>", nil}, "schema", "s/1")); got != `{"schema":"s/1","name":"<a>"}` {
		t.Errorf("object is %s", got)
	}
	if got := string(Table[row]{}.Object(&row{})); got != "{}" {
		t.Errorf("an object without members is %s", got)
	}
}

func TestDifferences(t *testing.T) {
	a := snapshot(tasks.Task{State: tasks.Ready}, tasks.Task{State: tasks.Done})
	b := snapshot(tasks.Task{State: tasks.Running})
	b.Control[megakernel.CtrlEpoch] = 3
	a.WorkerTable, b.WorkerTable = make([]uint32, megakernel.WorkerWords), make([]uint32, megakernel.WorkerWords)
	b.WorkerTable[megakernel.WkHeartbeat], b.WorkerTable[megakernel.WkLanes] = 9, 4
	var names []string
	for _, d := range collect(t, Diff(a, b, false)) {
		names = append(names, d.Buffer+" "+d.Name())
	}
	if len(names) != 2+tasks.SlotWords+1 || names[0] != "control epoch" || names[1] != "ring slot[0].state" || names[len(names)-1] != "workers worker[0].lanes" {
		t.Errorf("differences are %q", names)
	}
	if got := len(collect(t, Diff(a, b, true))); got != len(names)+1 {
		t.Errorf("%d differences with the heartbeat", got)
	}
	if got := collect(t, Diff(a, a, true)); len(got) != 0 {
		t.Errorf("of itself it differs by %v", got)
	}
	var out strings.Builder
	if err := DiffTable.Write(&out, ListOf(collect(t, Diff(a, b, false))[:2])); err != nil || !strings.Contains(out.String(), "ready   running") {
		t.Errorf("text is\n%s%v", &out, err)
	}
}

// TestLinesCountWhatIsMissing: a jump in the numbers of records is a loss.
func TestLinesCountWhatIsMissing(t *testing.T) {
	s := newRecordedOf(t)
	var text, lines strings.Builder
	for _, l := range []*Lines{{W: &text, Subject: s, Log: true}, {W: &lines, Subject: s, Log: true, JSON: true}} {
		for _, batch := range [][]megakernel.LogRecord{{{Number: 1}, {Number: 2}}, {{Number: 3}, {Number: 9}}} {
			if err := l.Take(&fixtures.StreamMessage{Log: batch}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := strings.Count(text.String(), "... 5 records lost\n"); got != 1 || strings.Count(text.String(), "\n") != 5 {
		t.Errorf("text is\n%s", &text)
	}
	if !strings.Contains(lines.String(), `{"schema":"vyretop.log/1","lost":5}`+"\n") {
		t.Errorf("lines are\n%s", &lines)
	}
}

func newRecordedOf(t *testing.T) Subject {
	rec, err := fixtures.Open("../../fixtures/testdata/scan.mcap")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rec.Close() })
	return NewRecorded(rec)
}

// TestAMatchEndsTheLines: of --fail-if.
func TestAMatchEndsTheLines(t *testing.T) {
	fail, err := filter.Parse("number=2", LogTable.Fields())
	if err != nil {
		t.Fatal(err)
	}
	l := &Lines{W: &strings.Builder{}, Subject: newRecordedOf(t), Log: true, Fail: fail}
	if err := l.Take(&fixtures.StreamMessage{Log: []megakernel.LogRecord{{Number: 1}}}); err != nil || l.Failed() {
		t.Errorf("before the match: %v", err)
	}
	if err := l.Take(&fixtures.StreamMessage{Log: []megakernel.LogRecord{{Number: 2}}}); err == nil || !l.Failed() {
		t.Error("the match does not end it")
	}
}

// TestARecordingIsFollowedAsItWasRun: records and events before the snapshot with which they were read.
func TestARecordingIsFollowedAsItWasRun(t *testing.T) {
	s := newRecordedOf(t)
	var taken time.Duration
	snapshots, records, events := 0, 0, 0
	if err := s.Follow(t.Context(), func(m *fixtures.StreamMessage) error {
		switch {
		case m.Snapshot != nil:
			snapshots++
			if m.Snapshot.Taken < taken {
				t.Errorf("snapshot of %v after %v", m.Snapshot.Taken, taken)
			}
			taken = m.Snapshot.Taken
		case m.Event != nil:
			events++
		default:
			records += len(m.Log)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	happened := s.(*recorded).rec.Events(0, math.MaxInt64, math.MaxInt)
	if log := s.LastLog(math.MaxInt); snapshots == 0 || records != len(log) || events != len(happened) {
		t.Errorf("%d snapshots, %d of %d records, %d of %d events", snapshots, records, len(log), events, len(happened))
	}
}

// TestPositionsOfFiles: a position is taken off a path too, unless a file has the whole name. Paths with a folder in them were once
// taken whole.
func TestPositionsOfFiles(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "odd@2s")
	if err := os.WriteFile(whole, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, file string
		at         time.Duration
		ok         bool
	}{
		{"run.mcap", "run.mcap", 0, true},
		{"run.mcap@1.5s", "run.mcap", 1500 * time.Millisecond, true},
		{"../x/run.mcap@2s", "../x/run.mcap", 2 * time.Second, true},
		{whole, whole, 0, true},
		{"x/run.mcap@soon", "", 0, false},
		{"x/run.mcap@-1s", "", 0, false},
	} {
		file, at, err := splitPosition(tc.name)
		if file != tc.file || (err == nil) != tc.ok || (at != nil) != (tc.at != 0) || (at != nil && *at != tc.at) {
			t.Errorf("%s is %q at %v, error %v", tc.name, file, at, err)
		}
	}
}

// TestFiltersOfTheDashboard: what chips and keys of the dashboard write is understood by the commands, by name and by number.
func TestFiltersOfTheDashboard(t *testing.T) {
	target := &megakernel.Target{Opcodes: map[uint32]string{16: "scan", 17: "merge"}}
	rows := []Task{
		{Slot: 0, Words: tasks.Task{State: tasks.Ready, Opcode: 16, Priority: tasks.High}, target: target},
		{Slot: 1, Words: tasks.Task{State: tasks.Paused, Opcode: 17, Priority: tasks.Low}, target: target},
		{Slot: 2, Words: tasks.Task{State: tasks.Done, Opcode: 99, Priority: tasks.Normal}, target: target},
	}
	for text, want := range map[string][]int{
		"op=scan": {0}, "op=17": {1}, "op!=scan": {1, 2}, "op=99": {2}, "op>16": {1, 2}, "opcode=merge": {1},
		"!state=done": {0, 1}, "state=4": {1}, "(state=ready or state=paused)": {0, 1}, "priority<2": {0}, "priority=low": {1}, "priority~^l": {1},
	} {
		e, err := TaskTable.FilterOf(target, text)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, row := range collect(t, TaskTable.Select(e, ListOf(rows))) {
			got = append(got, row.Slot)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
	for text, want := range map[string]string{
		"op=scam":            `filter, column 4: "scam" is not an op. Fix: did you mean "scan"? Otherwise use one of merge, scan`,
		"id=1 opcode!=fronk": `filter, column 14: "fronk" is not an opcode. Fix: use one of merge, scan`,
		"op=printf":          "<nil>", "op~fro": "<nil>",
	} {
		if _, err := TaskTable.FilterOf(target, text); fmt.Sprint(err) != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if _, err := TaskTable.FilterOf(&megakernel.Target{}, "op=fronk"); err != nil {
		t.Errorf("a target without names of opcodes: %v", err)
	}
	line := LogTable.Object(&Record{LogRecord: megakernel.LogRecord{Opcode: 16}, target: target})
	if !strings.Contains(string(line), `"op":16,"opcode":"scan","kind":"debugf"`) {
		t.Errorf("%s", line)
	}
}

// TestUnitsComeThrough: the word that a device writes of the unit that a worker is on, which is its number plus one,
// is in the table of workers and in the document of a snapshot as the device counts; where it is 0 nothing is said.
func TestUnitsComeThrough(t *testing.T) {
	before, now := snapshot(), snapshot()
	now.Taken = 2 * time.Second
	for _, s := range []*megakernel.Snapshot{before, now} {
		s.WorkerTable = make([]uint32, 3*megakernel.WorkerWords)
		s.WorkerTable[megakernel.WkUnit] = 1
		s.WorkerTable[2*megakernel.WorkerWords+megakernel.WkUnit] = 132
	}
	var rows []string
	for _, w := range objects(WorkerTable, collect(t, WorkersOf(now, &megakernel.Target{}))) {
		rows = append(rows, string(w))
	}
	subject := newRecordedOf(t)
	document := string(SnapshotDocument(subject, Sample(subject, now, before)))
	var units struct {
		Occupancy struct {
			Workers []struct {
				Worker int  `json:"worker"`
				Unit   *int `json:"unit"`
			} `json:"workers"`
		} `json:"occupancy"`
	}
	if err := json.Unmarshal([]byte(document), &units); err != nil || len(units.Occupancy.Workers) != 3 {
		t.Fatalf("%v in %s", err, document)
	}
	for i, want := range []int{0, -1, 131} {
		said := -1
		if u := units.Occupancy.Workers[i].Unit; u != nil {
			said = *u
		}
		if said != want || strings.Contains(rows[i], `"unit":`) != (want >= 0) || want >= 0 && !strings.Contains(rows[i], fmt.Sprintf(`"unit":%d`, want)) {
			t.Errorf("worker %d is on unit %d: the document says %d, the table %s", i, want, said, rows[i])
		}
	}
}

// collect lists rows.
func collect[T any](t testing.TB, rows Rows[T]) (out []T) {
	t.Helper()
	if err := rows(func(row *T) bool { out = append(out, *row); return true }); err != nil {
		t.Fatal(err)
	}
	return out
}
