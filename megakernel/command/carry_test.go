package command

import (
	"testing"
	"time"
)

// TestAWaitSaysHowLongItWas: it said "waited in 62.725ms".
func TestAWaitSaysHowLongItWas(t *testing.T) {
	for answer, want := range map[string]string{waited: "x: waited for 62.725ms", applied: "x: applied in 62.725ms"} {
		r := Result{Order: "x", Answer: answer, Took: 62725 * time.Microsecond}
		if got := r.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
