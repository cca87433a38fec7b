package tune

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestCompareTellsRealDifferences(t *testing.T) {
	for _, c := range []struct {
		name  string
		b     int64
		noise float64
		want  Verdict
	}{{"faster", 4, 0.05, BFaster}, {"slower", 1, 0.05, BSlower}, {"itself", 2, 0.02, NoDifference}, {"itself, roughly", 2, 0.2, CannotTell}, {"buried in noise", 2, 2, CannotTell}} {
		f := newFake(5, 2)
		f.noise = c.noise
		got, err := Compare(t.Context(), f, workers(2), workers(c.b), 21, DefaultWindow)
		if err != nil {
			t.Fatal(err)
		}
		if got.Verdict() != c.want || got.Pairs != 21 || got.Confidence < 0.95 {
			t.Errorf("%s: %s, %+v", c.name, got.Verdict(), got)
		}
	}
}

// TestWhatReplacesTheDefault: what seems faster and can hardly be slower.
func TestWhatReplacesTheDefault(t *testing.T) {
	for _, c := range []struct {
		low, ratio, high float64
		want             bool
	}{{1.1, 1.2, 1.3, true}, {0.96, 1.1, 1.3, true}, {0.9, 1.1, 1.3, false}, {0.97, 0.99, 1.1, false}, {0.8, 0.9, 0.95, false}, {1, 1, 1, false}} {
		if got := (&Comparison{Low: c.low, Ratio: c.ratio, High: c.high}).Replaces(); got != c.want {
			t.Errorf("%v in %v to %v: %v", c.ratio, c.low, c.high, got)
		}
	}
}

// TestIntervalCoversTheMedian: as often as it says, for a distribution that is anything but normal.
func TestIntervalCoversTheMedian(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const trials = 4000
	for _, n := range []int{6, 9, 20, 51} {
		covered, said := 0, 0.0
		for range trials {
			list := make([]float64, n)
			for i := range list {
				list[i] = math.Exp(2 * rng.NormFloat64()) // median 1
			}
			low, high, confidence := interval(list)
			if said = confidence; low <= 1 && 1 <= high {
				covered++
			}
		}
		if got := float64(covered) / trials; said < 0.95 || math.Abs(got-said) > 0.015 {
			t.Errorf("%d values: the interval covers the median in %.3f of the cases, and says %.3f", n, got, said)
		}
	}
}

func TestIntervalOfFewValues(t *testing.T) {
	for n, want := range map[int]float64{1: 0, 2: 0.5, 5: 0.9375, 6: 0.96875} {
		list := make([]float64, n)
		for i := range list {
			list[i] = float64(i + 1)
		}
		low, high, confidence := interval(list)
		if low != 1 || high != float64(n) || math.Abs(confidence-want) > 1e-12 {
			t.Errorf("%d values: %v to %v with %v, want all of them with %v", n, low, high, confidence, want)
		}
	}
}

// TestComparisonIsSymmetric: B against A says the opposite of A against B.
func TestComparisonIsSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.SliceOfN(rapid.Float64Range(1, 1e9), 1, 40)
		a := rate.Draw(t, "a")
		b := rapid.SliceOfN(rapid.Float64Range(1, 1e9), len(a), len(a)).Draw(t, "b")
		forth, back := NewComparison(a, b), NewComparison(b, a)
		opposite := map[Verdict]Verdict{BFaster: BSlower, BSlower: BFaster, NoDifference: NoDifference, CannotTell: CannotTell}
		if forth.Verdict() != opposite[back.Verdict()] {
			t.Fatalf("%+v\n%+v", forth, back)
		}
		if forth.Low > forth.Ratio || forth.High < forth.Ratio {
			t.Fatalf("the ratio is outside its interval: %+v", forth)
		}
	})
}

func TestWindowsThatGotNothingDone(t *testing.T) {
	zero := slices.Repeat([]float64{0}, 8)
	three := slices.Repeat([]float64{3}, 8)
	some := slices.Repeat([]float64{3}, 20)
	zeroOnce := slices.Concat([]float64{0}, some[1:])
	for _, tt := range []struct {
		name string
		a, b []float64
		want Verdict
	}{
		{"nothing and nothing", zero, zero, CannotTell}, {"nothing and something", zero, three, CannotTell}, {"something and nothing", three, zero, CannotTell},
		{"nothing in one of forty", zeroOnce, some, NoDifference}, {"something and the same", three, three, NoDifference},
	} {
		c := NewComparison(tt.a, tt.b)
		if c.Verdict() != tt.want || errors.Is(c.Err(), ErrCannotTell) != (tt.want == CannotTell) || c.Err() != nil && c.Replaces() {
			t.Errorf("%s: %s, %+v, %v", tt.name, c.Verdict(), c, c.Err())
		}
	}
}

