package submit

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"vyretop/engine"
)

// Allocator makes buffers; an engine.Backend is one.
type Allocator interface {
	Allocate(ctx context.Context, name string, words int, want engine.Placement) (engine.Buffer, error)
}

// Runner runs one pipeline on resources. Its methods may be called from any goroutine.
type Runner struct {
	memory   Allocator
	pipeline engine.Pipeline
	specs    []engine.BufferSpec

	mu     sync.Mutex
	closed bool
	free   map[slot][]engine.Buffer // not in use
	idle   []*Submission            // ended, to be used again
}

// slot says which dispatches a free buffer fits.
type slot struct{ buffer, words int }

// New makes a runner of a pipeline; memory is the backend that compiled it. The pipeline stays the
// caller's to close.
func New(memory Allocator, p engine.Pipeline) *Runner {
	return &Runner{memory: memory, pipeline: p, specs: p.Program().Buffers, free: map[slot][]engine.Buffer{}}
}

// Close frees the buffers that the runner keeps. Submissions under way free theirs when they are collected.
func (r *Runner) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	var err error
	for _, list := range r.free {
		for _, b := range list {
			err = errors.Join(err, b.Free())
		}
	}
	clear(r.free)
	return err
}

// take returns a buffer for one dispatch, with the contents of res.
func (r *Runner) take(ctx context.Context, i int, res *Resource) (engine.Buffer, error) {
	key := slot{i, res.size()}
	r.mu.Lock()
	var b engine.Buffer
	if list := r.free[key]; len(list) > 0 {
		b = list[len(list)-1]
		r.free[key] = list[:len(list)-1]
	}
	r.mu.Unlock()
	if b == nil {
		made, err := r.memory.Allocate(ctx, r.specs[i].Name, key.words, engine.HostVisible)
		if err != nil {
			return nil, err
		}
		b = made
	}
	if w := b.Words(); len(w) >= len(res.host) { // else the device was lost, and Upload says so
		clear(w[len(res.host):])
	}
	err := b.Upload(ctx, 0, res.host)
	if err != nil {
		err = errors.Join(err, b.Free())
	}
	return b, err
}

// give keeps a buffer for a later dispatch.
func (r *Runner) give(i int, b engine.Buffer) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return b.Free()
	}
	key := slot{i, b.Size()}
	r.free[key] = append(r.free[key], b)
	return nil
}

// submission takes one that has ended, or makes one.
func (r *Runner) submission() *Submission {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.idle); n > 0 {
		s := r.idle[n-1]
		r.idle = r.idle[:n-1]
		return s
	}
	return &Submission{runner: r}
}

func (r *Runner) invalid(format string, args ...any) error {
	return &engine.Error{Code: engine.CodeInvalidProgram, Op: fmt.Sprintf("dispatch %q", r.pipeline.Program().Name),
		Detail: fmt.Sprintf(format, args...), Fix: "give each buffer of the program one resource, in the order of their bindings"}
}
