package submit

import (
	"context"
	"errors"

	"vyretop/engine"
)

// Submission is a dispatch under way. It ends with one call of Collect, which gives its buffers back.
type Submission struct {
	runner   *Runner
	pending  engine.Pending
	bindings []engine.Binding
	made     []bool // by buffer: the runner made it for this dispatch
}

// Start begins a dispatch and returns at once. When it returns, nothing refers to the inputs.
func (r *Runner) Start(ctx context.Context, in []Resource, cfg engine.DispatchConfig) (*Submission, error) {
	s := r.submission()
	if err := s.load(ctx, in); err != nil {
		return nil, errors.Join(err, s.release())
	}
	var err error
	if s.pending, err = r.pipeline.Start(ctx, s.bindings, cfg); err != nil {
		return nil, errors.Join(err, s.release())
	}
	return s, nil
}

// load binds a buffer for each resource.
func (s *Submission) load(ctx context.Context, in []Resource) error {
	r := s.runner
	if len(in) != len(r.specs) {
		return r.invalid("%d resources, the program has %d buffers", len(in), len(r.specs))
	}
	for i := range in {
		res := &in[i]
		b := res.resident
		if b == nil {
			if res.size() == 0 {
				return r.invalid("the resource of buffer %q is empty", r.specs[i].Name)
			}
			made, err := r.take(ctx, i, res)
			if err != nil {
				return err
			}
			b = made
		}
		s.bindings = append(s.bindings, engine.Binding{Index: r.specs[i].Binding, Buffer: b})
		s.made = append(s.made, res.resident == nil)
	}
	return nil
}

// Pending is the dispatch itself, for what only its backend or its pipeline tells of it. It must not be used after
// Collect, which may give it to another dispatch.
func (s *Submission) Pending() engine.Pending { return s.pending }

// Ready reports whether Collect would return without waiting.
func (s *Submission) Ready() bool {
	select {
	case <-s.pending.Done():
		return true
	default:
		return false
	}
}

// Wait waits for the end of the dispatch. When ctx ends first, the dispatch continues.
func (s *Submission) Wait(ctx context.Context) error {
	_, err := s.pending.Wait(ctx)
	return err
}

// Collect waits for the end, puts the outputs into out and ends the submission: one slot for each buffer
// that the program may write. A slot that is large enough is used again, others are replaced; that of
// a resident buffer is set to nil. nil for out drops the outputs. When ctx ends first, the submission
// continues, and Collect may be called again.
func (s *Submission) Collect(ctx context.Context, out [][]uint32) (engine.Timing, error) {
	if err := s.ended(ctx); err != nil {
		return engine.Timing{}, err
	}
	timing, err := engine.Finish(ctx, s.pending)
	if err == nil && out != nil {
		err = s.read(ctx, out)
	}
	return timing, errors.Join(err, s.release())
}

// ended returns an error when ctx ended before the dispatch.
func (s *Submission) ended(ctx context.Context) error {
	if _, err := s.pending.Wait(ctx); err != nil && ctx.Err() != nil && !s.Ready() {
		return err
	}
	return nil
}

// read copies the outputs into slots.
func (s *Submission) read(ctx context.Context, out [][]uint32) error {
	if n := s.runner.Outputs(); len(out) != n {
		return s.runner.invalid("%d output slots, the program has %d outputs", len(out), n)
	}
	next := 0
	for i, bound := range s.bindings {
		if s.runner.specs[i].Access == engine.ReadOnly {
			continue
		}
		if !s.made[i] {
			out[next] = nil
		} else if err := readInto(ctx, bound.Buffer, &out[next]); err != nil {
			return err
		}
		next++
	}
	return nil
}

func readInto(ctx context.Context, b engine.Buffer, slot *[]uint32) error {
	if cap(*slot) < b.Size() {
		*slot = make([]uint32, b.Size())
	}
	*slot = (*slot)[:b.Size()]
	return b.Download(ctx, 0, *slot)
}

// release gives the buffers and the submission back.
func (s *Submission) release() error {
	var err error
	for i, bound := range s.bindings {
		if s.made[i] {
			if e := s.runner.give(i, bound.Buffer); e != nil {
				err = errors.Join(err, e)
			}
		}
	}
	s.forget()
	return err
}

// forget makes the submission ready to be used again.
func (s *Submission) forget() {
	s.pending, s.bindings, s.made = nil, s.bindings[:0], s.made[:0]
	s.runner.mu.Lock()
	defer s.runner.mu.Unlock()
	s.runner.idle = append(s.runner.idle, s)
}

// Outputs is the number of buffers that the program may write.
func (r *Runner) Outputs() int {
	n := 0
	for i := range r.specs {
		if r.specs[i].Access != engine.ReadOnly {
			n++
		}
	}
	return n
}
