package resident

import "testing"

// The smallest quota is made a turn that is long enough for what a round costs, not longer than needed, and
// never so long that the largest one does not fit a word.
func TestQuotaFactor(t *testing.T) {
	for _, tc := range []struct {
		smallest            uint32
		slots, betweenLooks int
		turn                uint32
	}{
		{1, 256, 128, 1024},
		{100, 256, 128, 1024},
		{1023, 256, 128, 1024},
		{1024, 256, 128, 1024},
		{5000, 256, 128, 1024},
		{100, 256, 4096, 16384},
		{3, 1 << 26, 128, longestTurn},
	} {
		f := quotaFactor(tc.smallest, tc.slots, tc.betweenLooks)
		if f < 1 || f*tc.smallest < tc.turn || (f-1)*tc.smallest >= tc.turn {
			t.Errorf("quota %d of %d slots, %d between looks: times %d, want a turn of %d", tc.smallest, tc.slots, tc.betweenLooks, f, tc.turn)
		}
	}
}
