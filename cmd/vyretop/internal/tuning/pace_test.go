package tuning

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestPaceEvensOutARun: a run whose second half is ten times as slow gives every window of the default the
// same rate.
func TestPaceEvensOutARun(t *testing.T) {
	p := pace{total: 200}
	for ms := range 1101 {
		done := int64(ms)
		if ms > 100 {
			done = 100 + int64(ms-100)/10
		}
		p.note(done, time.Duration(ms)*time.Millisecond)
	}
	fast, slow := p.worth(0, 100), p.worth(100, 110)
	if math.Abs(fast/slow-1) > 0.01 || math.Abs(p.worth(0, 200)-200) > 1e-9 {
		t.Errorf("the fast half is worth %v, a tenth of the slow one %v, all %v", fast, slow, p.worth(0, 200))
	}
}

func TestPaceOfNoWholeRun(t *testing.T) {
	var p pace
	p.note(3, time.Second)
	p.note(9, 2*time.Second)
	if got := p.worth(2, 7); got != 5 {
		t.Errorf("worth %v", got)
	}
}

// TestPaceAddsUp: the parts of a run are worth as much as the whole, and nothing is worth less than nothing.
func TestPaceAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := pace{}
		at := time.Duration(0)
		for _, step := range rapid.SliceOfN(rapid.Int64Range(0, 1000), 2, 30).Draw(t, "steps") {
			p.total += step
			at += time.Duration(1 + step%7)
			p.note(p.total, at)
		}
		cut := rapid.Int64Range(0, p.total).Draw(t, "cut")
		first, second, all := p.worth(0, cut), p.worth(cut, p.total), p.worth(0, p.total)
		if first < 0 || second < 0 || math.Abs(first+second-all) > 1e-6*float64(p.total+1) {
			t.Fatalf("%v + %v is not %v", first, second, all)
		}
	})
}
