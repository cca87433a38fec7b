package tune

import (
	"math"
	"slices"
)

// middle of ratios, with an interval for it: the median of the means of all two of their logarithms (Hodges and
// Lehmann), and the means that the signed-rank test does not refuse as the middle (Wilcoxon).
func middle(ratios []float64) (mid, low, high, confidence float64) {
	means := pairMeans(ratios)
	k, confidence := signedRank(len(ratios))
	return math.Exp(Median(means)), math.Exp(means[k]), math.Exp(means[len(means)-1-k]), confidence
}

// extreme bounds the logarithm of a ratio: that of something and nothing is infinite, and would leave the
// mean of two such pairs undefined.
const extreme = 20

// logRatio is the logarithm of a ratio, within the bounds.
func logRatio(r float64) float64 { return min(max(math.Log(r), -extreme), extreme) }

// pairMeans are the means of the logarithms of each two ratios, and of each one with itself, sorted.
func pairMeans(ratios []float64) []float64 {
	logs := make([]float64, len(ratios))
	for i, r := range ratios {
		logs[i] = logRatio(r)
	}
	means := make([]float64, 0, len(logs)*(len(logs)+1)/2)
	for i, x := range logs {
		for _, y := range logs[i:] {
			means = append(means, (x+y)/2)
		}
	}
	slices.Sort(means)
	return means
}

// exactRanks is up to how many values the distribution of the sum of ranks is worked out; beyond, the normal
// distribution is as good.
const exactRanks = 100

// signedRank says how many of the smallest and of the largest means lie outside the interval for n values that
// has the confidence wanted, and the confidence that it has.
func signedRank(n int) (outside int, confidence float64) {
	if n > exactRanks {
		m := float64(n)
		const quantile = 1.959964 // that wanted leaves on either side
		spread := math.Sqrt(m * (m + 1) * (2*m + 1) / 24)
		return int(m*(m+1)/4 - quantile*spread - 0.5), wanted
	}
	sums := rankSums(n)
	below := sums[0]
	for outside+1 < len(sums) && 1-2*(below+sums[outside+1]) >= wanted {
		outside++
		below += sums[outside]
	}
	return outside, max(0, 1-2*below)
}

// rankSums is how likely each sum of the ranks from 1 to n is when a fair coin decides about each one; the
// other half of the sums is as likely as this one.
func rankSums(n int) []float64 {
	p := make([]float64, n*(n+1)/4+1)
	p[0] = 1
	for rank := 1; rank <= n; rank++ {
		for sum := len(p) - 1; sum >= 0; sum-- {
			p[sum] /= 2
			if sum >= rank {
				p[sum] += p[sum-rank] / 2
			}
		}
	}
	return p
}
