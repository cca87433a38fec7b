package pane

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vyretop/megakernel"
	"vyretop/megakernel/filter"
	"vyretop/tasks"
	"vyretop/tui/cells"
	"vyretop/tui/history"
	"vyretop/tui/theme"
)

func look() *Look { return &Look{Theme: theme.New(theme.Color, true)} }

// paint draws on a fresh canvas and returns its text without trailing spaces.
func paint(w, h int, draw func(cells.Area)) string {
	var b cells.Buffer
	b.Resize(w, h)
	draw(b.Area(cells.Rect{W: w, H: h}))
	lines := strings.Split(b.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func TestColumnsAreDroppedNeverCut(t *testing.T) {
	columns := []Column{{ID: "a", Width: 4}, {ID: "b", Width: 6, Grow: true, Keep: 3}, {ID: "c", Width: 5, Keep: 1}, {ID: "d", Width: 3, Keep: 2}}
	names := func(width int) string {
		var out []string
		for _, p := range fit(new([maxPlaced]placed), columns, width) {
			out = append(out, columns[p.column].ID)
		}
		return strings.Join(out, "")
	}
	for width, want := range map[int]string{40: "abcd", 23: "abcd", 22: "abd", 17: "abd", 16: "ab", 13: "ab", 12: "a", 1: "a"} {
		if got := names(width); got != want {
			t.Errorf("width %d shows columns %s, want %s", width, got, want)
		}
	}
}

func TestColumnsFillTheWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var columns []Column
		for range rapid.IntRange(1, 12).Draw(t, "columns") {
			columns = append(columns, Column{Width: rapid.IntRange(1, 20).Draw(t, "width"), Grow: rapid.Bool().Draw(t, "grow"), Keep: rapid.IntRange(0, 9).Draw(t, "keep")})
		}
		width := rapid.IntRange(1, 250).Draw(t, "screen")
		end, grows := 0, false
		for _, p := range fit(new([maxPlaced]placed), columns, width) {
			if p.x < end || p.width < columns[p.column].Width {
				t.Fatalf("column at %d width %d overlaps or is cut", p.x, p.width)
			}
			end = p.x + p.width + 1
			grows = grows || columns[p.column].Grow
		}
		if grows && end-1 < width {
			t.Fatalf("columns end at %d of %d although one grows", end-1, width)
		}
	})
}

func frameWithTasks(states ...tasks.State) *Frame {
	s := &megakernel.Snapshot{Seq: 1, Slots: make([]uint32, len(states)*tasks.SlotWords)}
	for i, state := range states {
		w := s.Slot(i)
		w[tasks.WordState], w[tasks.WordTaskID], w[tasks.WordYieldCount] = uint32(state), uint32(100+i), uint32(i%2)
	}
	return newFrame(&megakernel.Target{}, s, new(history.History))
}

func ids(v *Tasks, o Order) []uint32 {
	var out []uint32
	for _, row := range o.Rows {
		id, _ := SplitTaskKey(v.Key(int(row)))
		out = append(out, id)
	}
	return out
}

func TestArrange(t *testing.T) {
	f := frameWithTasks(tasks.Ready, tasks.Empty, tasks.Paused, tasks.Running, tasks.Ready)
	v := newTasks(f, look(), nil)
	paused, err := filter.Parse("!state=paused", FieldNames(v.Columns()))
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		state TableState
		want  []uint32
	}{
		"by id":                  {TableState{}, []uint32{100, 102, 103, 104}},
		"descending":             {TableState{SortKey: SortKey{Descending: true}}, []uint32{104, 103, 102, 100}},
		"ties are in id order":   {TableState{SortKey: SortKey{Sort: tkYields}}, []uint32{100, 102, 104, 103}},
		"ties in reversed order": {TableState{SortKey: SortKey{tkYields, true}}, []uint32{103, 100, 102, 104}},
		"then by another column": {TableState{SortKey: SortKey{Sort: tkYields}, Then: SortKey{tkSlot, true}}, []uint32{104, 102, 100, 103}},
		"filtered":               {TableState{Filter: paused}, []uint32{100, 103, 104}},
	} {
		o := Arrange(v, &tc.state, nil)
		if diff := cmp.Diff(tc.want, ids(v, o)); diff != "" || o.Total != 4 {
			t.Errorf("%s: total %d, %s", name, o.Total, diff)
		}
	}
}

func TestTaskKeyRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id, slot := rapid.Uint32().Draw(t, "id"), rapid.IntRange(0, 1<<20).Draw(t, "slot")
		if gotID, gotSlot := SplitTaskKey(TaskKey(id, slot)); gotID != id || gotSlot != slot {
			t.Fatalf("%d %d became %d %d", id, slot, gotID, gotSlot)
		}
	})
}

func TestFindTask(t *testing.T) {
	f := frameWithTasks(tasks.Ready, tasks.Empty, tasks.Paused)
	for _, tc := range []struct {
		id   uint32
		hint int
		slot int
		ok   bool
	}{{102, 2, 2, true}, {102, 0, 2, true}, {102, -1, 2, true}, {102, 99, 2, true}, {101, 1, 0, false}, {7, 0, 0, false}} {
		if slot, ok := f.FindTask(tc.id, tc.hint); slot != tc.slot || ok != tc.ok {
			t.Errorf("FindTask(%d, %d) = %d, %v", tc.id, tc.hint, slot, ok)
		}
	}
	if _, ok := newFrame(&megakernel.Target{}, nil, new(history.History)).FindTask(1, 0); ok {
		t.Error("found a task without a snapshot")
	}
}

func TestLines(t *testing.T) {
	for _, tc := range []struct {
		text  string
		width int
		want  []string
	}{
		{"one two three", 7, []string{"one two", "three"}},
		{"a\n\nb", 5, []string{"a", "", "b"}},
		{"abcdefgh ij", 3, []string{"abc", "def", "gh", "ij"}},
		{"ééé é", 3, []string{"ééé", "é"}},
		{"text", 0, nil},
	} {
		if diff := cmp.Diff(tc.want, Lines(tc.text, tc.width)); diff != "" {
			t.Errorf("%q at %d: %s", tc.text, tc.width, diff)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 20).Draw(t, "width")
		for _, line := range Lines(rapid.String().Draw(t, "text"), width) {
			if utf8.RuneCountInString(line) > width {
				t.Fatalf("line %q is wider than %d", line, width)
			}
		}
	})
}

func TestSegmentsDropTheLeastImportant(t *testing.T) {
	segments := []segment{{text: "name"}, {text: "detail", keep: 1}, {text: "state", keep: 5}}
	for width, want := range map[int]string{20: "name detail state", 17: "name detail state", 16: "name state", 9: "name", 2: "na"} {
		if got := paint(width, 1, func(a cells.Area) { look().drawSegments(a, nil, slices.Clone(segments)) }); got != want {
			t.Errorf("width %d: %q, want %q", width, got, want)
		}
	}
}

func TestScrub(t *testing.T) {
	draw := func(at, end time.Duration) string {
		return paint(30, 1, func(a cells.Area) { look().DrawScrub(a, Span{At: at, End: end}) })
	}
	for _, tc := range []struct {
		at, end time.Duration
		want    string
	}{
		{0, 0, " 00:00.0 ●─────────── 00:00.0"},
		{0, 10 * time.Second, " 00:00.0 ●─────────── 00:10.0"},
		{5 * time.Second, 10 * time.Second, " 00:05.0 ━━━━━●────── 00:10.0"},
		{11 * time.Second, 10 * time.Second, " 00:11.0 ━━━━━━━━━━━● 00:10.0"},
	} {
		if got := draw(tc.at, tc.end); got != tc.want {
			t.Errorf("at %v: %q, want %q", tc.at, got, tc.want)
		}
	}
	if got := paint(4, 1, func(a cells.Area) { look().DrawScrub(a, Span{End: time.Hour}) }); utf8.RuneCountInString(got) > 4 {
		t.Errorf("narrow bar %q", got)
	}
}

