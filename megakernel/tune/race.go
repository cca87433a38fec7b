package tune

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"vyretop/engine/units"
	"vyretop/megakernel"
)

// race measures shapes against the one in force, from: in each round all that are left have one window, in turns of
// another order each.
type race struct {
	target Target
	from   runner
	others []runner
	unit   string
	order  *rand.Rand
	round  int
}

// runner is a shape and its rates, one for each round.
type runner struct {
	shape megakernel.Shape
	rates []float64
}

func newRace(t Target, from megakernel.Shape, list []megakernel.Shape) *race {
	r := &race{target: t, from: runner{shape: from}, order: rand.New(rand.NewPCG(1, 2))}
	for _, s := range list {
		r.others = append(r.others, runner{shape: s})
	}
	return r
}

// next measures another round.
func (r *race) next(ctx context.Context) error {
	list := []*runner{&r.from}
	for i := range r.others {
		list = append(list, &r.others[i])
	}
	r.order.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	for _, x := range list {
		s, err := r.target.Measure(ctx, shapeOf(x.shape), trialWindow)
		if err != nil {
			return err
		}
		x.rates = append(x.rates, s.Rate())
		r.unit = s.Unit
	}
	r.round++
	return nil
}

// leader is the fastest of the others, compared with from.
func (r *race) leader() (lead *runner, c *Comparison) {
	for i := range r.others {
		x := NewComparison(r.from.rates, r.others[i].rates)
		if c == nil || x.Ratio > c.Ratio {
			lead, c = &r.others[i], x
		}
	}
	return lead, c
}

// drop leaves out the shapes that are slower than the leader beyond doubt, and returns what they did.
func (r *race) drop() (out []Tried) {
	lead, _ := r.leader()
	r.others = slices.DeleteFunc(slices.Clone(r.others), func(x runner) bool {
		slower := NewComparison(lead.rates, x.rates).Verdict() == BSlower
		if slower {
			out = append(out, r.tried(&x))
		}
		return slower
	})
	return out
}

func (r *race) tried(x *runner) Tried {
	return Tried{Shape: x.shape, Ratio: units.Digits(NewComparison(r.from.rates, x.rates).Ratio)}
}

// run measures until there is no doubt which shape is the fastest, or for as many rounds as a trial may have. The two
// fastest have more rounds than the others: the difference between them decides.
func (r *race) run(ctx context.Context) (dropped []Tried, err error) {
	for began := time.Now(); ; {
		if err := r.next(ctx); err != nil {
			return dropped, err
		}
		if r.round < MinPairs {
			continue
		}
		dropped = append(dropped, r.drop()...)
		late := time.Since(began) > trialTime
		if r.round >= trialPairs {
			dropped = append(dropped, r.dropAllBut(2)...)
		}
		_, c := r.leader()
		decided := c.Low > 1 || c.High < 1
		if c.Err() != nil {
			decided = r.round >= trialPairs
		}
		if late || r.round >= finalPairs || decided && len(r.others) == 1 {
			return dropped, nil
		}
	}
}

// dropAllBut leaves out all but the n fastest, and returns what they did.
func (r *race) dropAllBut(n int) (out []Tried) {
	if len(r.others) <= n {
		return nil
	}
	slices.SortStableFunc(r.others, func(x, y runner) int { return cmp.Compare(r.tried(&y).Ratio, r.tried(&x).Ratio) })
	for i := range r.others[n:] {
		out = append(out, r.tried(&r.others[n+i]))
	}
	r.others = r.others[:n]
	return out
}

// choice is the shape to keep: the fastest, but the recommended one where the windows cannot tell it from the fastest, unless only the
// fastest is faster than the one in force.
func (r *race) choice(recommended megakernel.Shape) (*runner, *Comparison) {
	lead, c := r.leader()
	for i := range r.others {
		x := &r.others[i]
		if x.shape != recommended || NewComparison(x.rates, lead.rates).Verdict() == BFaster {
			continue
		}
		if gain := NewComparison(r.from.rates, x.rates); gain.LikelyFaster() || !c.LikelyFaster() {
			return x, gain
		}
	}
	return lead, c
}
