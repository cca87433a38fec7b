package resident

import (
	"context"
	"fmt"
	"slices"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/tasks"
)

// prepare compiles the program, and allocates, fills and binds every buffer.
func (s *Session) prepare(ctx context.Context) error {
	if err := s.full.firstForm(&s.forms, ctx); err != nil {
		return err
	}
	control, err := megakernel.EncodeControl(uint32(s.options.Tenants), s.options.Observables)
	if err != nil {
		return err
	}
	c := s.kernel.Config
	var sched engine.Words
	for _, b := range []struct {
		words *engine.Words
		init  BufferInit
	}{
		{&s.control, BufferInit{Name: "control", Binding: megakernel.BindControl, Data: control}},
		{&s.ring, BufferInit{Name: "ring", Binding: megakernel.BindRing, Words: c.Slots * tasks.SlotWords, Placement: slotPlacement(c)}},
		{&s.log, BufferInit{Name: "log", Binding: megakernel.BindLog, Words: megakernel.LogWords(c.LogRecords), Data: megakernel.LogHeader(c.LogRecords)}},
		{&s.io.words, s.options.ioInit()},
		{&sched, s.schedInit(control)},
		{&s.inbox, BufferInit{Name: "inbox", Binding: megakernel.BindInbox, Words: megakernel.InboxWords(c.InboxTasks)}},
		{&s.outbox, BufferInit{Name: "outbox", Binding: megakernel.BindOutbox, Words: s.outboxWords()}},
		{&s.workers, BufferInit{Name: "workers", Binding: megakernel.BindWorkers, Data: initialWorkers(c.Slots, s.options.Workers)}},
	} {
		if err := s.allocate(ctx, b.init, b.words); err != nil {
			return err
		}
	}
	s.queue.words = s.inbox
	s.slots = s.ring
	if c.Mirror {
		s.slots = s.outbox[s.kernel.MirrorAt():s.kernel.KeptAt()]
	}
	s.changes.init(s.kernel, s.slots, sched, s.outbox)
	return s.allocateUser(ctx)
}

// slotPlacement: slots that have a mirror are for the device alone, and so is what says which of them
// have changed.
func slotPlacement(c kernel.Config) engine.Placement {
	if c.Mirror {
		return engine.DeviceLocal
	}
	return engine.HostVisible
}

// allocateUser allocates the workload's buffers and checks them against the program.
func (l *launch) allocateUser(ctx context.Context) error {
	declared := map[uint32]bool{}
	for _, spec := range l.kernel.Program.Buffers {
		declared[spec.Binding] = true
	}
	for _, b := range l.options.Buffers {
		if len(declared) > 0 && !declared[b.Binding] {
			return &fault.Error{Kind: ErrOption, Subject: "buffer " + b.Name + " = " + fmt.Sprint(b.Binding), Detail: "no handler file declares a block with that binding", Fix: "declare it, or remove the buffer"}
		}
		if err := l.allocate(ctx, b, nil); err != nil {
			return err
		}
	}
	return nil
}

func (l *launch) allocate(ctx context.Context, init BufferInit, words *engine.Words) error {
	size := max(init.Words, len(init.Data))
	b, err := l.backend.Allocate(ctx, init.Name, size, init.Placement)
	if err != nil {
		return err
	}
	l.buffers[init.Name] = b
	l.bindings = append(l.bindings, engine.Binding{Index: init.Binding, Buffer: b})
	if words != nil {
		*words = b.Words()
	}
	if len(init.Data) == 0 {
		return nil
	}
	return b.Upload(ctx, 0, init.Data)
}

// initialSched is the scheduler's state before the first slice: every slot free, the tenant masks
// and quotas as in control, times factor, epoch 0 swept.
func initialSched(l megakernel.SchedLayout, control []uint32, factor uint32) []uint32 {
	w := make([]uint32, l.Words)
	for t, mask := range control[megakernel.CtrlTenantMask0:][:megakernel.Tenants] {
		if mask != 0 {
			w[megakernel.SchedAllowed] |= 1 << t
		}
	}
	w[megakernel.SchedPermitted] = w[megakernel.SchedAllowed]
	quotas := quotasOf(control)
	smallest := slices.Min(quotas[:])
	for t, quota := range quotas {
		w[megakernel.SchedQuotas+t] = min(quota, smallest*megakernel.QuotaSpan) * factor
		w[megakernel.SchedMetered] |= quota ^ megakernel.DefaultQuota
	}
	free := w[l.Set(megakernel.SetFree):]
	for leaf := range l.Slots / 32 {
		region := leaf / 32
		free[l.LeafOffset()+leaf] = ^uint32(0)
		free[megakernel.SetMid+region] |= 1 << (leaf % 32)
		free[megakernel.SetTop+region/32] |= 1 << (region % 32)
	}
	return w
}

// initialWorkers spreads the workers' searches evenly over the slots, so that they do not go for the
// same tasks; their search for free slots begins at 0, so that slots fill up in order.
func initialWorkers(slots, workers int) []uint32 {
	w := make([]uint32, megakernel.MaxWorkers*megakernel.WorkerWords)
	for id := range megakernel.MaxWorkers {
		record := w[id*megakernel.WorkerWords:]
		record[megakernel.WkSlot] = megakernel.NoSlot
		for p := range tasks.NumPriorities {
			record[megakernel.WkCursor0+p] = uint32(id * slots / workers % slots &^ 31)
		}
	}
	return w
}
