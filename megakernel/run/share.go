package run

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/megakernel/workload"
)

// backends are those that share the work.
func (c *Config) backends() []engine.Backend { return append([]engine.Backend{c.Backend}, c.More...) }

// ErrNotShared is matched by the error about a workload that several devices cannot do together.
const ErrNotShared fault.Kind = "the work cannot be shared by several devices"

// CheckShared returns an ErrNotShared for a workload that that many devices cannot do together.
func CheckShared(name string, w workload.Workload, devices int) error {
	if _, ok := w.(workload.Sharer); !ok && devices > 1 {
		return &fault.Error{Kind: ErrNotShared, Subject: name, Detail: string(ErrNotShared), Fix: "give one --device; render, scan, grep, bfs-batch and infer can use several"}
	}
	if devices > megakernel.MaxDevices {
		return &fault.Error{Kind: ErrNotShared, Subject: name, Detail: fmt.Sprintf("there are %d devices", devices), Fix: fmt.Sprintf("give at most %d", megakernel.MaxDevices)}
	}
	return nil
}

// share tells the workload of several devices.
func (c *Config) share() error {
	n := len(c.backends())
	if c.StartNow && (n > 1 || c.Queue != nil) {
		return &fault.Error{Kind: ErrStartNow, Subject: "--start now", Detail: "the work is shared with other devices or a queue", Fix: "leave it out, or give one --device and no --queue"}
	}
	if n == 1 && c.Queue == nil {
		return nil
	}
	if c.Queue != nil {
		if err := CheckQueued("workload", c.Workload); err != nil {
			return err
		}
	}
	if err := CheckShared("workload", c.Workload, n); err != nil {
		return err
	}
	if len(c.Outputs) > 0 {
		return oneDevice("--out " + c.Outputs[0].Buffer + "=" + c.Outputs[0].File)
	}
	c.Workload.(workload.Sharer).Share(n)
	if c.Queue != nil {
		c.Workload.(workload.Queued).Feed(c.Queue.Feed())
	}
	return nil
}

// CheckQueued returns an ErrNotShared for a workload whose work no queue can hand out.
func CheckQueued(name string, w workload.Workload) error {
	if _, ok := w.(workload.Queued); !ok {
		return &fault.Error{Kind: ErrNotShared, Subject: name, Detail: "its work cannot be handed out by a queue", Fix: "leave out --queue; render, scan, grep, bfs-batch and infer can use one"}
	}
	return nil
}

// specializer watches the kernel of a single device; those of several stay as they are.
func (c *Config) specializer(r *Run, k kernel.Config) *specializer {
	mode := c.Mode
	if len(c.More) > 0 {
		mode = Interpreter
	}
	return &specializer{target: r.group.members[0], config: k, profile: r.header.Profile, mode: mode, events: r.hub.Event}
}

// startSessions starts a session on every device, all at the same time, and returns the kernel of the first.
func (r *Run) startSessions(ctx context.Context, c *Config, setup *workload.Setup, events *lateEvents) (*kernel.Kernel, error) {
	list := c.backends()
	numbers := &group{of: megakernel.Numbering{Devices: len(list)}} // those of the target, for events that come before it is there
	sessions, kernels, errs := make([]*resident.Session, len(list)), make([]*kernel.Kernel, len(list)), make([]error, len(list))
	var wait sync.WaitGroup
	var interim *standIn // of the only device
	for i, b := range list {
		wait.Go(func() {
			o := c.options(setup)
			if errs[i] = o.SetLog(c.Log); errs[i] != nil {
				return
			}
			o.Events = func(kind, text string) { events.add(kind, numbers.deviceText(i)+text) }
			o.Reloaded = func(x megakernel.Reload) { r.hub.Reloaded(x) }
			o.Tell = func(e megakernel.HostEvent) { events.addEvent(numbers.eventOf(i, e)) }
			if kernels[i], errs[i] = c.assemble(setup, b); errs[i] == nil {
				sessions[i], errs[i] = c.startSession(ctx, b, kernels[i], o, &interim)
			}
		})
	}
	wait.Wait()
	err := errors.Join(errs...)
	if err == nil {
		r.group, err = newGroup(sessions, c.Workload.Progress)
	}
	if err == nil {
		r.group.interim = interim
	}
	if err != nil {
		for _, s := range sessions {
			if s != nil {
				_ = s.Close() // the run has failed already
			}
		}
		_ = interim.close()
		return nil, err
	}
	return kernels[0], nil
}

