package replay

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"maps"
	"slices"
	"time"

	"vyretop/engine/reference"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/peer"
)

// Shrunk is a run with few tasks and lanes that ends differently with two seeds of the reference's scheduler.
type Shrunk struct {
	Tasks, Of      int // published tasks that are left, of those recorded
	Workers, Lanes int
	Seed, Other    uint64 // that end differently
	Runs           int    // that looking for it took

	plan *plan
}

// seedsTried is how many seeds a smaller run gets to end differently.
const seedsTried = 12

// shapes are tried in this order. One lane alone runs tasks in one order only.
var shapes = []shape{{workers: 2, lanes: 1}, {workers: 2, lanes: 2}, {workers: 4, lanes: 1}, {workers: 2, lanes: 8}, {workers: 4, lanes: 8}, {}}

// Shrink looks for the smallest part of a run that ends differently with two seeds of the reference's scheduler, from seed on, until the
// time is over. It is nil where no two of the seeds that were tried differ. Errors are those of Verify.
func Shrink(ctx context.Context, name string, rec *fixtures.Recording, seed uint64, most time.Duration) (*Shrunk, error) {
	p, err := newWholePlan(name, rec)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	s := &shrinker{plan: p, ctx: limited, seed: seed}
	if err := s.shrink(); err != nil && (limited.Err() == nil || ctx.Err() != nil) {
		return nil, err
	}
	return s.best, nil
}

// shrinker leaves out tasks while the run still ends differently.
type shrinker struct {
	plan *plan
	ctx  context.Context
	seed uint64
	runs int
	best *Shrunk
}

func (s *shrinker) shrink() error {
	for _, as := range shapes {
		if ok, err := s.differs(s.plan.inputs, as); err != nil {
			return err
		} else if ok {
			return s.fewerTasks(as)
		}
	}
	return nil
}

// fewerTasks leaves out ever smaller parts of what is published.
func (s *shrinker) fewerTasks(as shape) error {
	for part := (s.best.Tasks + 1) / 2; part >= 1; {
		fewer := false
		for at := 0; at < s.best.Tasks && s.best.Tasks > part; {
			ok, err := s.differs(without(s.best.plan.inputs, at, part), as)
			if err != nil {
				return err
			}
			if ok {
				fewer = true
			} else {
				at += part
			}
		}
		if part == 1 && !fewer {
			return nil
		}
		part = max(min(part/2, s.best.Tasks-1), min(part, 1))
	}
	return nil
}

// without leaves out n tasks from number at on.
func without(inputs []input, at, n int) (out []input) {
	for _, in := range inputs {
		if in.tasks == nil {
			out = append(out, in)
			continue
		}
		from, to := min(max(at, 0), len(in.tasks)), min(max(at+n, 0), len(in.tasks))
		at -= len(in.tasks)
		if kept := slices.Concat(in.tasks[:from], in.tasks[to:]); len(kept) > 0 {
			out = append(out, input{tasks: kept, at: in.at})
		}
	}
	return out
}

// differs executes a run with several seeds, and keeps it as the best if two end differently.
func (s *shrinker) differs(inputs []input, as shape) (bool, error) {
	p := *s.plan
	start := *p.header.Start
	start.Workers, start.Lanes = as.workers, as.lanes
	p.header.Start, p.inputs, p.tasks = &start, inputs, 0
	for _, in := range inputs {
		p.tasks += len(in.tasks)
	}
	var first [sha256.Size]byte
	for i := range uint64(seedsTried) {
		s.runs++
		end, err := p.fingerprint(s.ctx, s.seed+i)
		switch {
		case err != nil:
			return false, err
		case i == 0:
			first = end
		case end != first:
			s.best = &Shrunk{Tasks: p.tasks, Of: s.plan.tasks, Workers: as.workers, Lanes: as.lanes, Seed: s.seed, Other: s.seed + i, Runs: s.runs, plan: &p}
			return true, nil
		}
	}
	return false, nil
}

// fingerprint executes the run with a seed and tells two ends apart, as Verify does.
func (p *plan) fingerprint(ctx context.Context, seed uint64) (sum [sha256.Size]byte, err error) {
	err = p.ended(ctx, reference.Options{Seed: seed}, p.shape(), func(e end) error {
		h := sha256.New()
		if !p.header.Start.UnorderedSpawns {
			fmt.Fprintln(h, e.last.Counters[megakernel.CountDone], e.last.Counters[megakernel.CountFaulted])
		}
		if !p.header.Start.UnorderedResults {
			e.results.digest(h)
		}
		for i, b := range p.header.Start.Buffers {
			if !b.Unordered {
				h.Write(peer.Bytes(e.buffers[i]))
			}
		}
		h.Sum(sum[:0])
		return nil
	})
	return sum, err
}

func (r *results) digest(h hash.Hash) {
	for _, id := range slices.Sorted(maps.Keys(r.by)) {
		fmt.Fprintln(h, r.by[id])
	}
}

// end is how a run has ended.
type end struct {
	target  megakernel.Target
	last    *megakernel.Snapshot
	results *results
	buffers [][]uint32 // as header.Start.Buffers
}

// ended executes the run on the reference and hands over how it ended.
func (p *plan) ended(ctx context.Context, o reference.Options, as shape, use func(end) error) (err error) {
	b, err := reference.Open(o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	s, err := p.start(ctx, b, as)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	e := end{target: s.Target()}
	if e.results, err = p.execute(ctx, s); err != nil {
		return err
	}
	e.last = s.Snapshot()
	for _, buffer := range p.header.Start.Buffers {
		words := make([]uint32, buffer.Words)
		if err := s.ReadBuffer(ctx, buffer.Name, 0, words); err != nil {
			return err
		}
		e.buffers = append(e.buffers, words)
	}
	return use(e)
}

// Write executes the run with Seed and writes it as a recording, which must not exist, as fixtures.Create says. That ends differently
// with Other.
func (s *Shrunk) Write(ctx context.Context, file string) error {
	return s.plan.write(ctx, file, s.Seed, megakernel.HostEvent{Kind: "shrunk", Text: fmt.Sprintf("%d of %d tasks of %s, executed with seed %d; seed %d ends differently", s.Tasks, s.Of, s.plan.name, s.Seed, s.Other)})
}

// write executes the run on the reference and writes it as a recording, which must not exist.
func (p *plan) write(ctx context.Context, file string, seed uint64, about megakernel.HostEvent) error {
	return p.ended(ctx, reference.Options{Seed: seed}, p.shape(), func(e end) (err error) {
		h := p.header
		e.target.Workload = h.Target.Workload
		h.Target = e.target
		w, err := fixtures.Create(file, h)
		if err != nil {
			return err
		}
		for i, b := range h.Start.Buffers {
			w.Initial(b.Name, p.initial[i])
		}
		for _, in := range p.inputs {
			w.Submitted(0, in.tasks)
			if in.epochs > 0 {
				w.Command(0, megakernel.Command{Op: megakernel.OpAdvanceEpoch, Arg: in.epochs})
			}
		}
		w.Event(about)
		w.Completed(slices.Collect(maps.Values(e.results.by)))
		w.Snapshot(e.last)
		for i, b := range h.Start.Buffers {
			w.Buffer(e.last.Taken, b.Name, 0, e.buffers[i])
		}
		return w.Close()
	})
}
