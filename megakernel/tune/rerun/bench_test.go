//go:build egl

package rerun

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"vyretop/megakernel/tune"
)

// gridWindows is how many windows each candidate of the exhaustive grid has: enough that a quarter of its time is
// about the command's default budget. checkPairs is how many pairs decide between its best and what tune found.
const (
	gridWindows = 100
	checkPairs  = 151
)

// BenchmarkTuneAgainstGrid searches the shapes of three workloads twice: exhaustively, and as `vyretop tune`
// does in a quarter of that time. Reported are both times, and the rate of the shape that tune found over that
// of the grid's best, measured in pairs of windows, with the bounds of its interval.
func BenchmarkTuneAgainstGrid(b *testing.B) {
	for _, w := range []struct {
		name  string
		flags map[string]string
	}{
		{"scan", map[string]string{"path": "/usr/local/go/src"}},
		{"bfs", map[string]string{"generate": "kronecker:16"}},
		{"render", nil},
	} {
		b.Run(w.name, func(b *testing.B) {
			for range b.N {
				againstGrid(b, w.name, w.flags)
			}
		})
	}
}

func againstGrid(b *testing.B, name string, flags map[string]string) {
	ctx := b.Context()
	live := open(b, openBackend(b, "gl"), name, flags)
	start, err := live.Begin(ctx, 10*time.Second)
	if err != nil {
		b.Fatal(err)
	}
	list, first := Space(start, LimitsOf(live.config.Backend.Profile(), start))
	began := time.Now()
	byGrid := grid(ctx, b, live, list)
	took := time.Since(began)
	r, err := tune.Search(ctx, live, tune.Config{Candidates: list, Default: first, Budget: took / 4, Window: window})
	if err != nil {
		b.Fatal(err)
	}
	c, err := tune.Compare(ctx, live, byGrid, r.Best, checkPairs, window)
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("grid: %s, tune: %s", byGrid, r.Best)
	for metric, v := range map[string]float64{
		"grid-s": took.Seconds(), "tune-s": r.Spent.Seconds(), "ratio": c.Ratio, "ratio-low": c.Low, "ratio-high": c.High, "ns/op": 0,
	} {
		b.ReportMetric(v, metric)
	}
}

const window = tune.DefaultWindow

// grid gives every candidate as many windows as any other, in turns of another order each, and returns the one with
// the highest median.
func grid(ctx context.Context, b *testing.B, t tune.Target, list []tune.Candidate) tune.Candidate {
	rates := make([][]float64, len(list))
	order := rand.New(rand.NewPCG(1, 2))
	for range gridWindows {
		for _, i := range order.Perm(len(list)) {
			s, err := t.Measure(ctx, list[i], window)
			if err != nil {
				b.Fatal(err)
			}
			rates[i] = append(rates[i], s.Rate())
		}
	}
	best, most := 0, 0.0
	for i := range list {
		if m := tune.Median(rates[i]); m > most {
			best, most = i, m
		}
	}
	return list[best]
}
