package rerun

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestPaceEvensOutARun: a run whose second half is ten times as slow gives every window of the default the
// same rate.
func TestPaceEvensOutARun(t *testing.T) {
	var run trace
	for ms := range 1101 {
		done := int64(ms)
		if ms > 100 {
			done = 100 + int64(ms-100)/10
		}
		run.note(done, time.Duration(ms)*time.Millisecond)
	}
	var p pace
	p.add(run, 200)
	fast, slow := p.worth(0, 100), p.worth(100, 110)
	if math.Abs(fast/slow-1) > 0.01 || math.Abs(p.worth(0, 200)-200) > 1e-9 {
		t.Errorf("the fast half is worth %v, a tenth of the slow one %v, all %v", fast, slow, p.worth(0, 200))
	}
}

func TestPaceOfNoWholeRun(t *testing.T) {
	var p pace
	if got := p.worth(2, 7); got != 5 {
		t.Errorf("worth %v", got)
	}
}

// TestPaceAddsUp: the parts of a run are worth as much as the whole, and nothing is worth less than nothing.
func TestPaceAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const total = 5000
		var p pace
		for range rapid.IntRange(1, 5).Draw(t, "runs") {
			p.add(drawTrace(t, total), total)
		}
		cut := rapid.Int64Range(0, total).Draw(t, "cut")
		first, second, all := p.worth(0, cut), p.worth(cut, total), p.worth(0, total)
		if first < 0 || second < 0 || math.Abs(all-total) > 1e-6 || math.Abs(first+second-all) > 1e-6*total {
			t.Fatalf("%v + %v is not %v", first, second, all)
		}
	})
}

func drawTrace(t *rapid.T, total int64) (run trace) {
	var at time.Duration
	for _, done := range slices.Sorted(slices.Values(rapid.SliceOfN(rapid.Int64Range(0, total-1), 1, 30).Draw(t, "done"))) {
		at += time.Duration(1+done%7) * time.Millisecond
		run.note(done, at)
	}
	run.note(total, at+time.Millisecond)
	return run
}

// TestPaceForgetsADisturbance: a run that something held up half-way makes no part worth more than it is.
func TestPaceForgetsADisturbance(t *testing.T) {
	var p pace
	for run := range 5 {
		var seen trace
		for ms := range 101 {
			at := time.Duration(ms) * time.Millisecond
			if ms > 50 && run == 1 {
				at += time.Second
			}
			seen.note(int64(ms), at)
		}
		p.add(seen, 100)
	}
	if got := p.worth(45, 55); math.Abs(got-10) > 0.1 {
		t.Errorf("a tenth of the work is worth %v", got)
	}
}
