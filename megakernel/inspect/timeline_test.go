package inspect

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/stats"
	"vyretop/tui/history"
)

// ran is what a trace and the timeline both say of a worker.
type ran struct {
	worker     int
	kind       stats.SpanKind
	begin, end time.Duration
	task       uint32
	number     uint64
}

func byTime(a, b ran) int {
	return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end), cmp.Compare(a.kind, b.kind), cmp.Compare(a.number, b.number))
}

var categories = map[string]stats.SpanKind{"activation": stats.Activation, "sample": stats.Sampled, "state": stats.Pause}

// traced is what a trace says of a worker between two snapshots.
func traced(d *document, worker int, from, to time.Duration) (out []ran) {
	for i := range d.Events {
		e := &d.Events[i]
		kind, ok := categories[e.Cat]
		if !ok || int(*e.TID-1)/maxLanes != worker || *e.TID == hostThread {
			continue
		}
		begin, length := time.Duration(math.Round(*e.Time*1000)), time.Duration(math.Round(*e.Dur*1000))
		x := ran{worker: worker, kind: kind, begin: begin, end: begin + length}
		if task, ok := e.Args["task"].(float64); ok {
			x.task = uint32(task)
		}
		if number, ok := e.Args["record"].(float64); ok {
			x.number = uint64(number)
		}
		if x.end >= from && x.begin < to {
			out = append(out, x)
		}
	}
	slices.SortFunc(out, byTime)
	return out
}

// drawn is what the timeline has of a worker between two snapshots: it keeps a pause in pieces.
func drawn(l *history.Lines, worker int, from, to time.Duration) (out []ran) {
	var paused *ran
	var pauses []ran
	for _, s := range l.Spans(worker, 0, math.MaxInt64) {
		x := ran{worker: worker, kind: s.Kind, begin: s.Begin, end: s.End, task: s.Task, number: s.Number}
		switch {
		case s.Kind != stats.Pause:
			out = append(out, x)
		case paused != nil && paused.end == s.Begin:
			paused.end = s.End
		default:
			pauses = append(pauses, x)
			paused = &pauses[len(pauses)-1]
		}
	}
	out = slices.DeleteFunc(append(out, pauses...), func(x ran) bool { return x.end < from || x.begin >= to })
	slices.SortFunc(out, byTime)
	return out
}

// The timeline of the dashboard shows the spans that the trace export writes, in any window.
func TestTheTimelineShowsWhatTheTraceHas(t *testing.T) {
	const ms = time.Millisecond
	rapid.Check(t, func(t *rapid.T) {
		var b bytes.Buffer
		w, lines := NewTrace(&b, fixtures.Header{}), &history.Lines{}
		at, beat, number := time.Duration(0), uint32(0), uint64(0)
		for range rapid.IntRange(1, 12).Draw(t, "snapshots") {
			var records []megakernel.LogRecord
			for range rapid.IntRange(0, 20).Draw(t, "records") {
				number += uint64(rapid.SampledFrom([]int{1, 1, 1, 1, 7}).Draw(t, "step")) // some are lost
				r := yield(number, uint16(rapid.IntRange(0, 1).Draw(t, "worker")), uint16(rapid.IntRange(0, 2).Draw(t, "lane")), uint64(beat+uint32(rapid.IntRange(-3, 30).Draw(t, "pass"))))
				r.Task = uint32(rapid.IntRange(1, 4).Draw(t, "task"))
				if rapid.IntRange(0, 5).Draw(t, "message") == 0 {
					r.Format = 0
				}
				records = append(records, r)
			}
			beat += uint32(rapid.IntRange(0, 20).Draw(t, "passes"))
			at += time.Duration(rapid.IntRange(1, 90).Draw(t, "time")) * ms
			state := rapid.SampledFrom([]megakernel.WorkerState{megakernel.WorkerRunning, megakernel.WorkerIdle, megakernel.WorkerPaused}).Draw(t, "state")
			s := runningAt(at, beat, state)
			if err := w.Take(&fixtures.StreamMessage{Log: records}); err != nil {
				t.Fatal(err)
			}
			if err := w.Take(&fixtures.StreamMessage{Snapshot: s}); err != nil {
				t.Fatal(err)
			}
			lines.Log(records)
			lines.Snapshot(s)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		d := mustDecode(t, b.Bytes())
		from := time.Duration(rapid.Int64Range(0, int64(at)).Draw(t, "from"))
		to := from + time.Duration(rapid.Int64Range(0, int64(at)).Draw(t, "length"))
		same(t, d, lines, from, to)
	})
}

// The same holds for a recording of a run, at every scale.
func TestTheTimelineOfARecordingIsItsTrace(t *testing.T) {
	rec, err := fixtures.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	player := fixtures.NewPlayer(rec, nil)
	defer player.Close()
	lines, b := &history.Lines{}, &bytes.Buffer{}
	w := NewTrace(b, fixtures.Header{})
	err = player.Read(context.Background(), func(r []megakernel.LogRecord) {
		lines.Log(r)
		_ = w.Take(&fixtures.StreamMessage{Log: r}) // Close says what went wrong
	}, func(s *megakernel.Snapshot) {
		lines.Snapshot(s)
		_ = w.Take(&fixtures.StreamMessage{Snapshot: s})
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	d := mustDecode(t, b.Bytes())
	_, end := lines.Reach()
	if n := len(drawn(lines, 0, 0, end)); n < 1000 {
		t.Fatalf("%d spans of worker 0: the recording should have thousands", n)
	}
	for window := end + 1; window > time.Millisecond; window /= 7 {
		for from := time.Duration(0); from <= end; from += max(window, end/3) {
			same(t, d, lines, from, from+window)
		}
	}
}

// failer is testing.T or rapid.T.
type failer interface {
	Fatalf(format string, args ...any)
}

func mustDecode(t failer, text []byte) *document {
	d, err := parse(text)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return d
}

func same(t failer, d *document, l *history.Lines, from, to time.Duration) {
	for worker := range 2 {
		want, got := traced(d, worker, from, to), drawn(l, worker, from, to)
		if !slices.Equal(got, want) {
			t.Fatalf("worker %d from %v to %v: the timeline has\n%s\nthe trace\n%s", worker, from, to, list(got), list(want))
		}
	}
}

func list(all []ran) (out string) {
	for _, x := range all[:min(len(all), 40)] {
		out += fmt.Sprintf("%+v\n", x)
	}
	return out
}
