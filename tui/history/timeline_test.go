package history

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"vyretop/megakernel"
	"vyretop/tasks"
)

const milliseconds = time.Millisecond

var all = megakernel.Logging{Kinds: megakernel.LogAll, Every: 1}

// snapshot has one worker in a state, with a task of an opcode, after that many scheduling passes.
func snapshot(at time.Duration, beat uint32, state megakernel.WorkerState, opcode uint32, logging megakernel.Logging) *megakernel.Snapshot {
	s := &megakernel.Snapshot{Taken: at, Slots: make([]uint32, tasks.SlotWords), WorkerTable: make([]uint32, megakernel.WorkerWords), Logging: logging}
	s.WorkerTable[megakernel.WkState], s.WorkerTable[megakernel.WkHeartbeat] = uint32(state), beat
	if state == megakernel.WorkerIdle {
		s.WorkerTable[megakernel.WkSlot] = megakernel.NoSlot
	}
	s.Slots[tasks.WordOpcode] = opcode
	return s
}

func yield(number uint64, pass uint64, opcode uint32) megakernel.LogRecord {
	return megakernel.LogRecord{Number: number, Format: megakernel.LogEventBase + uint32(megakernel.EventYield), Task: 5, Opcode: opcode, Time: pass}
}

// picture writes a column a letter: a, b, ... for what records tell of opcodes, A, B, ... for what snapshots saw.
func picture(columns []Column) string {
	out := make([]byte, len(columns))
	for i, c := range columns {
		op, running := c.Seen.Op()
		switch {
		case running && c.Recorded:
			out[i] = 'a' + byte(op)
		case running:
			out[i] = 'A' + byte(op)
		default:
			out[i] = " .-=x?"[c.Seen]
		}
	}
	return string(out)
}

func (l *Lines) picture(from, width time.Duration, n int) string {
	return picture(l.Columns(nil, 0, from, width, n, 1<<62))
}

