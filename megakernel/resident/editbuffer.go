package resident

import (
	"context"
	"time"

	"vyretop/engine"
	"vyretop/megakernel"
)

// editBuffer changes a word of one of the workload's buffers, if it holds what the command expects, and reads it back. In
// memory of the device's own that happens between two slices. Ack.Detail is what the word holds.
func (r *reads) editBuffer(ctx context.Context, c megakernel.Command) (megakernel.Ack, error) {
	began := time.Now()
	ack := megakernel.Ack{Command: c, Result: megakernel.AckBadArgument}
	var b engine.Buffer
	for _, init := range r.options.Buffers {
		if init.Binding == c.Slot {
			b = r.buffers[init.Name]
		}
	}
	if b == nil || int64(c.Arg) >= int64(b.Size()) {
		return ack, nil
	}
	r.open.RLock()
	defer r.open.RUnlock()
	if err := r.usable(c.Op.String()); err != nil {
		return ack, err
	}
	held, err := r.swapWord(ctx, b, c)
	if err != nil {
		return ack, err
	}
	ack.Result, ack.Detail, ack.Latency = megakernel.AckApplied, held, time.Since(began)
	if held != c.Desired {
		ack.Result = megakernel.AckChanged
	}
	return ack, nil
}

// swapWord writes the word that a command names, if it holds what is expected, and returns what it holds afterwards.
func (r *reads) swapWord(ctx context.Context, b engine.Buffer, c megakernel.Command) (held uint32, err error) {
	at := int(c.Arg)
	if words := b.Words(); words != nil {
		words.CompareAndSwap(at, c.Expected, c.Desired)
		return words.Load(at), nil
	}
	var failed error
	if err := r.between(c.Op.String(), func() { held, failed = swapDeviceWord(ctx, b, at, c) }); err != nil {
		return 0, err
	}
	return held, failed
}

// swapDeviceWord is swapWord in memory of the device's own, while no slice is running.
func swapDeviceWord(ctx context.Context, b engine.Buffer, at int, c megakernel.Command) (uint32, error) {
	var word [1]uint32
	if err := b.Download(ctx, at, word[:]); err != nil || word[0] != c.Expected {
		return word[0], err
	}
	word[0] = c.Desired
	if err := b.Upload(ctx, at, word[:]); err != nil {
		return 0, err
	}
	err := b.Download(ctx, at, word[:])
	return word[0], err
}
