package resident

import (
	"testing"
	"time"

	"vyretop/megakernel"
)

// TestSamplingFollowsThePasses: what noting passes costs stays small, and what they are noted in can be taken.
func TestSamplingFollowsThePasses(t *testing.T) {
	for _, c := range []struct {
		name           string
		passes, runs   uint64 // in a second, of all workers
		near           bool
		setting, kinds uint32
		first, then    uint32
	}{
		{"long activations", 1000, 8000, true, 0, megakernel.LogAll, 1, 1},
		{"short ones", 600_000, 30_000_000, true, 0, megakernel.LogAll, 1, 128},
		{"more than the host takes", 1_400_000, 180_000_000, false, 0, megakernel.LogAll, farStart, 1024},
		{"asked for all", 600_000, 30_000_000, true, 1, megakernel.LogAll, 1, 1},
		{"asked for some", 600_000, 30_000_000, false, 60, megakernel.LogAll, 64, 64},
		{"no kind that is sampled", 600_000, 30_000_000, true, 1, 1 << megakernel.EventFault, unsampled, unsampled},
	} {
		now := megakernel.Settings{Workers: 1, Log: c.kinds, LogEvery: c.setting}
		var l sampling
		if got := l.next(&now, [megakernel.NumCounters]uint64{}, c.near); got != c.first {
			t.Errorf("%s: 1 in %d passes at first, want %d", c.name, got, c.first)
		}
		l.looked = time.Now().Add(-time.Second)
		if got := l.next(&now, [megakernel.NumCounters]uint64{megakernel.CountClaims: c.passes, megakernel.CountActivations: c.runs}, c.near); got != c.then {
			t.Errorf("%s: 1 in %d passes then, want %d", c.name, got, c.then)
		}
	}
}
