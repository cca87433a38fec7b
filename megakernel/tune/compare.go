package tune

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"vyretop/engine/fault"
)

// Comparison is what two candidates did in pairs of windows.
type Comparison struct {
	A, B         Candidate
	RateA, RateB float64 // of the pair whose ratio is nearest to Ratio
	Ratio        float64 // of B's rate over A's in a pair: the middle of all pairs
	Low, High    float64 // interval of that
	Confidence   float64 // that the interval covers the true ratio
	Pairs        int
	Empty        int    // windows, of two for each pair, in which nothing was counted
	Unit         string // of the work in the rates; "" where the target does not say
}

// Verdict is what a comparison shows.
type Verdict string

// The verdicts.
const (
	NoDifference Verdict = "no difference"
	BFaster      Verdict = "faster"
	BSlower      Verdict = "slower"
	// CannotTell is the verdict where more than one in maxEmpty windows had nothing to count (their rate is
	// not measured, and a ratio of two such is none), and where the interval covers 1 and more than a small difference, too.
	CannotTell Verdict = "cannot tell"
)

// maxEmpty is one in how many windows may be without anything counted. Ranks allow for a few extreme values.
const maxEmpty = 10

// sameWithin is the factor within which two rates count as equal.
const sameWithin = 1.1

// Verdict says whether B is faster than A. All that prints or stores a verdict takes it from here.
func (c *Comparison) Verdict() Verdict {
	if c.Err() != nil {
		return CannotTell
	}
	return verdictOf(c.Low, c.High)
}

// verdictOf is the verdict of an interval of B's rate over A's.
func verdictOf(low, high float64) Verdict {
	switch {
	case low > 1:
		return BFaster
	case high < 1:
		return BSlower
	case high > sameWithin || low*sameWithin < 1:
		return CannotTell
	}
	return NoDifference
}

// Vague is ErrCannotTell where the windows had work, and their rates differ too much from each other for a verdict, else nil.
func (c *Comparison) Vague() error {
	if c.Err() != nil || c.Verdict() != CannotTell {
		return nil
	}
	return &fault.Error{
		Kind: ErrCannotTell, Subject: "cannot tell which is faster", Fix: "compare with longer windows, or more of them, as vyretop ab does with --window and --pairs",
		Detail: fmt.Sprintf("the ratio is between %.3g and %.3g, too wide to rule out a difference of more than %.0f %%", c.Low, c.High, 100*(sameWithin-1)),
	}
}

// Tolerance is how much slower than the default a candidate may be that takes its place.
const Tolerance = 0.05

// Replaces says whether B should take the place of A, the default: it seems faster, and if it is slower it is by no
// more than the tolerance. That a difference be beyond doubt is too much to ask: on a machine that others use
// the default would stay where most of what was measured is against it.
func (c *Comparison) Replaces() bool {
	return c.Err() == nil && c.Ratio > 1 && c.Low >= 1-Tolerance
}

// likely is the quantile of the normal distribution that one in ten lies above.
const likely = 1.281552

// LikelyFaster reports whether B is faster with a probability of nine in ten or more. The logarithm of the ratio is taken
// for normally distributed, with the spread that the interval tells: where windows differ by a factor from each other, an
// interval that excludes 1 would take minutes.
func (c *Comparison) LikelyFaster() bool {
	switch {
	case c.Err() != nil:
		return false
	case c.Low > 1:
		return true
	}
	const halves = 2 * 1.959964 // of the interval's confidence, wanted
	return math.Log(c.Ratio)*halves > likely*math.Log(c.High/c.Low)
}

// ErrCannotTell is matched by the error about a comparison that shows nothing.
const ErrCannotTell fault.Kind = "the comparison cannot tell"

// Err is ErrCannotTell where too few windows had work, else nil.
func (c *Comparison) Err() error {
	if !tooEmpty(c.Empty, c.Pairs) {
		return nil
	}
	return &fault.Error{
		Kind: ErrCannotTell, Subject: "cannot tell which is faster", Fix: "compare while there is work, with longer windows",
		Detail: fmt.Sprintf("in %d of %d windows nothing was done (counted are %s)", c.Empty, 2*c.Pairs, cmp.Or(c.Unit, "tasks")),
	}
}

