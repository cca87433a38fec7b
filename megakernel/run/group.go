package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/live"
	"vyretop/megakernel/resident"
	"vyretop/megakernel/workload"
)

// group is the sessions of a run, one for each device. A lost device stays in it with what it had done; the others do the rest.
type group struct {
	of      megakernel.Numbering
	members []*Watched
	target  megakernel.Target
	event   func(kind, text string) // tells of losses; nil before there is a hub
	interim *standIn                // nil: the devices do the work from the beginning

	mu   sync.Mutex
	lost []*megakernel.Snapshot // the last of each lost device, nil for others
}

// newGroup joins sessions that run the same kernel. progress says how far the work is, as workload.Workload does.
func newGroup(sessions []*resident.Session, progress func() (done, total int64, unit string)) (*group, error) {
	g := &group{lost: make([]*megakernel.Snapshot, len(sessions))}
	for _, s := range sessions {
		w, err := Watch(s, progress)
		if err != nil {
			return nil, err
		}
		g.members = append(g.members, w)
	}
	g.target = joinTargets(sessions)
	g.of = g.target.Numbering()
	return g, nil
}

// joinTargets describes sessions as one target.
func joinTargets(sessions []*resident.Session) megakernel.Target {
	t := sessions[0].Target()
	if len(sessions) == 1 {
		return t
	}
	n := len(sessions)
	t.Devices = []string{t.Renderer}
	for _, s := range sessions[1:] {
		other := s.Target()
		t.Devices = append(t.Devices, other.Renderer)
		if other.Started.After(t.Started) {
			t.Started = other.Started
		}
	}
	t.Slots *= n
	t.MaxWorkers *= n
	t.Device.ComputeUnits *= n
	t.Device.AtOnce *= n
	t.Device.MemoryBytes *= uint64(n)
	t.Renderer = fmt.Sprintf("%d devices: %s", n, strings.Join(slices.Compact(slices.Clone(t.Devices)), ", "))
	t.Buffers = nil // each device has its own, under the same names
	return t
}

// source is the target as a hub reads it: the only session itself, or all of them as one.
func (g *group) source() live.Session {
	if g.of.Several() {
		return &joined{group: g}
	}
	return g.members[0]
}

// first is a session that is not lost; all have the same kernel.
func (g *group) first() *Watched { return g.members[g.alive()[0]] }

// alive are the numbers of the devices that are not lost, all where all are.
func (g *group) alive() (list []int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, s := range g.lost {
		if s == nil {
			list = append(list, i)
		}
	}
	return list
}

// lose leaves out a device that was lost. It reports false for the last one, whose loss is that of the target.
func (g *group) lose(device int) bool {
	last := g.members[device].Session.Snapshot()
	g.mu.Lock()
	defer g.mu.Unlock()
	left := 0
	for i, s := range g.lost {
		if s == nil && i != device {
			left++
		}
	}
	if left == 0 {
		return false
	}
	last.Phase = megakernel.PhaseLost
	clear(last.Slots)
	for at := 0; at+megakernel.WorkerWords <= len(last.WorkerTable); at += megakernel.WorkerWords {
		last.WorkerTable[at+megakernel.WkState], last.WorkerTable[at+megakernel.WkSlot] = uint32(megakernel.WorkerAbsent), megakernel.NoSlot
	}
	c := &last.Counters
	ended := c[megakernel.CountDone] + c[megakernel.CountFaulted] // what has not ended counts where it is done again
	c[megakernel.CountSpawned] = min(c[megakernel.CountSpawned], ended)
	last.Submitted = ended - c[megakernel.CountSpawned]
	g.lost[device] = last
	return true
}

// lostSnapshot is the last snapshot of a lost device, nil for another.
func (g *group) lostSnapshot(device int) *megakernel.Snapshot {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.lost[device]
}

// each calls f for the sessions of all devices that are not lost, until one fails.
func (g *group) each(f func(*Watched) error) error {
	for _, i := range g.alive() {
		if err := f(g.members[i]); err != nil {
			return err
		}
	}
	return nil
}

