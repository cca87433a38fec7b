//go:build cgo && egl

package gl

import (
	"context"
	"errors"
	"slices"
	"time"

	"vyretop/engine"
	"vyretop/gl/internal/glapi"
)

// The loop probe asks for more iterations than any known limit, in one loop and in two nested ones.
const (
	loopSingle = 200_000
	loopSide   = 400 // 400 * 401 = 160,400 iterations of both loops together
)

// probeLoops finds the number of loop iterations after which the driver silently ends all loops of
// an invocation. llvmpipe (Mesa 22.3): after 65,535 iterations of all its loops together.
func (b *Backend) probeLoops(ctx context.Context) (err error) {
	l, err := b.lab(ctx, "loop", 1, labBuffer{6, engine.HostVisible})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	w := l.buffers[0].Words()
	w.CopyFrom(0, []uint32{loopSingle, loopSide, 1})
	if _, err := l.run(2); err != nil {
		return err
	}
	single, nested := w.Load(3), w.Load(4)
	if single < loopSingle || nested < loopSide*(loopSide+1) {
		b.profile.LoopIterationLimit = engine.Known(uint64(min(single, nested)))
	}
	return nil
}

// fenceRuns is how often an empty dispatch is timed.
const fenceRuns = 64

// probeFence times an empty dispatch and its fence on the owner's thread: the least that one slice
// after another costs.
func (b *Backend) probeFence(ctx context.Context) (err error) {
	l, err := b.lab(ctx, "empty", 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	if _, err := l.run(1); err != nil { // compiles it to the end
		return err
	}
	h := l.pipeline.(*pipeline).compiled[choice{}].parts[0].handle
	times := make([]float64, 0, fenceRuns)
	err = b.do(ctx, "time an empty dispatch", func(s *glState) error {
		for range fenceRuns {
			begin := time.Now()
			s.api.UseProgram(h)
			s.api.Dispatch([3]uint32{1, 1, 1})
			f := s.api.InsertFence()
			state := s.api.WaitFence(f, true, probeLimit)
			times = append(times, float64(time.Since(begin).Nanoseconds()))
			s.api.DeleteFence(f)
			if state != glapi.FencePassed {
				return fail(engine.CodeDispatchFailed, "time an empty dispatch", "its fence did not pass", "examine the device with `vyretop doctor`")
			}
		}
		return s.api.Err("time an empty dispatch")
	})
	if err == nil {
		b.profile.DispatchFenceNs = engine.Known(median(times))
	}
	return err
}

// probeClock finds an extension that gives kernels a clock: one that all workgroups share where
// there is one.
func (b *Backend) probeClock(ctx context.Context) error {
	var failed error
	for _, c := range []struct{ extension, file string }{
		{"GL_EXT_shader_realtime_clock", "clock_realtime"},
		{"GL_ARB_shader_clock", "clock"},
	} {
		if !b.has[c.extension] {
			continue
		}
		l, err := b.lab(ctx, c.file, 1, labBuffer{2, engine.HostVisible})
		if err == nil {
			b.profile.DeviceClock = engine.Known(c.extension)
			return l.close()
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

// probeUnit finds out whether a kernel can tell which unit of the device its workgroup is on.
func (b *Backend) probeUnit(ctx context.Context) error {
	const extension = "GL_NV_shader_thread_group"
	if !b.has[extension] {
		return nil
	}
	l, err := b.lab(ctx, "unit", 1, labBuffer{1, engine.HostVisible})
	if err != nil {
		return err
	}
	b.profile.DeviceUnit = engine.Known(extension)
	return l.close()
}

// median sorts xs; it must not be empty.
func median(xs []float64) float64 {
	slices.Sort(xs)
	return xs[len(xs)/2]
}
