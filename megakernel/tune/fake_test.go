package tune

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"time"

	"vyretop/megakernel"
)

// fake is a target with a known best candidate: its rate has one peak over the logarithms of the settings,
// drifts as a machine does that others use, and is measured with noise. Its clock is what it was measured
// for.
type fake struct {
	best  []float64 // logarithms, by setting of the candidates
	noise float64   // standard deviation of a window's logarithm of the rate
	drift float64   // amplitude of a slow change of all rates
	rng   *rand.Rand
	now   time.Time
	fail  error
}

// flawless is the rate without noise and drift.
func (f *fake) flawless(c Candidate) float64 {
	far := 0.0
	for i, s := range c {
		d := math.Log2(float64(s.Value)) - f.best[i]
		far += d * d
	}
	return 1e6 / (1 + 0.15*far)
}

// Measure implements Target.
func (f *fake) Measure(ctx context.Context, c Candidate, atLeast time.Duration) (Sample, error) {
	if f.fail != nil {
		return Sample{}, f.fail
	}
	if err := ctx.Err(); err != nil {
		return Sample{}, err
	}
	f.now = f.now.Add(atLeast + time.Millisecond) // a little to bring the settings into force
	slow := 1 + f.drift*math.Sin(float64(f.now.UnixMilli())/700)
	rate := f.flawless(c) * slow * math.Exp(f.noise*f.rng.NormFloat64())
	return Sample{Work: rate * atLeast.Seconds(), Time: atLeast}, nil
}

func newFake(seed uint64, best ...float64) *fake {
	return &fake{best: best, noise: 0.1, drift: 0.2, rng: rand.New(rand.NewPCG(seed, 7)), now: time.Unix(0, 0)}
}

// grid is 48 candidates.
func grid() []Candidate {
	return Candidates([]int{1, 2, 3, 4}, []int{1, 2, 4, 8}, []time.Duration{time.Millisecond, 8 * time.Millisecond, 250 * time.Millisecond})
}

var errLost = errors.New("device lost")

func workers(n int64) Candidate { return Candidate{{ID: megakernel.WorkersSetting, Value: n}} }