// together is each for calls that wait for the device: all at the same time.
func (g *group) together(f func(device int, w *Watched) error) error {
	list := g.alive()
	errs := make([]error, len(list))
	var wait sync.WaitGroup
	for k, i := range list {
		wait.Go(func() { errs[k] = f(i, g.members[i]) })
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (g *group) awaitRest(ctx context.Context) error {
	return g.together(func(device int, w *Watched) error { return g.survive(device, w.AwaitRest(ctx)) })
}

// awaitUnheld waits until nothing is left that the sessions could do, and no breakpoint holds a task.
func (g *group) awaitUnheld(ctx context.Context) error {
	return g.together(func(device int, w *Watched) error { return g.survive(device, resident.AwaitUnheld(ctx, w.Session)) })
}

// stop ends all sessions.
func (g *group) stop(ctx context.Context) error {
	return g.together(func(device int, w *Watched) error { return g.survive(device, w.Stop(ctx)) })
}

// survive leaves out a device that was lost with nothing left to do: of what it had done the host has the results.
func (g *group) survive(device int, err error) error {
	if !errors.Is(err, engine.ErrDeviceLost) || !g.lose(device) {
		return err
	}
	if g.event != nil {
		g.event(EventDeviceLost, fmt.Sprintf("device %d was lost after its work: %v", device, err))
	}
	return nil
}

// ended counts the tasks that have ended. None is left of a lost device: the others do what it had not done.
func (g *group) ended() workload.Tally {
	var sum workload.Tally
	for i, w := range g.members {
		t := ended(w.Session)
		if last := g.lostSnapshot(i); last != nil {
			t = workload.Tally{Done: last.Counters[megakernel.CountDone], Faulted: last.Counters[megakernel.CountFaulted]}
		}
		sum.Done, sum.Faulted, sum.Left = sum.Done+t.Done, sum.Faulted+t.Faulted, sum.Left+t.Left
	}
	return sum
}

// summary is the sum over all devices.
func (g *group) summary() resident.Summary {
	sum := g.members[0].Summary()
	if !g.of.Several() {
		return sum
	}
	sum = resident.Summary{Elapsed: sum.Elapsed}
	for i, w := range g.members {
		s := w.Summary()
		if last := g.lostSnapshot(i); last != nil {
			s.Submitted, s.Counters = last.Submitted, last.Counters
		}
		if first := s.FirstDone; !first.IsZero() && (sum.FirstDone.IsZero() || first.Before(sum.FirstDone)) {
			sum.FirstDone = first
		}
		sum.Submitted, sum.Slices, sum.Log = sum.Submitted+s.Submitted, sum.Slices+s.Slices, sum.Log+s.Log
		for k, n := range s.Counters {
			sum.Counters[k] += n
		}
	}
	return sum
}

// shape is the workers of all devices that are not lost, and the lanes of one.
func (g *group) shape() Shape {
	s := Shape{WorkgroupSize: g.first().Workgroup()}
	for _, i := range g.alive() {
		s.Workers += g.members[i].Shape().Workers
	}
	return s
}

// pausedFor is how long all workers of all devices were paused, at least.
func (g *group) pausedFor() time.Duration {
	least := g.first().PausedFor()
	for _, i := range g.alive() {
		least = min(least, g.members[i].PausedFor())
	}
	return least
}

// logCounts is how many records of the debug log were read, and lost.
func (g *group) logCounts() (read, lost uint64, kinds [megakernel.NumEvents]uint64) {
	for _, w := range g.members {
		read, lost = read+w.Taken(), lost+w.Lost()
		for k, n := range w.LostKinds() {
			kinds[k] += n
		}
	}
	return read, lost, kinds
}

// faults are the first ones of each device, in words.
func (g *group) faults() (list []string) {
	for i, w := range g.members {
		for _, text := range resident.FirstFaults(w.Session) {
			list = append(list, g.deviceText(i)+text)
		}
	}
	return list
}

// undefined is what kernels did that GLSL does not define, and where.
func (g *group) undefined() (list []engine.Undefined, places []*megakernel.Place) {
	for i, w := range g.members {
		for _, u := range w.Undefined() {
			list = append(list, u)
			places = append(places, g.place(i, w.Place(&u)))
		}
	}
	return list, places
}

// deviceText begins a text about one device of several.
func (g *group) deviceText(device int) string {
	if !g.of.Several() {
		return ""
	}
	return fmt.Sprintf("device %d: ", device)
}

// place gives a place the target's numbers.
func (g *group) place(device int, p *megakernel.Place) *megakernel.Place {
	if p == nil || !g.of.Several() {
		return p
	}
	out := *p
	out.Worker, out.Task = g.of.Worker(device, p.Worker), g.of.Task(device, p.Task)
	return &out
}

// eventOf is an event of one device as the target's.
func (g *group) eventOf(device int, e megakernel.HostEvent) megakernel.HostEvent {
	e.Text, e.Place = g.deviceText(device)+e.Text, g.place(device, e.Place)
	return e
}

// compiling reports whether a driver compiles for the run.
func (g *group) compiling() bool {
	return slices.ContainsFunc(g.members, func(w *Watched) bool { return w.Compiling() })
}

// close frees all sessions. The loss of a device that the others made up for is not told.
func (g *group) close() error {
	var first error
	for i, w := range g.members {
		if err := w.Session.Close(); err != nil && first == nil && g.lostSnapshot(i) == nil {
			first = err
		}
	}
	return cmp.Or(first, g.interim.close())
}

// ErrOneDevice is matched by errors about what a run on several devices cannot do.
const ErrOneDevice fault.Kind = "needs a run on one device"

func oneDevice(what string) error {
	return &fault.Error{Kind: ErrOneDevice, Subject: what, Detail: "cannot be done in a run on several devices", Fix: "run it with one --device"}
}
