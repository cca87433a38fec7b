package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vyretop/engine"
	"vyretop/gl"
	"vyretop/tasks"
)

// dispatchTimer is what package gl offers: dispatches without anything of ours around them.
type dispatchTimer interface {
	TimeDispatches(ctx context.Context, r gl.Repeat, took []time.Duration) (int, error)
}

// dispatchOf makes the measurement of one dispatch and fence for each batch of tasks.
func dispatchOf(size int, indirect bool) func(*suite, context.Context, time.Duration, *tally) error {
	return func(r *suite, ctx context.Context, share time.Duration, t *tally) error {
		return r.dispatch(ctx, share, size, indirect, t)
	}
}

// dispatch writes tasks into host-visible slots, dispatches one invocation each, and waits for the
// fence, over and over.
func (r *suite) dispatch(ctx context.Context, share time.Duration, size int, indirect bool, t *tally) (err error) {
	lanes := r.shape.lanes
	p, err := r.plain(ctx, "dispatch.comp", lanes,
		plainBuffer{size * tasks.SlotWords, engine.HostVisible}, plainBuffer{1, engine.HostVisible}, plainBuffer{3, engine.HostVisible})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	groups := uint32((size + lanes - 1) / lanes)
	t.shape = shape{int(groups), lanes}
	if err := errors.Join(p.upload(ctx, 1, []uint32{uint32(size)}), p.upload(ctx, 2, []uint32{groups, 1, 1})); err != nil {
		return err
	}
	slots := p.buffers[0].Words()
	repeat := gl.Repeat{Pipeline: p.pipeline, Bindings: p.bindings(2), Prepare: prepareTasks(slots, size)}
	if indirect {
		repeat.Config.Indirect = engine.IndirectGrid{Buffer: p.buffers[2]}
	} else {
		repeat.Config.Grid = [3]uint32{groups, 1, 1}
	}
	took := make([]time.Duration, maxSamples)
	n, err := r.timeDispatches(ctx, share, repeat, took)
	if err != nil || n == 0 {
		return err
	}
	if state := tasks.State(slots.Load((size-1)*tasks.SlotWords + tasks.WordState)); state != tasks.Done {
		return fmt.Errorf("the last of %d tasks of a dispatch is %s. Fix: examine the device with `vyretop doctor`", size, state)
	}
	sum := part{n: uint64(n * size), shape: t.shape}
	for _, d := range took[:n] {
		sum.took += d
	}
	t.took, t.parts = append(t.took, took[:n]...), append(t.parts, sum)
	return nil
}

func (p *plain) upload(ctx context.Context, buffer int, words []uint32) error {
	return p.buffers[buffer].Upload(ctx, 0, words)
}

// prepareTasks writes the tasks of a dispatch as a publisher does: all words, the state last.
func prepareTasks(slots engine.Words, size int) func(int) {
	t := tasks.Task{Opcode: opDone, Priority: tasks.Normal}
	return func(int) {
		for i := range size {
			t.TaskID = uint32(i + 1)
			words := t.Words()
			at := i * tasks.SlotWords
			copy(slots[at+1:at+len(words)], words[1:])
			slots.Store(at, uint32(tasks.Ready))
		}
	}
}

// timeDispatches uses the backend's own way where it has one; without it the dispatch is that of the
// engine's contract.
func (r *suite) timeDispatches(ctx context.Context, share time.Duration, repeat gl.Repeat, took []time.Duration) (int, error) {
	if t, ok := r.backend.(dispatchTimer); ok {
		if _, err := t.TimeDispatches(ctx, repeat, took[:1]); err != nil { // compiles it to the end
			return 0, err
		}
		n, err := t.TimeDispatches(ctx, repeat, took[:1]) // there is one, however short the share
		if err != nil {
			return n, err
		}
		limited, cancel := context.WithTimeout(ctx, share)
		defer cancel()
		more, err := t.TimeDispatches(limited, repeat, took[n:])
		if limited.Err() != nil { // given up before it began
			err = nil
		}
		return n + more, err
	}
	n := 0
	for lasts := lasting(ctx, share); n < len(took) && lasts.on(uint64(n)); n++ {
		began := time.Now()
		repeat.Prepare(n)
		pending, err := repeat.Pipeline.Start(ctx, repeat.Bindings, repeat.Config)
		if err == nil {
			_, err = pending.Wait(ctx)
		}
		if err != nil {
			return n, err
		}
		took[n] = time.Since(began)
	}
	return n, nil
}