// startSession starts a session on a device, or where the interpreter stands in for it: that is interim then.
func (c *Config) startSession(ctx context.Context, b engine.Backend, k *kernel.Kernel, o resident.Options, interim **standIn) (*resident.Session, error) {
	if !c.StartNow {
		return resident.Start(ctx, b, k, o)
	}
	now, err := startNow(b, &o)
	if err != nil {
		return nil, err
	}
	s, err := resident.Start(ctx, now.backend, k, o)
	if now.began(s); err != nil {
		return nil, errors.Join(err, now.close())
	}
	*interim = now
	return s, nil
}

// options are those of the session of any device.
func (c *Config) options(setup *workload.Setup) resident.Options {
	return resident.Options{
		Label:   c.Label,
		Workers: int(c.Want.Workers), Lanes: c.Lanes, SliceTime: c.Slice, Activation: setup.Iterations, Buffers: buffers(setup),
		Observables: setup.Observables, Pages: setup.Pages, NeedsFull: setup.HostDriven != "",
	}
}

// perform has the workload do its work, on one device or on all. ended is called when that is over and the sessions are still
// told of; it may add an error.
func (r *Run) perform(ctx context.Context, ended func(error) error) error {
	if !r.group.of.Several() && r.queue == nil {
		h, working := newHost(ctx, r.group.members[0].Session, r)
		err := ended(r.workload.Run(working, h))
		h.stop()
		if cause := h.failure(); cause != nil {
			return cause
		}
		return err
	}
	w := r.workload.(workload.Sharer)
	working, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if r.queue != nil {
		if err := r.queue.Begin(working, r.workload.(workload.Queued)); err != nil {
			return err
		}
	}
	err := r.group.together(func(device int, m *Watched) error {
		err := r.performOn(working, w, device, m)
		if err != nil {
			cancel(err)
		}
		return err
	})
	if cause := context.Cause(working); err != nil && ctx.Err() == nil && cause != nil {
		err = cause // that of the device that failed first
	}
	if err = ended(err); err != nil {
		return err
	}
	if r.queue != nil {
		if err := r.queue.Join(ctx); err != nil {
			return err
		}
	}
	return w.Joined()
}

// performOn does a device's share of the work. The work of a device that is lost goes to the others, as long as there are any.
func (r *Run) performOn(ctx context.Context, w workload.Sharer, device int, m *Watched) error {
	h, working := newHost(ctx, m.Session, r)
	err := w.RunShare(working, h, workload.Part{Host: device, Workers: m.Shape().Workers, Lanes: m.Shape().Lanes})
	h.stop()
	cause := h.failure()
	if cause == nil && errors.Is(err, engine.ErrDeviceLost) { // a publication may hear of the loss first
		cause = err
	}
	if cause == nil {
		return err
	}
	if ctx.Err() != nil || !errors.Is(cause, engine.ErrDeviceLost) || !r.group.lose(device) {
		return cause
	}
	again := w.Lose(device)
	r.hub.Event(EventDeviceLost, fmt.Sprintf("device %d was lost, %s go to the other devices: %v", device, units.Plural(again, "unit"), cause))
	return nil
}

// EventDeviceLost is the kind of the event about a device that was lost in a run that continues with others.
const EventDeviceLost = "device-lost"

// DeviceShare is what a device of several has done.
type DeviceShare struct {
	Device    int    `json:"device"` // position in the list, as events and columns number it
	Renderer  string `json:"renderer"`
	Workers   int    `json:"workers"`
	Submitted uint64 `json:"submitted"`
	Done      uint64 `json:"done"`
	Faulted   uint64 `json:"faulted"`
	Lost      bool   `json:"lost,omitempty"` // it was lost, and the others did the rest
}

// String says it in one line.
func (d DeviceShare) String() string {
	text := fmt.Sprintf("%d: %s, %d workers, %d done, %d faulted", d.Device, d.Renderer, d.Workers, d.Done, d.Faulted)
	if d.Lost {
		text += ", lost"
	}
	return text
}

// shares are what each device has done; nil where there is one.
func (g *group) shares() (list []DeviceShare) {
	if !g.of.Several() {
		return nil
	}
	for i, w := range g.members {
		s, last := w.Summary(), g.lostSnapshot(i)
		if last != nil {
			s.Submitted, s.Counters = last.Submitted, last.Counters
		}
		list = append(list, DeviceShare{
			Device: i, Renderer: g.target.Devices[i], Workers: w.Shape().Workers, Lost: last != nil,
			Submitted: s.Submitted, Done: s.Counters[megakernel.CountDone], Faulted: s.Counters[megakernel.CountFaulted],
		})
	}
	return list
}
