//go:build egl

package rerun

import (
	"context"
	"errors"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/recommend"
	"vyretop/megakernel/tune"
)

// starts are five bad shapes and the default one.
func (f *follower) starts(normal megakernel.Shape) []megakernel.Shape {
	atOnce, lanes := max(f.report.Facts.AtOnce, 1), f.report.Lanes
	shape := func(w, l int) megakernel.Shape {
		return megakernel.Shape{Workers: min(max(w, 1), megakernel.MaxWorkers), Lanes: max(l, 1)}
	}
	return []megakernel.Shape{
		shape(1, 1), shape(max(atOnce, 2), 1), shape(1, lanes/4), shape(1, lanes), shape(32*atOnce, lanes), normal,
	}
}

// once runs a new target in a shape for a while, and keeps what is recommended then if it is measured to be faster.
func (f *follower) once(ctx context.Context, start megakernel.Shape) FollowedRow {
	if err := f.live.Close(); err != nil { // a new run remembers no rates of other shapes
		f.b.Fatal(err)
	}
	row := FollowedRow{Start: start, End: start}
	a := f.advice(ctx, start)
	row.Why = a.Reason
	if !a.Worthwhile(start) {
		return row
	}
	row.Advised, row.Gain = a.Shape, a.Gain
	t, err := tune.Measure(ctx, f.live, start, a.Shapes()...)
	if err != nil && !errors.Is(err, tune.ErrCannotTell) {
		f.b.Fatal(err)
	}
	t.Expected = a.Gain
	row.Trial = t.String()
	if t.Kept {
		row.End = t.To
	}
	return row
}

// advice waits for a recommendation that is worth following while the target runs in a shape. Runs may end in less
// than a window, so the recommendation is read several times within one.
func (f *follower) advice(ctx context.Context, start megakernel.Shape) (a recommend.Advice) {
	for began := time.Now(); time.Since(began) < adviceWait; {
		if err := f.live.prepare(ctx, candidate(start), false); err != nil {
			f.b.Fatal(err)
		}
		if _, err := f.live.watch(ctx, followWindow/6); err != nil {
			f.b.Fatal(err)
		}
		if f.live.run == nil {
			continue
		}
		if a = f.live.run.Hub().Advise(); a.Worthwhile(start) {
			break
		}
	}
	return a
}
