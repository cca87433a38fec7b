package bench

import (
	"context"
	"errors"
	"time"

	"vyretop/engine"
	"vyretop/tasks"
)

// Words of the settings of kernels/naive.comp.
const (
	naivePasses = iota
	naiveSlots
	naiveStop
	naiveFound
	naiveWords
)

// Bounds of one dispatch of the scanning kernel: passes double until it stays long enough that
// launching it does not count.
const (
	naiveFirst = 1 << 10
	naiveMost  = 1 << 24
	naiveStay  = 20 * time.Millisecond
	// naiveLoops is below what a device may allow of loop iterations; the kernel has one loop.
	naiveMargin = 4096
)

// naiveScan runs the kernel without queues over as many slots and tasks as resident_noop has.
func (r *run) naiveScan(ctx context.Context, share time.Duration, t *tally) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 2*share+patience)
	defer cancel()
	t.shape = r.shape
	slots := r.shape.slots() / r.shape.lanes * r.shape.lanes
	p, err := r.plain(ctx, "naive.comp", r.shape.lanes,
		plainBuffer{slots * tasks.SlotWords, engine.DeviceLocal}, plainBuffer{naiveWords, engine.HostVisible})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	if err := p.upload(ctx, 0, slotImage(slots, fill(r.shape.tasks(), opYield, nil))); err != nil {
		return err
	}
	scan := scanner{run: r, plain: p, slots: slots}
	passes, err := scan.calibrate(ctx)
	if err != nil {
		return err
	}
	sum := part{shape: r.shape}
	for sum.took < share && ctx.Err() == nil {
		found, took, err := scan.dispatch(ctx, passes)
		if err != nil {
			return err
		}
		sum.n += uint64(found)
		sum.took += took
	}
	t.parts = append(t.parts, sum)
	return nil
}

// slotImage puts tasks into the first slots, ready.
func slotImage(slots int, list []tasks.Task) []uint32 {
	out := make([]uint32, slots*tasks.SlotWords)
	for i := range list {
		list[i].State = tasks.Ready
		words := list[i].Words()
		copy(out[i*tasks.SlotWords:], words[:])
	}
	return out
}

// scanner dispatches the scanning kernel.
type scanner struct {
	*run
	*plain
	slots int
}

// calibrate finds the number of passes of a dispatch that is long enough.
func (s *scanner) calibrate(ctx context.Context) (uint32, error) {
	most := uint64(naiveMost)
	if limit, ok := s.profile.LoopIterationLimit.Get(); ok && limit > naiveMargin {
		most = min(most, limit-naiveMargin)
	}
	if _, _, err := s.dispatch(ctx, naiveFirst); err != nil { // compiles it to the end
		return 0, err
	}
	for passes := uint64(naiveFirst); ; passes *= 2 {
		_, took, err := s.dispatch(ctx, uint32(min(passes, most)))
		if err != nil || took >= naiveStay || passes >= most {
			return uint32(min(passes, most)), err
		}
	}
}

// dispatch runs so many passes and returns the activations of all workers.
func (s *scanner) dispatch(ctx context.Context, passes uint32) (found uint32, took time.Duration, err error) {
	settings := s.buffers[1].Words()
	settings.CopyFrom(0, []uint32{naivePasses: passes, naiveSlots: uint32(s.slots), naiveStop: 0, naiveFound: 0})
	began := time.Now()
	pending, err := s.pipeline.Start(ctx, s.bindings(2), engine.DispatchConfig{Grid: [3]uint32{uint32(s.shape.workers), 1, 1}})
	if err == nil {
		_, err = pending.Wait(ctx)
	}
	if err != nil {
		settings.Store(naiveStop, 1)
		return 0, 0, err
	}
	return settings.Load(naiveFound), time.Since(began), nil
}
