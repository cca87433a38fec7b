package tune

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"vyretop/engine/fault"
)

// Config says what to search, and how long.
type Config struct {
	Candidates []Candidate
	Default    int           // index of the candidate that the others must beat
	Budget     time.Duration // in all; the windows under way at its end are finished
	Window     time.Duration // shortest window; 0: DefaultWindow
	Seed       uint64        // of the order of the windows
	Progress   func(Progress)
	Now        func() time.Time // the clock of the budget; nil: time.Now
	Began      time.Time        // of the budget; the zero value: when Search is called
	// Late is told once how long the search takes, by the first window of each candidate, where that is more than the
	// budget; nil for nothing.
	Late func(time.Duration)
}

// DefaultWindow is long against a slice and a look at the clock.
const DefaultWindow = 20 * time.Millisecond

// Progress says how far a search is.
type Progress struct {
	Spent, Budget time.Duration
	Round, Rounds int // from 1; the last is the comparison with the default
	Left          int // candidates
	Trying        Candidate
	Best          Candidate // so far; nil before the first window
	Rate          float64   // its
}

// Row is what is known of a candidate.
type Row struct {
	Candidate Candidate
	Rate      float64 // median of its windows; 0 where there are none
	Low, High float64 // interval for it
	Windows   int
	Rounds    int // that it took part in
}

// Result of a search.
type Result struct {
	Best       Candidate
	Comparison *Comparison // of the default with the fastest; nil where they are the same
	Rows       []Row       // the fastest first: those of later rounds before those of earlier ones
	Windows    int
	Spent      time.Duration
}

// ErrBudget is matched by the error about a search that had no time to try every candidate.
const ErrBudget fault.Kind = "the budget is too short"

// quarter is which part of the candidates stays after a round.
const quarter = 4

// Search finds the fastest candidate. Its errors are those of the target and of ctx, and ErrBudget.
func Search(ctx context.Context, t Target, c Config) (*Result, error) {
	s := &search{target: t, c: c, rng: rand.New(rand.NewPCG(c.Seed, 1)), rates: make([][]float64, len(c.Candidates)), rounds: make([]int, len(c.Candidates))}
	if s.c.Now == nil {
		s.c.Now = time.Now
	}
	if s.c.Window == 0 {
		s.c.Window = DefaultWindow
	}
	s.began = s.c.Began
	if s.began.IsZero() {
		s.began = s.c.Now()
	}
	s.before = s.spent()
	s.plan()
	left := s.all()
	for s.round = 1; s.round < s.of; s.round++ {
		s.left = len(left)
		if err := s.measure(ctx, left); err != nil {
			return nil, err
		}
		s.order(left)
		left = left[:max(1, (len(left)+quarter-1)/quarter)]
	}
	return s.finish(ctx, left[0])
}

// search is a search under way.
type search struct {
	target Target
	c      Config
	rng    *rand.Rand
	rates  [][]float64 // by candidate
	rounds []int       // that each took part in
	round  int
	of     int // rounds, the comparison included
	left   int // candidates
	began  time.Time
	before time.Duration // spent when the search began
}

// plan works out the number of rounds: until one candidate is left, and the comparison.
func (s *search) plan() {
	s.of = 2
	for n := (len(s.c.Candidates) + quarter - 1) / quarter; n > 1; n = (n + quarter - 1) / quarter {
		s.of++
	}
}

func (s *search) all() []int {
	left := make([]int, len(s.c.Candidates))
	for i := range left {
		left[i] = i
	}
	return left
}

func (s *search) spent() time.Duration { return s.c.Now().Sub(s.began) }

// end is when the present round must end: the rounds share one half of the budget equally. The other one is for the
// comparison, which decides alone whether the default is replaced.
func (s *search) end() time.Duration {
	return s.c.Budget / 2 * time.Duration(s.round) / time.Duration(s.of-1)
}

// measure gives all that are left turns until the round's time is over, and at least one each; in the
// first round, where that can take longest, only while there is any time at all.
func (s *search) measure(ctx context.Context, left []int) error {
	for _, i := range left {
		s.rounds[i]++
	}
	for pass := 0; pass == 0 || s.spent() < s.end(); pass++ {
		s.rng.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
		for n, i := range left {
			if pass == 0 && s.round == 1 && s.hopeless(n) {
				return s.tooShort(n, len(left))
			}
			if pass > 0 && s.spent() >= s.end() {
				return nil
			}
			if err := s.window(ctx, i); err != nil {
				return err
			}
		}
		if needs := s.needs(len(left)); pass == 0 && s.round == 1 && s.c.Late != nil && needs > s.c.Budget {
			s.c.Late(needs)
		}
	}
	return nil
}

