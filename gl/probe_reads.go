//go:build cgo && egl

package gl

import (
	"context"
	"errors"
	"sync"

	"vyretop/engine"
	"vyretop/engine/stage"
)

// loops is what is known of what invocations take along out of loops.
type loops struct {
	mu    sync.Mutex
	known bool
	wrong bool // for those that leave earlier than others
}

// readLanes is the workgroup size of the probe.
const readLanes = 8

// guardLoops reports whether p is to be compiled with guarded loops (package stage): the device is probed
// before the first program with a loop. The probes' own kernels have neither tree nor faults.
func (b *Backend) guardLoops(ctx context.Context, p *engine.Program) (bool, error) {
	if p.Tree == nil && len(p.Outside) == 0 || !stage.HasLoops(p.Tree) {
		return false, nil
	}
	r := &b.loops
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.known {
		wrong, err := b.probeReads(ctx)
		if err := b.unlessUnknown("reads in loops", err); err != nil {
			return false, err
		}
		r.known, r.wrong = true, wrong
	}
	return r.wrong, nil
}

// probeReads compares what invocations took out of a loop with what was there.
func (b *Backend) probeReads(ctx context.Context) (wrong bool, err error) {
	l, err := b.lab(ctx, "reads", readLanes, labBuffer{readLanes, engine.HostVisible}, labBuffer{readLanes, engine.HostVisible})
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	in, out := l.buffers[0].Words(), l.buffers[1].Words()
	for i := range in {
		in.Store(i, uint32(i+1))
	}
	if _, err := l.run(1); err != nil {
		return false, err
	}
	for i := range out {
		wrong = wrong || out.Load(i) != in.Load(i)
	}
	return wrong, nil
}