// MinPairs is the smallest number of pairs that can show a difference with 95 % confidence.
const MinPairs = 6

// Compare measures pairs of windows, at least MinPairs of them. Which candidate is first is drawn for every two
// pairs, and changes between these: a target that is slow in every fourth window, as one that starts again and
// again may be, would always be slow for the same one if the turns were regular. It ends early, with fewer pairs, once
// the empty windows decide the verdict.
func Compare(ctx context.Context, t Target, a, b Candidate, pairs int, window time.Duration) (*Comparison, error) {
	pairs = max(pairs, MinPairs)
	return compareWhile(ctx, t, a, b, window, func(done, empty int) bool { return done < pairs && !tooEmpty(empty, pairs) })
}

// tooEmpty reports whether the empty windows leave too few pairs to show anything.
func tooEmpty(empty, pairs int) bool { return empty*maxEmpty > 2*pairs }

// compareWhile measures pairs while another one is wanted, given how many there are and how many of their windows
// were empty.
func compareWhile(ctx context.Context, t Target, a, b Candidate, window time.Duration, another func(done, empty int) bool) (*Comparison, error) {
	var ratesA, ratesB []float64
	unit := ""
	coin, heads := rand.New(rand.NewPCG(1, 2)), 0
	for n := 0; n == 0 || another(n, count(ratesA, 0)+count(ratesB, 0)); n++ {
		order := []struct {
			c     Candidate
			rates *[]float64
		}{{a, &ratesA}, {b, &ratesB}}
		if n%2 == 0 {
			heads = coin.IntN(2)
		}
		if n%2 == heads {
			slices.Reverse(order)
		}
		for _, o := range order {
			s, err := t.Measure(ctx, o.c, window)
			if err != nil {
				return nil, err
			}
			*o.rates = append(*o.rates, s.Rate())
			unit = s.Unit
		}
	}
	c := NewComparison(ratesA, ratesB)
	c.A, c.B, c.Unit = a, b, unit
	return c, nil
}

// NewComparison compares rates that were measured in pairs. Lists of different length are a BUG.
func NewComparison(a, b []float64) *Comparison {
	if len(a) != len(b) || len(a) == 0 {
		panic("BUG: rates without a pair")
	}
	ratios := make([]float64, len(a))
	for i := range a {
		ratios[i] = ratio(b[i], a[i])
	}
	c := &Comparison{Pairs: len(a), Empty: count(a, 0) + count(b, 0)}
	c.Ratio, c.Low, c.High, c.Confidence = middle(ratios)
	pair := nearestPair(ratios, c.Ratio)
	c.RateA, c.RateB = a[pair], b[pair]
	return c
}

// nearestPair is the pair whose ratio is nearest to that of all. The medians of the rates may be of different times, where a target changes
// its pace, and their ratio would contradict that of the pairs.
func nearestPair(ratios []float64, all float64) (nearest int) {
	far := func(i int) float64 { return math.Abs(logRatio(ratios[i]) - logRatio(all)) }
	for i := range ratios {
		if far(i) < far(nearest) {
			nearest = i
		}
	}
	return nearest
}

func count(list []float64, value float64) (n int) {
	for _, x := range list {
		if x == value {
			n++
		}
	}
	return n
}

// ratio of two rates; windows in which neither got anything done are equal.
func ratio(b, a float64) float64 {
	if a == b {
		return 1
	}
	return b / a
}

// Median of a list that is not empty. It does not change the list.
func Median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// wanted is the confidence of an interval, where there are enough values.
const wanted = 0.95

// interval for the median of what the list was drawn from: from its k-th smallest to its k-th largest
// value, with the largest k that gives the confidence wanted. The median lies outside with the
// probability that fewer than k of n fair coins show heads, or fewer than k tails.
func interval(list []float64) (low, high, confidence float64) {
	sorted := slices.Sorted(slices.Values(list))
	n := len(sorted)
	k, outside := 1, math.Exp2(1-float64(n)) // coins of which none shows heads, or none tails
	for ways, below := 1., outside; k < n/2; k++ {
		ways *= float64(n-k+1) / float64(k)
		below += ways * math.Exp2(1-float64(n))
		if 1-below < wanted {
			break
		}
		outside = below
	}
	return sorted[k-1], sorted[n-k], max(0, 1-outside)
}
