package report

import "testing"

// TestRatesOfASearchHaveNoExponent: a column had 1.737e+05 above 8794, and an interval began at 2.06e-09.
func TestRatesOfASearchHaveNoExponent(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 173712.3: "173700", 8794: "8794", 229.14: "229.1", 3e9: "3000000000"} {
		if got := rateText(v); got != want {
			t.Errorf("rate %v: %q, want %q", v, got, want)
		}
	}
	for v, want := range map[float64]string{2.06e-9: "<0.01", 0.1637: "0.164", 2.07: "2.07", 1: "1", 4.2e8: ">100"} {
		if got := ratioText(v); got != want {
			t.Errorf("ratio %v: %q, want %q", v, got, want)
		}
	}
}
