package bench

import (
	"context"
	"errors"
	"time"

	"vyretop/engine"
	"vyretop/tasks"
)

// Words of the settings of kernels/naive.comp and kernels/slots.comp.
const (
	scanPasses = iota
	scanSlots
	scanStop
	scanFound
	scanWords
)

// Bounds of one dispatch of a kernel without queues: passes double until it stays long enough that
// launching it does not count.
const (
	scanFirst  = 1 << 10
	scanMost   = 1 << 24
	scanStay   = 20 * time.Millisecond
	scanMargin = 4096 // to the number of loop iterations after which a device ends all loops
)

// naiveScan runs the scanning kernel over as many slots and tasks as resident_noop has.
func (r *suite) naiveScan(ctx context.Context, share time.Duration, t *tally) error {
	return r.queueless(ctx, share, t, "naive.comp", r.shape.slots())
}

// slotTraffic runs the kernel that only moves the tasks of resident_noop.
func (r *suite) slotTraffic(ctx context.Context, share time.Duration, t *tally) error {
	return r.queueless(ctx, share, t, "slots.comp", r.shape.tasks())
}

// queueless runs a kernel without queues over a number of slots, less those that are not the same number
// for each lane; the first of them hold the tasks of resident_noop. There are no more lanes than slots.
func (r *suite) queueless(ctx context.Context, share time.Duration, t *tally, file string, slots int) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 2*share+patience)
	defer cancel()
	t.shape = shape{max(1, min(r.shape.workers, slots/r.shape.lanes)), r.shape.lanes}
	slots -= slots % (t.shape.workers * t.shape.lanes)
	p, err := r.plain(ctx, file, r.shape.lanes,
		plainBuffer{slots * tasks.SlotWords, engine.DeviceLocal}, plainBuffer{scanWords, engine.HostVisible})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	if err := p.upload(ctx, 0, slotImage(slots, fill(min(r.shape.tasks(), slots), opYield, nil))); err != nil {
		return err
	}
	scan := scanner{suite: r, plain: p, slots: slots, workers: t.shape.workers}
	passes, err := scan.calibrate(ctx)
	if err != nil {
		return err
	}
	sum := part{shape: t.shape}
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

// scanner dispatches a kernel without queues.
type scanner struct {
	*suite
	*plain
	slots   int
	workers int
}

// calibrate finds the number of passes of a dispatch that is long enough.
func (s *scanner) calibrate(ctx context.Context) (uint32, error) {
	most := uint64(scanMost)
	if limit, ok := s.backend.Profile().LoopIterationLimit.Get(); ok && limit > scanMargin {
		most = min(most, limit-scanMargin)
	}
	if _, _, err := s.dispatch(ctx, scanFirst); err != nil { // compiles it to the end
		return 0, err
	}
	for passes := uint64(scanFirst); ; passes *= 2 {
		_, took, err := s.dispatch(ctx, uint32(min(passes, most)))
		if err != nil || took >= scanStay || passes >= most {
			return uint32(min(passes, most)), err
		}
	}
}

// dispatch runs a number of passes and returns the activations of all workers.
func (s *scanner) dispatch(ctx context.Context, passes uint32) (found uint32, took time.Duration, err error) {
	settings := s.buffers[1].Words()
	settings.CopyFrom(0, []uint32{scanPasses: passes, scanSlots: uint32(s.slots), scanStop: 0, scanFound: 0})
	began := time.Now()
	pending, err := s.pipeline.Start(ctx, s.bindings(2), engine.DispatchConfig{Grid: [3]uint32{uint32(s.workers), 1, 1}})
	if err == nil {
		_, err = pending.Wait(ctx)
	}
	if err != nil {
		settings.Store(scanStop, 1)
		return 0, 0, err
	}
	return settings.Load(scanFound), time.Since(began), nil
}
