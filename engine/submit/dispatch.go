package submit

import (
	"context"
	"errors"

	"vyretop/engine"
)

// Dispatch runs the program once and returns its outputs. The inputs are borrowed.
func (r *Runner) Dispatch(ctx context.Context, in []Resource, cfg engine.DispatchConfig) ([][]uint32, engine.Timing, error) {
	out := make([][]uint32, r.Outputs())
	timing, err := r.DispatchInto(ctx, in, out, cfg)
	if err != nil {
		return nil, timing, err
	}
	return out, timing, nil
}

// DispatchOwned is Dispatch on words that the caller gives away: outputs use their memory again.
func (r *Runner) DispatchOwned(ctx context.Context, in [][]uint32, cfg engine.DispatchConfig) ([][]uint32, engine.Timing, error) {
	resources := make([]Resource, len(in))
	out := make([][]uint32, 0, len(in))
	for i, words := range in {
		resources[i] = Host(words)
		if i < len(r.specs) && r.specs[i].Access != engine.ReadOnly {
			out = append(out, words)
		}
	}
	timing, err := r.DispatchInto(ctx, resources, out, cfg)
	if err != nil {
		return nil, timing, err
	}
	return out, timing, nil
}

// DispatchInto runs the program once and puts its outputs into the caller's slots, as Collect does.
func (r *Runner) DispatchInto(ctx context.Context, in []Resource, out [][]uint32, cfg engine.DispatchConfig) (engine.Timing, error) {
	s, err := r.Start(ctx, in, cfg)
	if err != nil {
		return engine.Timing{}, err
	}
	return s.finish(ctx, out)
}

// finish is Collect for a caller who will not call again: when ctx ends first, the buffers are given
// back once the dispatch has ended.
func (s *Submission) finish(ctx context.Context, out [][]uint32) (engine.Timing, error) {
	if err := s.ended(ctx); err != nil {
		go func() { _, _ = s.Collect(context.WithoutCancel(ctx), nil) }()
		return engine.Timing{}, err
	}
	return s.Collect(ctx, out)
}

// DispatchResident runs the program once and leaves its outputs on the device: one buffer for each that
// the program may write, in a resident resource's place that one itself. The caller frees those that it
// did not bring.
func (r *Runner) DispatchResident(ctx context.Context, in []Resource, cfg engine.DispatchConfig) ([]engine.Buffer, engine.Timing, error) {
	s, err := r.Start(ctx, in, cfg)
	if err != nil {
		return nil, engine.Timing{}, err
	}
	return s.keep(ctx)
}

// keep waits for the end and takes the outputs out of the submission.
func (s *Submission) keep(ctx context.Context) ([]engine.Buffer, engine.Timing, error) {
	if err := s.Wait(ctx); err != nil {
		_, e := s.finish(ctx, nil)
		return nil, engine.Timing{}, errors.Join(err, e)
	}
	var out []engine.Buffer
	for i, bound := range s.bindings {
		if s.runner.specs[i].Access != engine.ReadOnly {
			out = append(out, bound.Buffer)
			s.made[i] = false
		}
	}
	timing, err := s.finish(ctx, nil)
	return out, timing, err
}

// Once compiles a program, runs it once, and leaves nothing behind.
func Once(ctx context.Context, b Backend, p *engine.Program, in []Resource, cfg engine.DispatchConfig) (out [][]uint32, timing engine.Timing, err error) {
	pipeline, err := b.Compile(ctx, p)
	if err != nil {
		return nil, timing, err
	}
	r := New(b, pipeline)
	out, timing, err = r.Dispatch(ctx, in, cfg)
	return out, timing, errors.Join(err, r.Close(), pipeline.Close())
}

// Backend is what Once needs of an engine.Backend.
type Backend interface {
	Allocator
	Compile(ctx context.Context, p *engine.Program) (engine.Pipeline, error)
}
