package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vyretop/megakernel"
	"vyretop/tasks"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
)

// No size garbles the screen: every view, with and without details, draws inside of it. Each size has
// two views; dialogs have some of the sizes.
func TestEverySizeHoldsItsShape(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	s := &script{d: d}
	for w := 1; w <= 250; w++ {
		for h := 1; h <= 80; h++ {
			d.send(tea.WindowSizeMsg{Width: w, Height: h})
			for i := range 2 {
				d.m.showTab(viewNames()[(w+3*h+5*i)%len(pane.Kinds)])
				d.m.expanded = (w+h)%4 == 0
				s.checkSize(t)
				d.keys("ctrl+e")
				s.checkSize(t)
			}
			if w%23 != 1 || h%7 != 1 {
				continue
			}
			for _, keys := range [][]string{{"?"}, {":", "x"}, {"/", "="}, {"P"}, {"a"}} {
				d.keys(keys...)
				s.checkSize(t)
				d.keys("esc", "esc")
			}
		}
	}
}

// Whatever is pressed, in whatever order, at whatever size, draws a whole screen and never panics.
func TestRandomKeys(t *testing.T) {
	var keys []string
	for _, b := range pane.Keys().Bindings {
		keys = append(keys, b.Keys...)
	}
	keys = append(keys, "enter", "y", "n", "a", "=", "1")
	rapid.Check(t, func(rt *rapid.T) {
		f := newFake()
		o := Options{Source: f, Sink: f}
		if rapid.Bool().Draw(rt, "replay") {
			o.Transport = &fakeTransport{end: time.Minute, speed: 1}
		}
		d := newDriver(t, rapid.IntRange(1, 200).Draw(rt, "w"), rapid.IntRange(1, 60).Draw(rt, "h"), o)
		s := &script{d: d}
		for _, k := range rapid.SliceOfN(rapid.SampledFrom(keys), 1, 30).Draw(rt, "keys") {
			d.keys(k)
			if rapid.IntRange(0, 3).Draw(rt, "advance") == 0 {
				f.advance()
				d.update()
			}
			s.checkSize(t)
		}
	})
}

// A kernel gone wild may leave anything in the words that are shown.
func TestGarbageWordsAreShownNotTrusted(t *testing.T) {
	f := newFake()
	d := newDriver(t, 160, 50, Options{Source: f, Sink: f})
	s := &script{d: d}
	for i := range f.snap.Slots {
		f.snap.Slots[i] = uint32(i) * 2654435761
	}
	for i := range f.snap.WorkerTable {
		f.snap.WorkerTable[i] = uint32(i) * 2246822519
	}
	f.snap.Control = f.snap.Control[:7]
	f.snap.Phase, f.snap.Workers, f.snap.Lanes = 200, -3, 0
	f.log = append(f.log, megakernel.LogRecord{Number: uint64(len(f.log)), Format: 99, ArgCount: 4})
	f.snap.Seq++
	d.update()
	for _, v := range viewNames() {
		d.m.showTab(v)
		d.keys("j", "j", "enter", "esc")
		s.checkSize(t)
	}
	d.keys("1")
	d.wantOnScreen("slots hold unknown words")
}

// When nothing changed on screen the terminal library gets the very same text, and writes nothing.
func TestNoChangeNoBytes(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	first := d.m.View()
	if !strings.Contains(first.Content, "1 over") {
		t.Fatalf("drawn %q", first.Content)
	}
	d.tick()
	d.keys("f12", "alt+x")
	if v := d.m.View(); v.Content != first.Content || v.MouseMode != first.MouseMode || v.WindowTitle != first.WindowTitle {
		t.Error("the view is another although nothing happened")
	}
}

// A target at rest is read as often as any, but its screen, on which only clocks move, is drawn once a second.
func TestTargetAtRestIsDrawnOnceASecond(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	read := func(later time.Duration) string {
		d.clock = d.clock.Add(later)
		f.snap.Seq++
		f.snap.Taken += later
		d.m.Update(updated{})
		return d.m.View().Content
	}
	shown := read(50 * time.Millisecond)
	for range 10 {
		if read(50*time.Millisecond) != shown {
			t.Fatal("drawn though nothing has happened")
		}
	}
	if read(time.Second) == shown {
		t.Error("not drawn after a second")
	}
	shown = d.m.View().Content
	f.step()
	if read(50*time.Millisecond) == shown {
		t.Error("not drawn when something happened")
	}
}

