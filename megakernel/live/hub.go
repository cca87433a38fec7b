// Package live owns what is known of a running megakernel on the host's side: it reads the target
// at a steady rate, keeps the newest snapshot, a bounded tail of the debug log and the host's
// events, passes commands on, and tees all of it into a recording. The dashboard sees a Hub through
// the interfaces that it declares itself; a recording offers the same ones.
//
// One goroutine (Run) reads the target at that rate. Everything else may be called from any goroutine and never
// waits for the target, except Do, Retune, Apply, Undo and Drain, which wait for the target's answer and then read the
// target: the newest snapshot shows what the command did.
package live

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// Session is what a hub needs of a running megakernel.
type Session interface {
	// Snapshot reads the target now; nil while there is nothing to read.
	Snapshot() *megakernel.Snapshot
	// TakeLog returns the debug-log records that are complete and were not yet taken, in order, at most limit. It is not
	// called from two goroutines at once.
	TakeLog(limit int) megakernel.LogBlocks
	// Do carries out a command and returns the kernel's answer. A refusal is not an error: Ack.Result says so.
	Do(ctx context.Context, c megakernel.Command) (megakernel.Ack, error)
	// Retune changes the shape at the next slice boundary and waits until it is in force.
	Retune(ctx context.Context, s megakernel.Shape) error
	// Settings are those in force.
	Settings() megakernel.Settings
	// Apply changes settings and returns what they were and are.
	Apply(ctx context.Context, list ...megakernel.Setting) ([]megakernel.Change, error)
	// Undo takes the last change back and returns what it has changed.
	Undo(ctx context.Context) ([]megakernel.Change, error)
	// Drain refuses new tasks and waits until nothing is left that continues by itself.
	Drain(ctx context.Context) error
}

// Recorder takes what a recording is made of. Its methods must not wait for the disk.
type Recorder interface {
	// Snapshot takes a sample.
	Snapshot(s *megakernel.Snapshot)
	// LogBlocks takes records of the debug log, in their order.
	LogBlocks(blocks megakernel.LogBlocks)
	// Submitted takes tasks that were published; at is the time since launch, as in the next one.
	Submitted(at time.Duration, list []tasks.Task)
	// Command takes a command that the host has given.
	Command(at time.Duration, c megakernel.Command)
	// Event takes what happened on the host's side.
	Event(e megakernel.HostEvent)
	// Reloaded takes handlers that are in force from here on.
	Reloaded(r megakernel.Reload)
}

// Options shape a hub; the zero value of each field means its default.
type Options struct {
	Interval   time.Duration                                                   // between two readings; default 50 ms
	Ticks      <-chan time.Time                                                // when to read instead of every Interval; for tests
	Now        func() time.Time                                                // the clock that events are dated by; default time.Now
	LogRecords int                                                             // retained debug-log records; default 262,144
	Events     int                                                             // retained host events; default 16,384
	Recorder   Recorder                                                        // nil: nothing is recorded
	Record     func(ctx context.Context, file string) (text string, err error) // as command.Recorder; nil: it cannot
	Runner     Runner                                                          // nil: it takes no such requests
	Stop       func()                                                          // ends the run without waiting for that; nothing by default
}

// The defaults of Options.
const (
	DefaultInterval   = 50 * time.Millisecond
	DefaultLogRecords = 1 << 18
	DefaultEvents     = 1 << 14
)

// Hub is the host's view of one target.
type Hub struct {
	quiet atomic.Bool
	*Store
	session  Session
	target   megakernel.Target                 // as it was launched
	reloaded atomic.Pointer[megakernel.Target] // nil: as it was launched
	o        Options
	hits     hits
	trials   trials
	sampling sync.Mutex // one sample at a time
	taking   sync.Mutex // of the log
	attention
	steering
	watchers struct {
		sync.Mutex
		list  []*Subscription
		ended bool
	}
}

// New makes a hub for a running target; nothing is read before Run.
func New(session Session, target megakernel.Target, o Options) *Hub {
	if o.Interval <= 0 {
		o.Interval = DefaultInterval
	}
	if o.Stop == nil {
		o.Stop = func() {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	h := &Hub{Store: NewStore(o.LogRecords, o.Events), session: session, target: target, o: o, attention: attention{c: make(chan struct{})}}
	h.steering.hub = h
	return h
}

// Run reads the target until ctx ends, and once more then, so that the last state is kept.
func (h *Hub) Run(ctx context.Context) {
	defer h.endSubscriptions()
	ticks := h.o.Ticks
	if ticks == nil {
		t := time.NewTicker(h.o.Interval)
		defer t.Stop()
		ticks = t.C
	}
	h.sample()
	var pump sync.WaitGroup
	defer pump.Wait()
	pumping, stop := context.WithCancel(ctx)
	defer stop()
	pump.Go(func() { h.pumpLog(pumping) })
	for {
		select {
		case <-ctx.Done():
			h.sample()
			return
		case <-ticks:
			h.sample()
		}
	}
}

// sample reads the target once. The log comes first: a snapshot then counts no record as lost that
// the tail has.
func (h *Hub) sample() {
	if h.quiet.Load() {
		return
	}
	h.sampling.Lock()
	defer h.sampling.Unlock()
	h.takeLog()
	s := h.session.Snapshot()
	if s == nil {
		return
	}
	h.noteHits() // after the snapshot: it has what the hits did
	h.noteChanges(h.publish(s), s)
	h.watchRates(s)
	if h.o.Recorder != nil {
		h.o.Recorder.Snapshot(s)
	}
	h.Notify()
}

// noteChanges turns a new phase into an event; changes of shape the session reports itself.
func (h *Hub) noteChanges(before, now *megakernel.Snapshot) {
	if before == nil || before.Phase != now.Phase {
		h.Event("phase", "the target is "+now.Phase.String())
	}
}

// now is the time since the target was launched.
func (h *Hub) now() time.Duration { return h.o.Now().Sub(h.target.Started) }

// Event adds an event of the host: what kind, and what happened in words.
func (h *Hub) Event(kind, text string) {
	h.Tell(megakernel.HostEvent{Kind: kind, Text: text})
}

// Tell adds and records an event that happens now.
func (h *Hub) Tell(e megakernel.HostEvent) {
	e.At = h.now()
	h.AddEvent(e)
	if h.o.Recorder != nil {
		h.o.Recorder.Event(e)
	}
}

// EpochAdvanced notes that the workload advanced the epoch, without a command.
func (h *Hub) EpochAdvanced() {
	if h.o.Recorder != nil {
		h.o.Recorder.Command(h.now(), megakernel.Command{Op: megakernel.OpAdvanceEpoch, Arg: 1})
	}
}

// Submitted notes that tasks were published. The hub does not change list and records it before
// it returns.
func (h *Hub) Submitted(list []tasks.Task) {
	if h.o.Recorder != nil {
		h.o.Recorder.Submitted(h.now(), list)
	}
}
