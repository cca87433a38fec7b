package replay

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/activations"
	"vyretop/megakernel/capture"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// errCaptured ends a run whose activation was captured.
var errCaptured = errors.New("the activation was captured")

// capture executes the run up to the first activation that wanted accepts, and captures that. It is nil where there is none.
func (p *plan) capture(ctx context.Context, seed uint64, as shape, wanted func(a activations.Activation, m activations.Memory) bool) (c *capture.Capture, err error) {
	stopping, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	k := &catcher{wanted: wanted, stop: stop}
	f := p.supposed.follower(watched(p, k.begins))
	b, err := reference.Open(reference.Options{Seed: seed, Watcher: f})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	s, err := p.start(stopping, b, as)
	if err != nil {
		return nil, err
	}
	_, err = p.execute(stopping, s)
	if errors.Is(context.Cause(stopping), errCaptured) {
		err = nil
	}
	target := s.Target()
	if err := errors.Join(err, s.Close()); err != nil || k.caught == nil {
		return nil, err
	}
	return p.captured(k, &target, s)
}

// catcher copies the buffers before an activation.
type catcher struct {
	wanted func(a activations.Activation, m activations.Memory) bool
	stop   context.CancelCauseFunc
	caught *activations.Activation
	words  map[uint32][]uint32
}

func (k *catcher) begins(a activations.Activation, m activations.Memory) {
	if k.caught != nil || !k.wanted(a, m) {
		return
	}
	k.caught, k.words = &a, map[uint32][]uint32{}
	for binding, words := range m {
		if capture.IsInput(binding) {
			k.words[binding] = copyOf(words)
		}
	}
	k.stop(errCaptured)
}

// copyOf copies words that the host may write while they are read.
func copyOf(words []uint32) []uint32 {
	out := make([]uint32, len(words))
	for i := range words {
		out[i] = atomic.LoadUint32(&words[i])
	}
	return out
}

// captured makes the capture of the activation that was caught.
func (p *plan) captured(k *catcher, target *megakernel.Target, s *resident.Session) (*capture.Capture, error) {
	now := s.Snapshot()
	text, err := p.later.text(k.caught)
	if err == nil && text == nil {
		text, err = kernel.Unpack(target.KernelAt(now.Slice))
	}
	if err == nil {
		text, err = text.WithOwn()
	}
	if err != nil {
		return nil, err
	}
	h := capture.Header{
		Schema: capture.Schema, Target: *target, Source: p.name, Task: k.caught.Task, Slot: k.caught.Slot, Handler: p.handler(k.caught.Opcode),
		State:     tasks.State(k.words[megakernel.BindRing][k.caught.Slot*tasks.SlotWords+tasks.WordState]).String(),
		Workgroup: text.Config.WorkgroupSize, Lane: k.caught.Lane,
	}
	h.Target.Kernel, h.Target.Reloads = nil, nil
	for binding, words := range map[uint32][]uint32{megakernel.BindControl: now.Control, megakernel.BindRing: now.Slots, megakernel.BindWorkers: now.WorkerTable} {
		if k.words[binding] == nil {
			k.words[binding] = slices.Clone(words)
		}
	}
	for _, b := range target.Buffers {
		if k.words[b.Binding] == nil && capture.IsInput(b.Binding) {
			k.words[b.Binding] = make([]uint32, b.Words)
		}
	}
	return &capture.Capture{Header: h, Text: text, Buffers: k.words}, nil
}
