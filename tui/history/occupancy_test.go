package history

import (
	"testing"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/stats"
)

// Occupancy is of whole windows, but for the first, and begins again when time goes back.
func TestOccupancyIsOfWholeWindows(t *testing.T) {
	var h History
	at := func(taken time.Duration, ticks, idle uint32) *stats.Occupancy { // activations end all the time
		return h.Occupancy(stats.OccupancySample{Taken: taken, Lanes: 8, Workers: []megakernel.Worker{{Ticks: ticks, Idle: idle, Activations: ticks}}})
	}
	if r := at(0, 0, 0); r != nil {
		t.Errorf("a report of one snapshot: %+v", r)
	}
	for _, tc := range []struct {
		taken       time.Duration
		ticks, idle uint32
		busy        float64
	}{
		{100 * ms, 100, 75, 0.25}, // no whole window yet
		{400 * ms, 400, 200, 0.5},
		{1000 * ms, 1000, 400, 0.6},
		{1900 * ms, 1900, 1200, 0.6}, // still that of the first window
		{2000 * ms, 2000, 1300, 0.1},
		{300 * ms, 300, 100, -1}, // back: there is nothing to compare with
		{350 * ms, 350, 110, 0.8},
	} {
		r := at(tc.taken, tc.ticks, tc.idle)
		switch {
		case tc.busy < 0 && r != nil:
			t.Errorf("at %v: %+v", tc.taken, r)
		case tc.busy >= 0 && (r == nil || r.Share.Busy != tc.busy):
			t.Errorf("at %v: %+v, want %v busy", tc.taken, r, tc.busy)
		}
	}
}
