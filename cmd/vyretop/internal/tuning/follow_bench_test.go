//go:build egl

package tuning

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"vyretop/gl"
	"vyretop/megakernel"
	"vyretop/megakernel/tune"
	"vyretop/megakernel/workload"
	"vyretop/megakernel/workload/catalog"
)

// The windows of BenchmarkFollowAdvice: of each shape of its grid, and of each comparison in pairs.
const (
	followGrid   = 8
	followPairs  = 10
	followWindow = 60 * time.Millisecond
)

// BenchmarkFollowAdvice starts each workload from five bad shapes and the default one, follows the recommendation once as
// `apply` does, and compares the shape that is in force then with where it started and with the best of all shapes. It
// logs a table in Markdown.
func BenchmarkFollowAdvice(b *testing.B) {
	for _, w := range []struct {
		name  string
		flags map[string]string
	}{
		{"scan", map[string]string{"path": "/usr/local/go/src"}},
		{"bfs", map[string]string{"generate": "kronecker:16"}},
		{"grep", map[string]string{"path": "/usr/local/go/src", "pattern": "func [a-z]+"}},
		{"render", nil},
		{"collatz", nil},
	} {
		b.Run(w.name, func(b *testing.B) {
			for range b.N {
				followAdvice(b, w.name, w.flags)
			}
		})
	}
}

func openFollow(b *testing.B, name string, flags map[string]string) *Live {
	backend, err := gl.Open(b.Context(), gl.Options{Device: gl.AutoDevice})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { backend.Close() })
	d, err := catalog.Open(name)
	if err != nil {
		b.Fatal(err)
	}
	live := NewLive(Config{Backend: backend, New: func() (workload.Workload, error) { return d.New(flags) }})
	b.Cleanup(func() { live.Close() })
	return live
}

func shapeOf(workers, lanes int) tune.Candidate {
	return tune.Candidate{{Knob: megakernel.KnobWorkers, Value: int64(workers)}, {Knob: megakernel.KnobLanes, Value: int64(lanes)}}
}

func followAdvice(b *testing.B, name string, flags map[string]string) {
	ctx := b.Context()
	live := openFollow(b, name, flags)
	s, err := live.Begin(ctx, time.Second)
	if err != nil {
		b.Fatal(err)
	}
	atOnce := LimitsOf(live.config.Backend.Profile(), s).AtOnce.Or(1)
	best := followBest(ctx, b, live, followShapes(atOnce, s.WorkgroupSize))
	for _, start := range []tune.Candidate{
		shapeOf(1, 1), shapeOf(atOnce, 1), shapeOf(1, max(s.WorkgroupSize/4, 1)), shapeOf(1, s.WorkgroupSize), shapeOf(min(32*atOnce, megakernel.MaxWorkers), s.WorkgroupSize),
		shapeOf(s.Settings.Workers, s.Settings.Lanes),
	} {
		end := followOnce(ctx, b, live, start)
		toStart, err := tune.Compare(ctx, live, start, end, followPairs, followWindow)
		if err != nil {
			b.Fatal(err)
		}
		toBest, err := tune.Compare(ctx, live, best, end, followPairs, followWindow)
		if err != nil {
			b.Fatal(err)
		}
		b.Logf("| %s | %s | %s | %.2f | %s | %.2f (%.2f to %.2f) |", name, start, end, toStart.Ratio, best, toBest.Ratio, toBest.Low, toBest.High)
	}
}

// followShapes are workers by powers of two up to four times those that run at once, and lanes up to the kernel's.
func followShapes(atOnce, lanes int) (list []tune.Candidate) {
	for w := max(atOnce/4, 1); w <= min(4*atOnce, megakernel.MaxWorkers); w *= 2 {
		for l := max(lanes/8, 1); l <= lanes; l *= 2 {
			list = append(list, shapeOf(w, l))
		}
	}
	return list
}

func followBest(ctx context.Context, b *testing.B, live *Live, list []tune.Candidate) tune.Candidate {
	rates := make([][]float64, len(list))
	order := rand.New(rand.NewPCG(1, 2))
	for range followGrid {
		for _, i := range order.Perm(len(list)) {
			sample, err := live.Measure(ctx, list[i], followWindow)
			if err != nil {
				b.Fatal(err)
			}
			rates[i] = append(rates[i], sample.Rate())
		}
	}
	best := 0
	for i := range list {
		if tune.Median(rates[i]) > tune.Median(rates[best]) {
			best = i
		}
	}
	return list[best]
}

// followOnce runs a new target in a shape for a while, and keeps what is recommended then if it is measured to be faster.
func followOnce(ctx context.Context, b *testing.B, live *Live, start tune.Candidate) tune.Candidate {
	if err := live.Close(); err != nil { // a new run remembers no rates of other shapes
		b.Fatal(err)
	}
	advised := start
	for began := time.Now(); time.Since(began) < time.Second; {
		if _, err := live.Measure(ctx, start, followWindow); err != nil {
			b.Fatal(err)
		}
		if live.run == nil {
			continue
		}
		in := live.run.Hub().Settings()
		if a := live.run.Hub().Advise(); a.Worthwhile(megakernel.Shape{Workers: in.Workers, Lanes: in.Lanes}) {
			advised = shapeOf(a.Shape.Workers, a.Shape.Lanes)
			break
		}
	}
	if fmt.Sprint(advised) == fmt.Sprint(start) {
		return start
	}
	c, err := tune.Compare(ctx, live, start, advised, followPairs, followWindow)
	if err != nil {
		b.Fatal(err)
	}
	if c.Err() != nil || c.Ratio <= 1 {
		return start
	}
	return advised
}