// What is frozen can be scrolled, filtered and sorted like any other snapshot, and stays that snapshot.
func TestFrozenTablesAreFilteredAndSorted(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.keys("3", "f")
	rows := func() string {
		var out []string
		for line := range strings.Lines(d.screen()) {
			if strings.Contains(line, " ready ") {
				out = append(out, line)
			}
		}
		return strings.Join(out, "")
	}
	f.advance()
	d.update()
	d.keys("/")
	d.typed("state=ready")
	d.keys("enter", "I", "g", "j")
	first := rows()
	if strings.Count(first, "\n") < 4 || !strings.Contains(first, "▸") {
		t.Fatalf("not the rows that are ready, one of them selected:\n%s", first)
	}
	d.keys("I")
	if rows() == first {
		t.Error("the other way round it is the same order")
	}
	d.keys("I", "g", "j")
	for range 5 {
		f.advance()
		d.update()
	}
	if got := rows(); got != first {
		t.Errorf("rows of another snapshot:\n%s\nwant\n%s", got, first)
	}
	d.wantOnScreen("FROZEN +", "state=ready")
}

// Freezing pins what is shown but not what is collected.
func TestFreezeKeepsCollecting(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.keys("f")
	frozen := d.m.frame()
	for range 20 {
		f.advance()
		d.update()
	}
	if d.m.frame() != frozen || len(frozen.Log) != 40 {
		t.Fatalf("frozen frame changed: %d records", len(d.m.frame().Log))
	}
	d.keys("5", "j", "f")
	if got := len(d.m.frame().Log); got != 60 {
		t.Errorf("%d records after thawing, want 60", got)
	}
}

// A kernel that logs faster than the screen follows loses nothing silently.
func TestLogFollowerCountsWhatItSkips(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	for range 2*keptRecords + mostRecords {
		f.addLog()
	}
	f.snap.Seq++
	d.update()
	fr := d.m.frame()
	if len(fr.Log) != keptRecords || fr.LogSkipped != 2*keptRecords {
		t.Errorf("%d records kept, %d counted as skipped, want %d and %d", len(fr.Log), fr.LogSkipped, keptRecords, 2*keptRecords)
	}
	if last := fr.Log[len(fr.Log)-1].Number; last != uint64(len(f.log)-1) {
		t.Errorf("newest record shown is %d of %d", last, len(f.log))
	}
}

func TestSeekBackHidesWhatCameLater(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Transport: &fakeTransport{end: time.Minute, speed: 1}})
	earlier, log := f.snap, f.log
	for range 10 {
		f.step()
	}
	d.update()
	f.snap, f.log = earlier, log
	d.update()
	if got := len(d.m.frame().Log); got != 40 {
		t.Errorf("%d records after going back, want 40", got)
	}
}

func TestIdleSignalWaitsForAnswers(t *testing.T) {
	f := newFake()
	idle := make(chan struct{}, 1)
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f, Idle: idle})
	drain := func() bool {
		select {
		case <-idle:
			return true
		default:
			return false
		}
	}
	drain()
	cmds := d.begin(KeyPress("p"))
	if drain() {
		t.Error("idle while a command is under way")
	}
	for _, c := range cmds {
		d.run(c)
	}
	if !drain() {
		t.Error("not idle after the answer")
	}
}

// waitForUpdate must end with the context: a command of the library cannot be cancelled otherwise.
func TestWaitingEndsWithTheContext(t *testing.T) {
	d := newDriver(t, 80, 24, Options{Source: newFake()})
	ctx, cancel := contextWithCancel(t)
	d.m.ctx = ctx
	wait := d.m.feed.waitForUpdate()
	d.m.ticking = false
	clock := d.m.tick()
	cancel()
	for _, cmd := range []tea.Cmd{wait, clock} {
		if msg := cmd(); msg != nil {
			t.Errorf("message %v from an ended wait", msg)
		}
	}
}