func TestMeaning(t *testing.T) {
	f := &Frame{Target: &megakernel.Target{Opcodes: map[uint32]string{16: "scan"}}}
	words := [tasks.SlotWords]uint32{
		tasks.WordState: uint32(tasks.Faulted), tasks.WordOpcode: 16, tasks.WordPriority: 1,
		tasks.WordContinuationData: uint32(megakernel.FaultBudget), tasks.WordFlags: tasks.FlagPaused | 0x40,
	}
	for word, want := range map[int]string{
		tasks.WordState: "faulted", tasks.WordOpcode: "scan", tasks.WordPriority: "high", tasks.WordParam: "",
		tasks.WordContinuationData: "fault: " + megakernel.FaultBudget.String(), tasks.WordFlags: "paused 0x40",
	} {
		if got := f.meaning(&words, word); got != want {
			t.Errorf("word %s means %q, want %q", tasks.WordNames[word], got, want)
		}
	}
	words[tasks.WordState] = uint32(tasks.Ready)
	if got := f.meaning(&words, tasks.WordContinuationData); got != "" {
		t.Errorf("data of a ready task means %q", got)
	}
}

func TestBacklogSurvivesWrapAndRaces(t *testing.T) {
	for _, tc := range []struct {
		submitted uint64
		taken     uint32
		want      int
	}{{10, 4, 6}, {10, 10, 0}, {10, 12, 0}, {1<<32 + 5, 1<<32 - 3, 8}} {
		s := &megakernel.Snapshot{Submitted: tc.submitted, InboxTaken: tc.taken}
		if got := backlog(s); got != tc.want {
			t.Errorf("submitted %d taken %d: backlog %d, want %d", tc.submitted, tc.taken, got, tc.want)
		}
	}
}

// A tree shows every task once, children below their parents, whatever the parents say.
func TestTreeKeepsEveryTask(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "tasks")
		f := frameWithTasks(make([]tasks.State, n)...)
		for i := range n {
			w := f.Snap.Slot(i)
			w[tasks.WordState], w[tasks.WordTaskID] = uint32(tasks.Ready), uint32(i+1)
			w[tasks.WordParentTaskID] = rapid.Uint32Range(0, uint32(n+2)).Draw(t, "parent")
		}
		f = newFrame(f.Target, f.Snap, new(history.History))
		v := newTasks(f, look(), nil)
		o := Arrange(v, &TableState{}, nil)
		v.Tree(&o)
		seen := map[int32]bool{}
		for _, row := range o.Rows {
			parent := int32(v.word(row, tasks.WordParentTaskID)) - 1
			if v.depth[row] > 0 && (!seen[parent] || v.depth[row] != v.depth[parent]+1) {
				t.Fatalf("row %d at depth %d is not below its parent %d", row, v.depth[row], parent)
			}
			seen[row] = true
		}
		if len(o.Rows) != n || len(seen) != n {
			t.Fatalf("%d rows, %d different ones, want %d", len(o.Rows), len(seen), n)
		}
	})
}

// Tasks that handlers spawned are among the existing tasks: no more can be done than that.
func TestTasksThatWereSpawnedCount(t *testing.T) {
	f := frameWithTasks(tasks.Ready)
	f.Snap.Submitted = 2
	f.Snap.Counters[megakernel.CountSpawned] = 5236
	if got := paint(80, 3, func(a cells.Area) { look().DrawCounts(a, f) }); !strings.Contains(got, "of 5238") {
		t.Error(got)
	}
}

// newFrame decodes a snapshot, which may be nil, and adds it to the history.
func newFrame(t *megakernel.Target, s *megakernel.Snapshot, h *history.History) *Frame {
	return new(Frame).Renew(t, s, h)
}

// newTasks collects the occupied slots of a frame.
func newTasks(f *Frame, l *Look, pending map[uint64]Pending) *Tasks {
	return new(Tasks).Renew(f, l, pending)
}
