package pane

import "testing"

// TestAPCIsRoundedOnlyWhereItDoesNotFit: tables showed 262205 as 262k.
func TestAPCIsRoundedOnlyWhereItDoesNotFit(t *testing.T) {
	for pc, want := range map[uint32]string{0: "0", 262205: "262205", 999_999: "999999", 1_000_000: "1.00M", 1<<32 - 1: "4.29G"} {
		if got := string(appendPC(nil, pc)); got != want || len(got) > pcWidth {
			t.Errorf("%d is written %q, want %q", pc, got, want)
		}
	}
}
