package tune

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSignedRankIsTheTables: the critical values of the two-sided test with 5 % that every table has.
func TestSignedRankIsTheTables(t *testing.T) {
	for n, want := range map[int]int{6: 0, 7: 2, 8: 3, 9: 5, 10: 8, 15: 25, 20: 52, 25: 89, 30: 137, 50: 434, 100: 1955} {
		if got, confidence := signedRank(n); got != want || confidence < wanted {
			t.Errorf("%d values: %d means outside with %v, the table has %d", n, got, confidence, want)
		}
	}
	exact, _ := signedRank(exactRanks)
	next, _ := signedRank(exactRanks + 1)
	if step := next - exact; step < 35 || step > 50 {
		t.Errorf("the step where the normal distribution takes over is %d", step)
	}
}

// TestMiddleCoversTheRatio as often as it says, and in a narrower interval than order statistics give, where the
// windows of both have the same noise.
func TestMiddleCoversTheRatio(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const trials = 2000
	for _, n := range []int{6, 9, 20, 51, 120} {
		covered, said, narrower := 0, 0.0, 0
		for range trials {
			ratios := make([]float64, n)
			for i := range ratios {
				ratios[i] = 1.3 * math.Exp(0.4*(rng.NormFloat64()-rng.NormFloat64()))
			}
			_, low, high, confidence := middle(ratios)
			if said = confidence; low <= 1.3 && 1.3 <= high {
				covered++
			}
			if l, h, _ := interval(ratios); math.Log(high/low) <= math.Log(h/l)+1e-12 {
				narrower++
			}
		}
		if got := float64(covered) / trials; said < wanted || math.Abs(got-said) > 0.02 {
			t.Errorf("%d values: the interval covers the ratio in %.3f of the cases, and says %.3f", n, got, said)
		}
		if narrower < trials*3/4 {
			t.Errorf("%d values: narrower than that of order statistics in %d of %d cases", n, narrower, trials)
		}
	}
}

func TestMiddleOfFewValues(t *testing.T) {
	for n, want := range map[int]float64{1: 0, 2: 0.5, 5: 0.9375, 6: 0.96875} {
		ratios := make([]float64, n)
		for i := range ratios {
			ratios[i] = math.Exp(float64(i))
		}
		mid, low, high, confidence := middle(ratios)
		if math.Abs(low-1) > 1e-12 || math.Abs(high/math.Exp(float64(n-1))-1) > 1e-12 || math.Abs(confidence-want) > 1e-12 || mid < low || mid > high {
			t.Errorf("%d values: %v in %v to %v with %v, want all of them with %v", n, mid, low, high, confidence, want)
		}
	}
}
