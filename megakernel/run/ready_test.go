package run

import (
	"context"
	"testing"
	"time"
)

// TestAShortRunCompilesNoVariantThatNobodyUses: a headless run of three seconds took a quarter longer.
func TestAShortRunCompilesNoVariantThatNobodyUses(t *testing.T) {
	past := func() <-chan time.Time { c := make(chan time.Time, 1); c <- time.Time{}; return c }
	looked := make(chan struct{})
	close(looked)
	for name, c := range map[string]struct {
		early, late <-chan time.Time
		attended    chan struct{}
		want        bool
	}{
		"begins, attended": {nil, nil, looked, false},
		"short":            {past(), nil, nil, false},
		"short, attended":  {past(), nil, looked, true},
		"long":             {past(), past(), nil, true},
	} {
		ctx, end := context.WithCancel(t.Context())
		if !c.want {
			end() // nothing else is ready
		}
		if got := wantsVariant(ctx, c.early, c.late, c.attended); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		end()
	}
}
