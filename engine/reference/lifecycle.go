package reference

import (
	"context"
	"fmt"

	"vyretop/engine"
)

var _ engine.Lifecycle = (*Backend)(nil)

// Prepare implements engine.Lifecycle. There is nothing to warm up.
func (b *Backend) Prepare(ctx context.Context) error { return b.check(ctx, "prepare") }

// Lost implements engine.Lifecycle.
func (b *Backend) Lost() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.lost {
		return lostError("device")
	}
	return nil
}

// SimulateLoss implements engine.Lifecycle; nothing else loses an interpreter.
func (b *Backend) SimulateLoss() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lost = true
	for d := range b.under {
		d.stop(engine.ErrDeviceLost, "recover the backend")
	}
}

// Recover implements engine.Lifecycle.
func (b *Backend) Recover(context.Context) (engine.Recovery, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.closed:
		return engine.Recovery{}, closedError("recover")
	case !b.lost:
		return engine.Recovery{}, invalid("recover", "the device is not lost", "recover after an ErrDeviceLost only")
	}
	r := engine.Recovery{Buffers: b.buffers, Pipelines: b.pipelines}
	b.lost, b.buffers, b.pipelines = false, 0, 0
	b.generation++
	return r, nil
}

// made counts a buffer or a pipeline, and returns the generation that it belongs to.
func (b *Backend) made(counter *int) uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	*counter++
	return b.generation
}

// unmade is made's end, for what has not been lost in the meantime.
func (b *Backend) unmade(counter *int, generation uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if generation == b.generation {
		*counter--
	}
}

// survived is the error of using what was made before the device was lost, else nil.
func (b *Backend) survived(op string, generation uint64) error {
	if b.current(generation) {
		return nil
	}
	return &engine.Error{Code: engine.CodePoisoned, Backend: backendName, Op: op, Detail: "it was on the device when that was lost",
		Fix: "make it again on the recovered backend, and fill it"}
}

// current reports whether what was made then is still there.
func (b *Backend) current(generation uint64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return generation == b.generation
}

func lostError(op string) error {
	return &engine.Error{Code: engine.CodeDeviceLost, Backend: backendName, Op: op, Detail: "the device is lost, and everything on it",
		Fix: "recover the backend"}
}

// lostDispatch is the error of a dispatch that was running when the device was lost.
func lostDispatch(label string) error { return lostError(fmt.Sprintf("dispatch %q", label)) }
