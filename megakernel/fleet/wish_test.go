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
