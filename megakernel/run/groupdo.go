package run

import (
	"context"
	"slices"
	"sync"

	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
)

// Do implements live.Session. A command for a worker or a task goes to its device, any other to all.
func (g *joined) Do(ctx context.Context, c megakernel.Command) (megakernel.Ack, error) {
	switch c.Op {
	case megakernel.OpPauseWorker, megakernel.OpResumeWorker, megakernel.OpStepWorker:
		device, worker := g.of.OfWorker(int(c.Worker))
		local := c
		local.Worker = uint32(worker)
		return g.doOn(ctx, device, c, local)
	case megakernel.OpPauseTask, megakernel.OpResumeTask, megakernel.OpRequeueTask, megakernel.OpReprioritize, megakernel.OpReap, megakernel.OpEditTask:
		return g.doTask(ctx, c)
	case megakernel.OpEditBuffer:
		return megakernel.Ack{}, oneDevice("edit of a buffer")
	}
	return g.doAll(ctx, c)
}

// doTask finds the device of a task: by its slot, or by what each answers.
func (g *joined) doTask(ctx context.Context, c megakernel.Command) (ack megakernel.Ack, err error) {
	first, slot, _ := g.of.OfSlot(c.Slot)
	local := c
	if device, id, spawned := g.of.OfTask(c.Task); spawned {
		local.Task = id
		if device != first {
			first, slot = device, 0
		}
		local.Slot = slot
		return g.doOn(ctx, first, c, local)
	}
	local.Slot = slot
	if ack, err = g.doOn(ctx, first, c, local); err != nil || ack.Result != megakernel.AckNotFound {
		return ack, err
	}
	for _, i := range g.alive() {
		if i == first {
			continue
		}
		if ack, err = g.doOn(ctx, i, c, local); err != nil || ack.Result != megakernel.AckNotFound {
			break
		}
	}
	return ack, err
}

// doOn gives a device a command in its own numbers, and answers in those of the target.
func (g *joined) doOn(ctx context.Context, device int, c, local megakernel.Command) (megakernel.Ack, error) {
	if g.lostSnapshot(device) != nil {
		return megakernel.Ack{Command: c, Result: megakernel.AckNotFound}, nil
	}
	ack, err := g.members[device].Do(ctx, local)
	ack.Command = c
	switch c.Op {
	case megakernel.OpPauseWorker, megakernel.OpResumeWorker:
		ack.Slot = uint32(g.of.Worker(device, int(ack.Slot)))
	case megakernel.OpStepWorker:
		ack.Slot = uint32(g.of.Worker(device, int(ack.Slot)))
		if ack.Detail != 0 {
			ack.Detail = g.of.Slot(device, ack.Detail-1) + 1
		}
	default:
		ack.Slot = g.of.Slot(device, ack.Slot)
	}
	return ack, err
}

// doAll gives all devices a command. The answer is the first one that differs from applied, after the slowest device.
func (g *joined) doAll(ctx context.Context, c megakernel.Command) (megakernel.Ack, error) {
	var mu sync.Mutex
	all := megakernel.Ack{Command: c, Result: megakernel.AckApplied}
	err := g.together(func(_ int, w *Watched) error {
		ack, err := w.Do(ctx, c)
		mu.Lock()
		defer mu.Unlock()
		all.Latency = max(all.Latency, ack.Latency)
		if all.Result == megakernel.AckApplied {
			all.Result, all.Slot, all.Detail = ack.Result, ack.Slot, ack.Detail
		}
		return err
	})
	if c.Op == megakernel.OpResumeAll {
		g.members[0].noteResumed()
	}
	return all, err
}

// workersOf is the workers of each device where all have that many.
func (g *joined) workersOf(all int) int {
	n := g.of.Devices
	return (all + n - 1) / n
}

// Retune implements live.Session; each device gets its part of the workers.
func (g *joined) Retune(ctx context.Context, s megakernel.Shape) error {
	s.Workers = g.workersOf(s.Workers)
	return g.together(func(_ int, w *Watched) error { return w.Retune(ctx, s) })
}