func TestEndedSourceIsNotWaitedFor(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	close(f.updates)
	msg := d.m.feed.waitForUpdate()()
	if u, ok := msg.(updated); !ok || !u.ended {
		t.Fatalf("message %v", msg)
	}
	if cmd := d.m.onUpdate(msg.(updated)); cmd != nil {
		t.Error("an ended source is waited for")
	}
}

// Rows sorted by a number that moves all the time must stay put long enough to be read and chosen;
// after a second, or when the user sorts again, they follow the numbers again.
func TestSortedRowsDoNotJump(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.keys("2", "<", "<", "<", "<", "I") // by done, downwards
	setDone := func(done ...uint32) {
		f.mu.Lock()
		f.snap.WorkerTable = append([]uint32(nil), f.snap.WorkerTable...)
		for w, n := range done {
			f.worker(w)[megakernel.WkCounts+megakernel.CountDone] = n
		}
		f.snap.Seq++
		f.mu.Unlock()
		d.update()
	}
	order := func() (ids []uint64) {
		a := d.m.table().Arrange()
		for _, row := range a.Order.Rows {
			ids = append(ids, a.Rows.Key(int(row)))
		}
		return ids
	}
	d.clock = d.clock.Add(2 * time.Second)
	setDone(10, 40, 30, 20)
	want := []uint64{1, 2, 3, 0}
	if diff := cmp.Diff(want, order()); diff != "" {
		t.Fatal(diff)
	}
	d.clock = d.clock.Add(100 * time.Millisecond)
	setDone(90, 40, 30, 20)
	if diff := cmp.Diff(want, order()); diff != "" {
		t.Errorf("rows jumped after 100 ms: %s", diff)
	}
	d.clock = d.clock.Add(time.Second)
	setDone(90, 40, 30, 20)
	if diff := cmp.Diff([]uint64{0, 1, 2, 3}, order()); diff != "" {
		t.Errorf("rows do not follow after a second: %s", diff)
	}
	d.keys("I")
	if diff := cmp.Diff([]uint64{3, 2, 1, 0}, order()); diff != "" {
		t.Errorf("reversing waits: %s", diff)
	}
}

// The age of what is on screen counts from when it was read on the target, not from when it got here.
func TestAgeCountsFromTheReading(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.m.target.Started = d.clock.Add(-f.snap.Taken - 70*time.Millisecond)
	d.tick()
	d.wantOnScreen("age  70ms")
	d.clock = d.clock.Add(3 * time.Second)
	d.tick()
	d.wantOnScreen("STALE 3.0s")
}

// A table of very many tasks is sorted once a second, and shows in the meantime what is in the slots now.
func TestManyTasksAreSortedOnceASecond(t *testing.T) {
	f := newFake()
	f.snap.Slots = make([]uint32, 2*pane.ManyRows*tasks.SlotWords)
	for i := range 2 * pane.ManyRows {
		w := f.slot(i)
		w[tasks.WordState], w[tasks.WordTaskID], w[tasks.WordYieldCount] = uint32(tasks.Ready), uint32(i+1), uint32(i)
	}
	d := newDriver(t, 120, 40, Options{Source: f, Sink: f})
	d.m.showTab(keymap.Tasks)
	d.m.table().Sort = slices.IndexFunc(d.m.table().Arrange().Rows.Columns(), func(c pane.Column) bool { return c.ID == "yields" })
	d.m.forgetRows()
	d.tick()
	last := func() uint64 {
		o := d.m.table().Arrange().Order.Rows
		return d.m.table().Arrange().Rows.Key(int(o[len(o)-1]))
	}
	most := last()
	f.snap.Slots = slices.Clone(f.snap.Slots)
	f.slot(0)[tasks.WordYieldCount] = 1 << 30
	f.snap.Seq++
	d.clock = d.clock.Add(pane.ResortInterval / 2)
	d.update()
	if last() != most {
		t.Error("sorted again within a second")
	}
	d.wantOnScreen("1.07G") // the new number, where the task stood
	d.clock = d.clock.Add(pane.ResortInterval)
	d.update()
	if last() != pane.TaskKey(1, 0) {
		t.Error("not sorted after a second")
	}
}
