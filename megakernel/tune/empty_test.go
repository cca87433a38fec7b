package tune

import (
	"errors"
	"testing"
	"time"
)

// TestComparisonEndsWhenTheVerdictIsCertain: windows that cannot change it are not measured.
func TestComparisonEndsWhenTheVerdictIsCertain(t *testing.T) {
	windows := 0
	c, err := Compare(t.Context(), measured(func(Candidate) float64 { windows++; return 0 }), workers(2), workers(1), 15, time.Second)
	if err != nil || c.Verdict() != CannotTell || !errors.Is(c.Err(), ErrCannotTell) || windows != 4 || c.Empty != 4 {
		t.Errorf("%d windows: %+v, %v", windows, c, err)
	}
}
