package tune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// exhaustive gives every candidate that many windows in turn, and returns the best and the time it took.
func exhaustive(t *testing.T, f *fake, list []Candidate, windows int) (best Candidate, took time.Duration) {
	began := f.now
	rates := make([][]float64, len(list))
	for range windows {
		for i, c := range list {
			s, err := f.Measure(t.Context(), c, DefaultWindow)
			if err != nil {
				t.Fatal(err)
			}
			rates[i] = append(rates[i], s.Rate())
		}
	}
	at := 0
	for i := range rates {
		if Median(rates[i]) > Median(rates[at]) {
			at = i
		}
	}
	return list[at], f.now.Sub(began)
}

// TestSearchIsAsGoodAsTheGridInAQuarterOfItsTime: within 5 % of the best candidate that the exhaustive
// grid finds, for peaks everywhere, with noise and drift.
func TestSearchIsAsGoodAsTheGridInAQuarterOfItsTime(t *testing.T) {
	worse := 0
	const trials = 40
	for seed := range uint64(trials) {
		peak := []float64{float64(seed % 3), float64(seed % 4), 10 + float64(seed%9)}
		f := newFake(seed, peak...)
		byGrid, took := exhaustive(t, f, grid(), 16)
		r, err := Search(t.Context(), f, Config{Candidates: grid(), Default: 11, Budget: took / 4, Seed: seed, Now: func() time.Time { return f.now }})
		if err != nil {
			t.Fatal(err)
		}
		if r.Spent > took/4 {
			t.Errorf("seed %d: took %v of %v", seed, r.Spent, took)
		}
		if f.flawless(r.Best) < 0.95*f.flawless(byGrid) {
			worse++
			t.Logf("seed %d: %s instead of %s: %.3f of its rate", seed, r.Best, byGrid, f.flawless(r.Best)/f.flawless(byGrid))
		}
	}
	if worse > trials/20 {
		t.Errorf("%d of %d searches ended more than 5 %% below the grid", worse, trials)
	}
}

func TestSearchReplacesTheDefaultByWhatIsFaster(t *testing.T) {
	for seed := range uint64(20) {
		f := newFake(seed)
		f.best = []float64{math.Log2(2.9)} // 3 is best, by a hair
		list := []Candidate{workers(1), workers(2), workers(3), workers(4)}
		r, err := Search(t.Context(), f, Config{Candidates: list, Default: 3, Budget: 2 * time.Second, Seed: seed, Now: func() time.Time { return f.now }})
		if err != nil {
			t.Fatal(err)
		}
		beaten := r.Comparison != nil && r.Comparison.Ratio > 1 && r.Comparison.Low >= 0.95
		if want := r.Rows[0].Candidate; beaten && cmp.Diff(want, r.Best) != "" || !beaten && cmp.Diff(list[3], r.Best) != "" {
			t.Errorf("seed %d: best %s, comparison %+v", seed, r.Best, r.Comparison)
		}
	}
}

