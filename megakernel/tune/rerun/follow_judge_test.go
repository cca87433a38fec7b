//go:build egl

package rerun

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/recommend"
	"vyretop/megakernel/tune"
)

// shapes are the grid: all lanes, and halves of them down to an eighth, of each of these numbers of workers.
func (f *follower) shapes() (list []megakernel.Shape) {
	for _, w := range f.workers() {
		for l := max(f.report.Lanes/8, 1); l <= f.report.Lanes; l *= 2 {
			list = append(list, megakernel.Shape{Workers: min(w, megakernel.MaxWorkers), Lanes: l})
		}
	}
	return distinct(list)
}

// workers are up to 32 times those that the host's processors run at once, or from an eighth to sixteen of each compute
// unit of a GPU.
func (f *follower) workers() (list []int) {
	if units := f.report.Facts.ComputeUnits; recommend.KindOf(&f.report.Facts) == recommend.GPU && units > 0 {
		for w := max(units/8, 1); w <= 16*units; w *= 2 {
			list = append(list, w)
		}
		return list
	}
	atOnce := max(f.report.Facts.AtOnce, 1)
	return []int{1, atOnce, 2 * atOnce, 4 * atOnce, 8 * atOnce, 32 * atOnce}
}

// judge measures the grid, and then its best together with all starts and ends.
func (f *follower) judge(ctx context.Context) {
	grid := f.shapes()
	left := *followTime - time.Since(f.began)
	rates, n := f.rounds(ctx, grid, left/2)
	f.report.Rounds = n
	for i, s := range grid {
		f.report.Grid = append(f.report.Grid, FollowedPoint{Shape: s, Rate: tune.Median(rates[i])})
	}
	finals := f.best()
	for _, r := range f.report.Rows {
		finals = append(finals, r.Start, r.End)
	}
	finals = distinct(finals)
	rates, f.report.Finals = f.rounds(ctx, finals, *followTime-time.Since(f.began))
	of := func(s megakernel.Shape) []float64 { return rates[slices.Index(finals, s)] }
	f.report.Best = slices.MaxFunc(finals, func(x, y megakernel.Shape) int { return cmp.Compare(tune.Median(of(x)), tune.Median(of(y))) })
	for i := range f.report.Rows {
		r := &f.report.Rows[i]
		r.OfStart, r.OfBest = ratio(of(r.Start), of(r.End)), ratio(of(f.report.Best), of(r.End))
	}
	f.report.Seconds = time.Since(f.began).Seconds()
}

func ratio(a, b []float64) Ratio {
	c := tune.NewComparison(a, b)
	return Ratio{Ratio: c.Ratio, Low: c.Low, High: c.High}
}

// best are the shapes of the grid with the highest medians.
func (f *follower) best() (list []megakernel.Shape) {
	points := slices.SortedFunc(slices.Values(f.report.Grid), func(x, y FollowedPoint) int { return cmp.Compare(y.Rate, x.Rate) })
	for _, p := range points[:min(followFinals, len(points))] {
		list = append(list, p.Shape)
	}
	return list
}

// rounds gives every shape a window in each round, in turns of another order each, for so long; at least one round.
func (f *follower) rounds(ctx context.Context, list []megakernel.Shape, d time.Duration) (rates [][]float64, n int) {
	rates = make([][]float64, len(list))
	for began := time.Now(); n == 0 || n < mostRounds && time.Since(began) < d; n++ {
		for _, i := range f.order.Perm(len(list)) {
			s, err := f.live.Measure(ctx, candidate(list[i]), followWindow)
			if err != nil {
				f.b.Fatal(err)
			}
			rates[i] = append(rates[i], s.Rate())
		}
	}
	return rates, n
}

func distinct(list []megakernel.Shape) (out []megakernel.Shape) {
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// write keeps the report in a file and logs what became of each start.
func (f *follower) write() {
	for _, r := range f.report.Rows {
		f.b.Logf("%s: %v: %s; %s; %.2f of the start, %.2f (%.2f to %.2f) of the best, %v", f.report.Workload, r.Start, r.Why, r.Trial, r.OfStart.Ratio, r.OfBest.Ratio, r.OfBest.Low, r.OfBest.High, f.report.Best)
	}
	if *followOut == "" {
		return
	}
	text, err := json.MarshalIndent(&f.report, "", "\t")
	if err == nil {
		err = os.WriteFile(filepath.Join(*followOut, f.report.Device+"-"+f.report.Workload+".json"), append(text, '\n'), 0o644)
	}
	if err != nil {
		f.b.Fatal(err)
	}
}
