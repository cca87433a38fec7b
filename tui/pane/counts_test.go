package pane

import (
	"strings"
	"testing"

	"vyretop/megakernel"
	"vyretop/tui/cells"
)

// TestFaultsAreCountedAfterTheirSlotsAreUsedAgain: of 9000 tasks that had faulted, the overview showed the 808 that still had a
// slot.
func TestFaultsAreCountedAfterTheirSlotsAreUsedAgain(t *testing.T) {
	f := logFrame(0, 4, 5)
	f.Snap.Counters[megakernel.CountFaulted] = 9000
	got := paint(80, 3, func(a cells.Area) { look().DrawCounts(a, f) })
	if !strings.Contains(got, "faulted   9000") {
		t.Errorf("the overview shows\n%s", got)
	}
}