// Settings implements live.Session; the workers are those of all devices.
func (g *joined) Settings() megakernel.Settings {
	s := g.first().Settings()
	s.Workers *= g.of.Devices
	return s
}

// Apply implements live.Session: all devices get the same settings.
func (g *joined) Apply(ctx context.Context, list ...megakernel.Setting) ([]megakernel.Change, error) {
	each := make([]megakernel.Setting, len(list))
	for i, s := range list {
		if each[i] = s; s.ID == megakernel.WorkersSetting {
			each[i].Value = int64(g.workersOf(int(s.Value)))
		}
	}
	return g.change(func(w *Watched) ([]megakernel.Change, error) { return w.Apply(ctx, each...) })
}

// Undo implements live.Session.
func (g *joined) Undo(ctx context.Context) ([]megakernel.Change, error) {
	return g.change(func(w *Watched) ([]megakernel.Change, error) { return w.Undo(ctx) })
}

// change makes the same changes on all devices, and tells them once.
func (g *joined) change(f func(*Watched) ([]megakernel.Change, error)) (changes []megakernel.Change, err error) {
	first := g.first()
	err = g.together(func(_ int, w *Watched) error {
		list, err := f(w)
		if w == first {
			changes = list
		}
		return err
	})
	for i := range changes {
		if c := &changes[i]; c.ID == megakernel.WorkersSetting {
			c.Value, c.Old = c.Value*int64(g.of.Devices), c.Old*int64(g.of.Devices)
		}
	}
	return changes, err
}

// Drain implements live.Session.
func (g *joined) Drain(ctx context.Context) error {
	return g.together(func(_ int, w *Watched) error { return w.Drain(ctx) })
}

// Arm sets a breakpoint on all devices. Conditions on numbers that differ between the device and the target are refused.
func (g *joined) Arm(ctx context.Context, b breakpoint.Breakpoint) (s breakpoint.Status, err error) {
	if slices.ContainsFunc(b.Program, func(s breakpoint.Step) bool {
		return s.Kind == breakpoint.Test && (s.Field == breakpoint.Worker || s.Field == breakpoint.Slot)
	}) {
		return s, oneDevice("breakpoint on a worker or slot")
	}
	first := g.first()
	err = g.together(func(_ int, w *Watched) error {
		status, err := w.Arm(ctx, b)
		if w == first {
			s = status
		}
		return err
	})
	if err != nil && s.ID != 0 {
		_ = g.Disarm(ctx, s.ID) // none has it, or all
	}
	return s, err
}

// Disarm removes a breakpoint from all devices.
func (g *joined) Disarm(ctx context.Context, id int) error {
	return g.together(func(_ int, w *Watched) error { return w.Disarm(ctx, id) })
}

// Enable switches a breakpoint on all devices.
func (g *joined) Enable(ctx context.Context, id int, on bool) error {
	return g.together(func(_ int, w *Watched) error { return w.Enable(ctx, id, on) })
}

// Breakpoints lists the breakpoints, which all devices have under the same numbers, with the hits of all.
func (g *joined) Breakpoints() (out []breakpoint.Status) {
	at := map[int]int{}
	for _, i := range g.alive() {
		for _, b := range g.members[i].Breakpoints() {
			if b.Task != 0 {
				b.Task = g.of.Task(i, b.Task)
			}
			workers := make([]breakpoint.WorkerHits, len(b.Workers))
			for k, w := range b.Workers {
				workers[k] = breakpoint.WorkerHits{Worker: g.of.Worker(i, w.Worker), Hits: w.Hits}
			}
			b.Workers = workers
			k, known := at[b.ID]
			if !known {
				at[b.ID] = len(out)
				out = append(out, b)
				continue
			}
			o := &out[k]
			o.Pending, o.Compiling = o.Pending || b.Pending, o.Compiling || b.Compiling
			o.Hits, o.Latency = o.Hits+b.Hits, max(o.Latency, b.Latency)
			o.Workers = append(o.Workers, b.Workers...)
			slices.SortFunc(o.Workers, func(a, b breakpoint.WorkerHits) int { return a.Worker - b.Worker })
			if o.Task == 0 {
				o.Task = b.Task
			}
		}
	}
	return out
}
