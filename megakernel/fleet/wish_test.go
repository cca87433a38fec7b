package fleet

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestWishesOfScreensAreFew: each interval that a client wished for was kept, however many there were.
func TestWishesOfScreensAreFew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &states{wanted: map[time.Duration]time.Time{}}
		least := time.Hour
		for _, wished := range rapid.SliceOfN(rapid.Int64Range(0, int64(time.Hour)), 1, 500).Draw(t, "wishes") {
			w := time.Duration(wished)
			step := stepOf(w)
			if step > max(w, leastInterval) || step < leastInterval {
				t.Fatalf("%v has %v", w, step)
			}
			s.want(wish{interval: step})
			least = min(least, step)
		}
		if got := s.wait(); got != least {
			t.Fatalf("a state every %v, want %v", got, least)
		}
		if len(s.wanted) > 20 {
			t.Fatalf("%d intervals", len(s.wanted))
		}
	})
	for wished, want := range map[time.Duration]time.Duration{time.Second: time.Second, 999 * time.Millisecond: 500 * time.Millisecond, 3 * time.Second: 2 * time.Second, 0: leastInterval} {
		if got := stepOf(wished); got != want {
			t.Errorf("%v has %v, want %v", wished, got, want)
		}
	}
}

// TestTargetsDoNotReportAtOneTime: all that a screen had asked at once reported at the same time from then on, so that the screen of 1,000
// of them had 2.8 frames a second.
func TestTargetsDoNotReportAtOneTime(t *testing.T) {
	parts := map[time.Duration]int{}
	for range 1000 {
		next := spread(time.Second, true)
		if next < leastInterval || next > time.Second {
			t.Fatalf("the next state comes after %v", next)
		}
		parts[next/(200*time.Millisecond)]++
	}
	for part, n := range parts {
		if n > 400 {
			t.Errorf("%d of 1000 targets report in the fifth %d of a second", n, part)
		}
	}
	if got := spread(time.Second, false); got != time.Second {
		t.Errorf("later states come every %v", got)
	}
	if got := spread(leastInterval, true); got != leastInterval {
		t.Errorf("states every %v at most come after %v", leastInterval, got)
	}
}