func TestSearchReportsWhatItDid(t *testing.T) {
	f := newFake(1, 1, 3, 10)
	var seen []Progress
	r, err := Search(t.Context(), f, Config{
		Candidates: grid(), Budget: 10 * time.Second, Now: func() time.Time { return f.now }, Progress: func(p Progress) { seen = append(seen, p) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 48 {
		t.Fatalf("%d rows", len(r.Rows))
	}
	windows, left := 0, map[int]int{}
	for i, row := range r.Rows {
		windows += row.Windows
		left[row.Rounds]++
		if row.Windows == 0 || row.Low > row.Rate || row.High < row.Rate {
			t.Errorf("row %d: %+v", i, row)
		}
		if i > 0 && row.Rounds > r.Rows[i-1].Rounds {
			t.Errorf("row %d took part in more rounds than the one before", i)
		}
	}
	if want := map[int]int{1: 36, 2: 9, 3: 3}; !cmp.Equal(left, want) {
		t.Errorf("candidates by the rounds that they took part in: %v, want %v", left, want)
	}
	last := seen[len(seen)-1]
	if last.Rounds != 4 || last.Round != 4 || last.Best == nil || last.Rate == 0 || seen[0].Round != 1 || seen[0].Left != 48 {
		t.Errorf("progress begins with %+v and ends with %+v", seen[0], last)
	}
	if r.Comparison != nil {
		windows += 2 * r.Comparison.Pairs
	}
	if windows != r.Windows {
		t.Errorf("%d windows, %d in the rows and the comparison", r.Windows, windows)
	}
}

func TestSearchThatCannotGoOn(t *testing.T) {
	f := newFake(1, 1, 3, 10)
	now := func() time.Time { return f.now }
	_, err := Search(t.Context(), f, Config{Candidates: grid(), Budget: 10 * DefaultWindow, Now: now})
	if _, tried, _ := tooShort(t, err); tried >= 48 || tried < 5 {
		t.Errorf("too short a budget: %v", err)
	}
	f.fail = errLost
	if _, err := Search(t.Context(), f, Config{Candidates: grid(), Budget: time.Second, Now: now}); !errors.Is(err, errLost) {
		t.Errorf("lost device: %v", err)
	}
	f.fail = nil
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Search(ctx, f, Config{Candidates: grid(), Budget: time.Second, Now: now}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestOneCandidate(t *testing.T) {
	f := newFake(1, 1)
	r, err := Search(t.Context(), f, Config{Candidates: []Candidate{workers(2)}, Budget: time.Second, Now: func() time.Time { return f.now }})
	if err != nil || r.Comparison != nil || r.Best.String() != "workers=2" {
		t.Fatalf("%+v, %v", r, err)
	}
}

// tooShort reads the error about a budget as its reader does.
func tooShort(t *testing.T, err error) (spent time.Duration, tried int, needs time.Duration) {
	t.Helper()
	var spentText, needsText string
	var of int
	if !errors.Is(err, ErrBudget) {
		t.Fatalf("%v, want ErrBudget", err)
	}
	_, err = fmt.Sscanf(err.Error(), "in %s only %d of %d candidates could be tried once. Fix: give a budget of %s or more", &spentText, &tried, &of, &needsText)
	if err != nil {
		t.Fatal(err)
	}
	spent, err = time.ParseDuration(spentText)
	if err == nil {
		needs, err = time.ParseDuration(needsText)
	}
	if err != nil {
		t.Fatal(err)
	}
	return spent, tried, needs
}

// TestTheAdvisedBudgetIsEnough: the budget that was advised grew each time that it was followed.
func TestTheAdvisedBudgetIsEnough(t *testing.T) {
	f := newFake(1, 1, 3, 10)
	c := Config{Candidates: grid(), Budget: 10 * DefaultWindow, Now: func() time.Time { return f.now }}
	_, err := Search(t.Context(), f, c)
	_, _, c.Budget = tooShort(t, err)
	c.Late = func(needs time.Duration) { t.Errorf("%v are advised, %v are needed", c.Budget, needs) }
	r, err := Search(t.Context(), f, c)
	if err != nil {
		t.Fatalf("the budget that was advised, %v: %v", c.Budget, err)
	}
	if r.Spent > c.Budget {
		t.Errorf("%v of the %v that were advised", r.Spent, c.Budget)
	}
}

// TestASearchThatTakesLongerThanItsBudgetSaysSo: once, before it does.
func TestASearchThatTakesLongerThanItsBudgetSaysSo(t *testing.T) {
	f := newFake(1, 1, 3, 10)
	const budget = 60 * DefaultWindow
	var told []time.Duration
	began := f.now
	r, err := Search(t.Context(), f, Config{Candidates: grid(), Budget: budget, Now: func() time.Time { return f.now }, Late: func(needs time.Duration) {
		told = append(told, needs)
		if spent := f.now.Sub(began); spent > budget {
			t.Errorf("told after %v", spent)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Spent <= budget || len(told) != 1 || told[0] < r.Spent || told[0] > r.Spent*5/4 {
		t.Errorf("it took %v and told %v", r.Spent, told)
	}
}

// TestAHopelessSearchEndsEarly: half of a budget that is far too short is enough to know that.
func TestAHopelessSearchEndsEarly(t *testing.T) {
	f := newFake(1, 1, 3, 10)
	const budget = 20 * DefaultWindow
	began := f.now
	_, err := Search(t.Context(), f, Config{Candidates: grid(), Budget: budget, Now: func() time.Time { return f.now }})
	if spent, _, needs := tooShort(t, err); spent != f.now.Sub(began).Round(time.Millisecond) || spent > budget*6/10 || needs < 2*budget {
		t.Error(err)
	}
}
