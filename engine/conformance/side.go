package conformance

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vyretop/engine"
)

// dispatchTime bounds one dispatch, and is shorter than a worker's patience; kernels of cases end in milliseconds, but
// some drivers compile them in the dispatch.
const dispatchTime = 3 * time.Minute

// side runs cases on one backend. Buffers are kept and used again, by their size.
type side struct {
	backend engine.Backend
	spare   map[int][]engine.Buffer
}

func newSide(b engine.Backend) *side { return &side{b, map[int][]engine.Buffer{}} }

// run executes a case. An error in the outcome is the dispatch's own; the other one means that the
// backend could not be asked.
func (s *side) run(ctx context.Context, c *Case, p *engine.Program) (o outcome, pending engine.Pending, err error) {
	pipeline, err := s.backend.Compile(ctx, p)
	if err != nil {
		return outcome{err: err}, nil, context.Cause(ctx)
	}
	defer func() { err = errors.Join(err, pipeline.Close()) }()
	bindings, err := s.bind(ctx, c)
	defer func() { s.release(bindings) }()
	if err != nil {
		return outcome{err: err}, nil, context.Cause(ctx)
	}
	cfg := c.Config
	cfg.Label, cfg.Grid = c.Name, c.Grid
	if cfg.Timeout == 0 {
		cfg.Timeout = dispatchTime
	}
	pending, o.err = pipeline.Start(ctx, bindings, cfg)
	if o.err == nil {
		_, o.err = pending.Wait(ctx)
		<-pending.Done()
	}
	o.words, err = read(ctx, bindings)
	return o, pending, err
}

// bind fills buffers with what a case starts from.
func (s *side) bind(ctx context.Context, c *Case) ([]engine.Binding, error) {
	var list []engine.Binding
	for _, b := range c.Buffers {
		buf, err := s.buffer(ctx, len(b.Words))
		if err != nil {
			return list, err
		}
		list = append(list, engine.Binding{Index: b.Binding, Buffer: buf})
		if err := buf.Upload(ctx, 0, b.Words); err != nil {
			return list, err
		}
	}
	return list, nil
}

func (s *side) buffer(ctx context.Context, words int) (engine.Buffer, error) {
	if list := s.spare[words]; len(list) > 0 {
		s.spare[words] = list[:len(list)-1]
		return list[len(list)-1], nil
	}
	return s.backend.Allocate(ctx, fmt.Sprintf("conformance %d", words), words, engine.HostVisible)
}

func (s *side) release(bindings []engine.Binding) {
	for _, b := range bindings {
		n := b.Buffer.Size()
		s.spare[n] = append(s.spare[n], b.Buffer)
	}
}

func read(ctx context.Context, bindings []engine.Binding) ([][]uint32, error) {
	var all [][]uint32
	for _, b := range bindings {
		words := make([]uint32, b.Buffer.Size())
		if err := b.Buffer.Download(ctx, 0, words); err != nil {
			return nil, err
		}
		all = append(all, words)
	}
	return all, nil
}

// free gives all buffers back.
func (s *side) free() error {
	var errs []error
	for _, list := range s.spare {
		for _, b := range list {
			errs = append(errs, b.Free())
		}
	}
	clear(s.spare)
	return errors.Join(errs...)
}
