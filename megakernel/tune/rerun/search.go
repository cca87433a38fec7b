package rerun

import (
	"context"
	"errors"
	"time"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/megakernel/tune"
)

// SearchConfig says what is searched, and how long.
type SearchConfig struct {
	Config // Patience follows from Budget

	Name     string        // of the workload
	Budget   time.Duration // of the search, once the kernel is compiled
	Window   time.Duration // how long a candidate runs at once, at least
	Seed     uint64        // of the order of the candidates
	Progress func(tune.Progress)
	Late     func(needs time.Duration) // the search takes that long, which is more than Budget
}

// Found is what a search has found, and where.
type Found struct {
	Workload string
	Identity engine.Identity
	Budget   time.Duration
	Start    *Start
	Result   *tune.Result
	Relation *Relation
	Kept     string // file of the shape; "" where it was not kept
}

// leastPatience is how long a workload may take to its first progress, however short the budget is.
const leastPatience = time.Second

// Search measures the candidates that suit the device. Errors are those of runs and of tune.Search.
func Search(ctx context.Context, c SearchConfig) (found *Found, err error) {
	c.Patience = max(c.Budget, leastPatience)
	target := NewLive(c.Config)
	defer func() { err = errors.Join(err, target.Close()) }()
	start, err := target.Begin(ctx, c.Budget/8)
	if err != nil {
		return nil, err
	}
	limits := LimitsOf(c.Backend.Profile(), start)
	list, first := Space(start, limits)
	result, err := tune.Search(ctx, target, tune.Config{
		Candidates: list, Default: first, Budget: c.Budget, Window: c.Window, Seed: c.Seed, Progress: c.Progress, Began: start.Began, Late: c.Late,
	})
	if err != nil {
		return nil, err
	}
	return &Found{Workload: c.Name, Identity: c.Backend.Identity(), Budget: c.Budget, Start: start, Result: result, Relation: Relate(start, limits, result.Best)}, nil
}

// Undecided is the error about a search whose comparison with the default cannot tell which is faster, else nil. A shape that
// replaces the default although it is not certain to be faster is decided for.
func (f *Found) Undecided() error {
	c := f.Result.Comparison
	if c == nil || c.Replaces() {
		return nil
	}
	if v := (*fault.Error)(nil); errors.As(c.Vague(), &v) {
		longer := *v
		longer.Fix = "give a larger --budget or --window, while the machine is idle"
		return &longer
	}
	return c.Err()
}

// Entry is what is kept of a search; version is that of the program.
func (f *Found) Entry(version string) tune.Entry {
	s := f.Start.Settings
	for _, x := range f.Result.Best {
		_ = s.Set(x) // it was in force
	}
	e := tune.Entry{
		Key:     tune.KeyOf(f.Identity, f.Workload, f.Start.WorkgroupSize),
		Workers: s.Workers, Lanes: s.Lanes, Slice: s.Slice, Ratio: 1, Low: 1, High: 1, Found: time.Now().UTC().Truncate(time.Second), Version: version,
	}
	if s.Workgroup != f.Start.WorkgroupSize {
		e.Workgroup = s.Workgroup
	}
	if c := f.Result.Comparison; c != nil && c.Replaces() {
		e.Ratio, e.Low, e.High = c.Ratio, c.Low, c.High
	}
	return e
}