// TestAWideIntervalIsNoAnswer: 0.968 (0.652 to 1.37) was called no difference, with exit status 0.
func TestAWideIntervalIsNoAnswer(t *testing.T) {
	for _, tt := range []struct {
		low, ratio, high float64
		want             Verdict
	}{
		{0.652, 0.968, 1.37, CannotTell}, {0.95, 1, 1.2, CannotTell}, {0.8, 0.97, 1.02, CannotTell}, {0.95, 1, 1.05, NoDifference}, {0.92, 1, 1.09, NoDifference},
		{1.01, 1.5, 2, BFaster}, {0.5, 0.7, 0.99, BSlower},
	} {
		c := &Comparison{Pairs: 15, Low: tt.low, Ratio: tt.ratio, High: tt.high}
		if got := c.Verdict(); got != tt.want || errors.Is(c.Vague(), ErrCannotTell) != (tt.want == CannotTell) || c.Err() != nil {
			t.Errorf("%v (%v to %v): %s, %v, %v", tt.ratio, tt.low, tt.high, got, c.Vague(), c.Err())
		}
		if d := NewDocument("x", "work", c); d.Verdict != tt.want || d.ratioDocument == nil {
			t.Errorf("%v (%v to %v): the document has %s, %v", tt.ratio, tt.low, tt.high, d.Verdict, d.ratioDocument)
		}
	}
	if c := (&Comparison{Pairs: 6, Empty: 12, Low: 1, Ratio: 1, High: 1}); c.Verdict() != CannotTell || c.Vague() != nil {
		t.Errorf("without work: %s, %v", c.Verdict(), c.Vague())
	}
}

func TestCandidates(t *testing.T) {
	var got []string
	for _, c := range Candidates([]int{1, 2}, nil, []time.Duration{time.Millisecond, 250 * time.Millisecond}) {
		got = append(got, c.String())
	}
	want := []string{"workers=1 slice=1ms", "workers=1 slice=250ms", "workers=2 slice=1ms", "workers=2 slice=250ms"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestCompareTakesTurns: of two pairs one begins with either candidate, and which comes first varies.
func TestCompareTakesTurns(t *testing.T) {
	var order []string
	target := measured(func(c Candidate) float64 { order = append(order, c.String()[len("workers="):]); return 1 })
	const pairs = 100
	if _, err := Compare(t.Context(), target, workers(1), workers(2), pairs, DefaultWindow); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for four := range slices.Chunk(order, 4) {
		seen[strings.Join(four, "")]++
	}
	if seen["1221"] < pairs/8 || seen["2112"] < pairs/8 || seen["1221"]+seen["2112"] != pairs/2 {
		t.Errorf("turns were taken as in %v", seen)
	}
}

// TestCompareOfATargetThatStartsAgain: a candidate does not seem slower than itself because each fourth, or eighth,
// window is the slow beginning of a run.
func TestCompareOfATargetThatStartsAgain(t *testing.T) {
	for period := 2; period <= 16; period++ {
		n := 0
		target := measured(func(Candidate) float64 {
			n++
			return 1 + float64(n%period)/float64(period)
		})
		c, err := Compare(t.Context(), target, workers(1), workers(1), 151, DefaultWindow)
		if err != nil || c.Low > 1 || c.High < 1 {
			t.Errorf("every %d windows: %+v, %v", period, c, err)
		}
	}
}

type measured func(Candidate) float64

func (m measured) Measure(_ context.Context, c Candidate, d time.Duration) (Sample, error) {
	return Sample{Work: m(c) * d.Seconds(), Time: d}, nil
}

// TestALikelyAdvantageCounts: nine in ten is enough, and windows of which most say the opposite are not.
func TestALikelyAdvantageCounts(t *testing.T) {
	for _, tt := range []struct {
		ratio, low, high float64
		want             bool
	}{
		{2.31, 0.70, 6.13, true}, {1.53, 0.99, 2.55, true}, {1.09, 0.79, 1.37, false}, {1.02, 0.99, 1.05, true}, {1, 1, 1, false}, {0.9, 0.7, 1.2, false}, {1.2, 1.1, 1.3, true},
	} {
		c := Comparison{Pairs: 14, Ratio: tt.ratio, Low: tt.low, High: tt.high}
		if got := c.LikelyFaster(); got != tt.want {
			t.Errorf("%.2f (%.2f to %.2f): %v", tt.ratio, tt.low, tt.high, got)
		}
	}
	if (&Comparison{Pairs: 6, Empty: 6, Ratio: 2, Low: 1.5, High: 3}).LikelyFaster() {
		t.Error("windows without work tell nothing")
	}
}

// "overhead 25.8 %: 83996 samples/s observed, 94755/s alone" had rates that are 11 % apart: each was the median of its own windows.
func TestRatesHaveTheRatioThatIsReported(t *testing.T) {
	a := []float64{100, 40, 101, 39, 99, 102, 38, 100}
	b := []float64{74, 31, 76, 30, 30, 29, 74, 73}
	c := NewComparison(a, b)
	if at := slices.Index(a, c.RateA); at < 0 || b[at] != c.RateB {
		t.Errorf("%g and %g are not of one pair", c.RateA, c.RateB)
	}
	if got := c.RateB / c.RateA; math.Abs(got-c.Ratio) > 0.1*c.Ratio {
		t.Errorf("%.4g and %.4g have the ratio %.4g, reported is %.4g", c.RateA, c.RateB, got, c.Ratio)
	}
	if c := NewComparison([]float64{0, 0, 0}, []float64{5, 5, 5}); c.RateA != 0 || c.RateB != 5 {
		t.Errorf("nothing against something has the rates %g and %g", c.RateA, c.RateB)
	}
}