// What the log leaves out is drawn as unknown, and not as idle.
func TestWhatTheLogLeavesOutIsNotIdle(t *testing.T) {
	sampled, off, op := all, all, all
	sampled.Every = 64
	off.Kinds &^= 1 << megakernel.EventYield
	op.Opcodes[0] = 17
	idle := megakernel.WorkerIdle
	for _, tt := range []struct {
		name    string
		logging megakernel.Logging
		lost    uint64
		want    string
	}{
		{"everything is logged", all, 0, " -----a--a-"},
		{"one pass in 64 is", sampled, 0, " .....a..a."},
		{"yields are not", off, 0, " .....a..a."},
		{"one opcode is", op, 0, " .....a..a."},
		{"the settings are not known", megakernel.Logging{}, 0, " .....a..a."},
		{"records are lost", all, 3, " -----a..a."},
	} {
		var l Lines
		for i := range 6 {
			l.Snapshot(snapshot(time.Duration(10+10*i)*milliseconds, uint32(10*i), idle, 0, tt.logging))
		}
		l.Log([]megakernel.LogRecord{yield(1, 50, 20), yield(2+tt.lost, 53, 20)})
		l.Snapshot(snapshot(70*milliseconds, 55, idle, 0, tt.logging))
		got := l.picture(0, 10*milliseconds, 6) + l.picture(60*milliseconds, 2*milliseconds, 5)
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// What snapshots saw fills the time where the log says nothing, and records come before it.
func TestRecordsComeBeforeSamples(t *testing.T) {
	var l Lines
	l.Snapshot(snapshot(0, 0, megakernel.WorkerIdle, 0, all))
	l.Snapshot(snapshot(10*milliseconds, 10, megakernel.WorkerRunning, 20, all))
	l.Log([]megakernel.LogRecord{yield(0, 10, 30), yield(1, 19, 20)})
	l.Snapshot(snapshot(20*milliseconds, 20, megakernel.WorkerRunning, 20, all))
	l.Snapshot(snapshot(30*milliseconds, 20, megakernel.WorkerPaused, 20, all))
	l.Snapshot(snapshot(40*milliseconds, 20, megakernel.WorkerPaused, 20, all))
	if got, want := l.picture(0, 2*milliseconds, 20), "AAAAAb---a-----====="; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := l.Ops(); !slices.Equal(got, []uint32{20, 30}) {
		t.Errorf("opcodes %d", got)
	}
}

// A run of any length is kept as a whole, in a bounded number of spans and cells: the overview has what the spans had.
func TestLongRunsAreKeptInBoundedMemory(t *testing.T) {
	var l Lines
	number, beat, at := uint64(0), uint32(0), time.Duration(0)
	const hour = time.Hour
	l.Snapshot(snapshot(0, 0, megakernel.WorkerIdle, 0, all))
	for step := 0; at < 3*hour; step++ {
		op := uint32(20 + step*12/(3*3600)%3)
		var records []megakernel.LogRecord
		for range 100 {
			records = append(records, yield(number, uint64(beat), op))
			number, beat = number+1, beat+1
		}
		at += 5 * time.Second / 6
		l.Log(records)
		l.Snapshot(snapshot(at, beat, megakernel.WorkerIdle, 0, all))
	}
	row := l.rows[0]
	if n := len(row.spans); n > MaxSpans+MaxSpans/4 || n < MaxSpans/2 {
		t.Errorf("%d spans are kept of %d", n, number)
	}
	if since := l.Since(0); since < hour || since > at {
		t.Errorf("spans are kept from %v on", since)
	}
	if c := l.coarse.length; c < at/coarseCells || c > 4*at/coarseCells {
		t.Errorf("cells of %v for %v", c, at)
	}
	if n := len(l.fine.rows[0]); n > fineCells || l.Cell() > 4*at/fineCells {
		t.Errorf("%d fine cells of %v for %v", n, l.Cell(), at)
	}
	got := l.picture(0, 10*time.Minute, 18)
	if len(slices.Compact([]byte(got))) < 3 || slices.Contains([]byte(got), ' ') || slices.Contains([]byte(got), '-') {
		t.Errorf("the whole run is %q", got)
	}
	if fine := l.picture(30*time.Minute, time.Second, 10); slices.Contains([]byte(fine), ' ') {
		t.Errorf("what the overview has is not drawn where spans are gone: %q", fine)
	}
}

// However the time is cut into columns, a column shows a worker running exactly where a span overlaps it, until the spans are thinned out.
func TestColumnsShowEverySpan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l Lines
		beat, number := uint32(0), uint64(0)
		for i := range 8 {
			var records []megakernel.LogRecord
			for range rapid.IntRange(0, 4).Draw(t, "records") {
				records = append(records, yield(number, uint64(beat+uint32(rapid.IntRange(0, 9).Draw(t, "pass"))), 20))
				number++
			}
			l.Log(records)
			beat += uint32(min(i, 1) * 10)
			l.Snapshot(snapshot(time.Duration(i)*10*milliseconds, beat, megakernel.WorkerIdle, 0, all))
		}
		from := time.Duration(rapid.IntRange(0, 60).Draw(t, "from")) * milliseconds
		width := rapid.SampledFrom([]time.Duration{milliseconds / 4, milliseconds, 3 * milliseconds, 10 * milliseconds, 25 * milliseconds}).Draw(t, "width")
		for x, c := range l.Columns(nil, 0, from, width, 12, 1<<62) {
			at, want := from+time.Duration(x)*width, false
			for _, s := range l.Spans(0, 0, 1<<62) {
				want = want || s.Begin < at+width && max(s.End, s.Begin+1) > at
			}
			if _, runs := c.Seen.Op(); runs != want {
				t.Fatalf("column %v+%v runs: %v, want %v", at, width, runs, want)
			}
		}
	})
}

// A screen is drawn while nothing is known yet, also of the time before the launch.
func TestNothingIsDrawnBeforeTheFirstSnapshot(t *testing.T) {
	for _, width := range []time.Duration{milliseconds, 100 * milliseconds, time.Minute} {
		if got := new(Lines).picture(-3*width, width, 6); got != "      " {
			t.Errorf("columns of %v: %q", width, got)
		}
	}
}

// TestAnAbsentWorkerIsNotIdle: a worker that had left the last slice was drawn as idle for the rest of the run.
func TestAnAbsentWorkerIsNotIdle(t *testing.T) {
	var l Lines
	l.Snapshot(snapshot(0, 0, megakernel.WorkerIdle, 0, all))
	l.Snapshot(snapshot(10*milliseconds, 10, megakernel.WorkerIdle, 0, all))
	for i := 2; i < 6; i++ { // it makes some passes, and leaves
		l.Snapshot(snapshot(time.Duration(i)*10*milliseconds, 15, megakernel.WorkerAbsent, 0, all))
	}
	l.Snapshot(snapshot(60*milliseconds, 20, megakernel.WorkerIdle, 0, all))
	if got, want := l.picture(0, 10*milliseconds, 6), "--xxx-"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
