package units

import (
	"testing"
	"time"
)

// ":seek 300ms" was refused although "--at 300ms" was taken: positions have one parser, which takes both forms.
func TestPositionsAreDurationsAndClocks(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"300ms": 300 * time.Millisecond, "1.5s": 1500 * time.Millisecond, "1m2.5s": 62500 * time.Millisecond, "0": 0,
		"7": 7 * time.Second, "12.5": 12500 * time.Millisecond, "00:12.5": 12500 * time.Millisecond, "1:00:00": time.Hour, "0:07s": 7 * time.Second,
	} {
		if at, ok := ParsePosition(text); !ok || at != want {
			t.Errorf("%q is %v, %v; want %v", text, at, ok, want)
		}
	}
	for _, text := range []string{"", "s", "-1s", "-3", "1:", ":1", "x", "1:2:3:4", "NaN", "1e9"} {
		if at, ok := ParsePosition(text); ok {
			t.Errorf("%q is %v, want an error", text, at)
		}
	}
}