// hopeless reports whether the budget is over before every candidate had a window, or so short that the search would take
// more than twice as long.
func (s *search) hopeless(tried int) bool {
	return s.spent() > s.c.Budget || tried > 0 && s.spent() > s.c.Budget/2 && s.needs(tried) > 2*s.c.Budget
}

// needs is how long the search takes, by its first windows: one for each candidate in each round, and the pairs that can
// show a difference.
func (s *search) needs(tried int) time.Duration {
	each := max(s.before, s.c.Window) // nothing is known but how long the target took to start
	if tried > 0 {
		each = (s.spent() - s.before) / time.Duration(tried)
	}
	windows := 2 * MinPairs
	for round, n := 1, len(s.c.Candidates); round < s.of; round++ {
		windows += n
		n = (n + quarter - 1) / quarter
	}
	return s.before + each*time.Duration(windows)
}

// enough is a budget, in whole seconds, that also suffices if later windows take somewhat longer than the first ones.
func (s *search) enough(tried int) time.Duration {
	return (s.needs(tried)*5/4 + time.Second).Truncate(time.Second)
}

// tooShort says how many candidates had a window before the time was over, or was known not to be enough.
func (s *search) tooShort(tried, of int) error {
	detail := fmt.Sprintf("in %v only %d of %d candidates could be tried once", s.spent().Round(time.Millisecond), tried, of)
	return &fault.Error{Kind: ErrBudget, Detail: detail, Fix: fmt.Sprintf("give a budget of %v or more", s.enough(tried))}
}

// window measures one candidate once.
func (s *search) window(ctx context.Context, i int) error {
	s.report(i)
	sample, err := s.target.Measure(ctx, s.c.Candidates[i], s.c.Window)
	if err != nil {
		return err
	}
	s.rates[i] = append(s.rates[i], sample.Rate())
	return nil
}

func (s *search) report(trying int) {
	if s.c.Progress == nil {
		return
	}
	p := Progress{Spent: s.spent(), Budget: s.c.Budget, Round: s.round, Rounds: s.of, Left: s.left, Trying: s.c.Candidates[trying]}
	for i, rates := range s.rates {
		if s.rounds[i] >= min(s.round, s.of-1) && len(rates) > 0 && Median(rates) > p.Rate {
			p.Best, p.Rate = s.c.Candidates[i], Median(rates)
		}
	}
	s.c.Progress(p)
}

// order sorts candidates by rate, the fastest first; of equal ones the earlier first.
func (s *search) order(list []int) {
	slices.SortFunc(list, func(a, b int) int {
		return cmp.Or(cmp.Compare(s.rounds[b], s.rounds[a]), cmp.Compare(s.rate(b), s.rate(a)), cmp.Compare(a, b))
	})
}

func (s *search) rate(i int) float64 {
	if len(s.rates[i]) == 0 {
		return 0
	}
	return Median(s.rates[i])
}

// finish compares the fastest candidate with the default, in the time that is left.
func (s *search) finish(ctx context.Context, fastest int) (*Result, error) {
	r := &Result{Best: s.c.Candidates[s.c.Default]}
	if fastest != s.c.Default {
		s.left = 2
		s.report(fastest)
		a, b := s.c.Candidates[s.c.Default], s.c.Candidates[fastest]
		comparison, err := compareWhile(ctx, s.target, a, b, s.c.Window, s.anotherPair())
		if err != nil {
			return nil, err
		}
		if r.Comparison = comparison; comparison.Replaces() {
			r.Best = b
		}
	}
	order := s.all()
	s.order(order)
	for _, i := range order {
		row := Row{Candidate: s.c.Candidates[i], Rate: s.rate(i), Windows: len(s.rates[i]), Rounds: s.rounds[i]}
		if row.Windows > 0 {
			row.Low, row.High, _ = interval(s.rates[i])
		}
		r.Rows, r.Windows = append(r.Rows, row), r.Windows+row.Windows
	}
	if r.Comparison != nil {
		r.Windows += 2 * r.Comparison.Pairs
	}
	r.Spent = s.spent()
	return r, nil
}

// anotherPair says whether there is time for a pair of windows, going by those that were compared before it. There is for
// MinPairs.
func (s *search) anotherPair() func(done, empty int) bool {
	before := s.spent()
	return func(done, _ int) bool {
		each := (s.spent() - before) / time.Duration(done)
		return done < MinPairs || done < maxPairs && s.spent()+each <= s.c.Budget
	}
}

// maxPairs is where more pairs say little more.
const maxPairs = 501
