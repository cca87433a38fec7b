// Package owner runs everything that must happen on one OS thread. An OpenGL context belongs to the
// thread it is current on, so one goroutine locks itself to a thread, makes the context there, and
// runs every command sent to it in order; between commands it polls what the device still works on.
//
// Three calls would deadlock and are the caller's duty to avoid: Do from inside a command (the
// thread waits for itself), Do or Close from State.Poll or State.Linger, and Close while a command
// waits for something that only the closer would do.
package owner

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"vyretop/engine/fault"
)

// ErrClosed is returned for commands sent after Close.
var ErrClosed = errors.New("the owner of the thread is closed")

// ErrPanic is the kind of the error by which a panic of a command comes to the caller of Do: it must not unwind through the
// loop, which would take the whole process down.
const ErrPanic fault.Kind = "command panicked"

// State is what lives on the thread. Its methods run there and nowhere else.
type State interface {
	Open() error  // runs first; when it fails nothing else runs
	Poll() Pace   // settles what has ended; reports how soon to look again
	Linger()      // waits briefly for what is under way while Busy; commands wait that long
	Abandon()     // no command will follow: gives up what Close need not wait for
	Close() error // runs last
}

// Pace is how soon a state wants to be polled again.
type Pace uint8

// The paces, the least urgent first.
const (
	Idle Pace = iota // after the next command: nothing is under way
	Slow             // after the next command, or in slowStep: the end need not be noticed at once
	Busy             // after a Linger
)

// slowStep is long against a poll and short against what is slow, such as a compilation.
const slowStep = time.Millisecond

// queueLength bounds the commands that wait for the thread. Senders beyond it block.
const queueLength = 256

// Owner is one goroutine on a locked OS thread.
type Owner struct {
	commands chan func()
	closing  chan struct{} // closed by Close: no more commands
	ended    chan struct{} // closed when the thread is gone
	once     sync.Once
	senders  sync.RWMutex // held for reading while sending; Close takes it to see the last sender leave
	err      error        // of State.Close, valid once ended is closed
}

// Start locks a thread, opens the state on it and returns once that has succeeded or failed.
func Start(s State) (*Owner, error) {
	o := &Owner{
		commands: make(chan func(), queueLength),
		closing:  make(chan struct{}),
		ended:    make(chan struct{}),
	}
	opened := make(chan error, 1)
	go o.run(s, opened)
	if err := <-opened; err != nil {
		<-o.ended
		return nil, err
	}
	return o, nil
}

// run never unlocks its thread: the runtime then ends the thread with the goroutine, and with it
// whatever a driver keeps in thread-local storage.
func (o *Owner) run(s State, opened chan<- error) {
	runtime.LockOSThread()
	defer close(o.ended)
	if err := s.Open(); err != nil {
		opened <- err
		return
	}
	opened <- nil
	o.loop(s)
	o.err = s.Close()
}

// loop runs commands, and polls after each: on a device whose dispatch call blocks, the end of one
// dispatch must be told before the next one starts.
func (o *Owner) loop(s State) {
	tick := time.NewTimer(slowStep)
	defer tick.Stop()
	for {
		var cmd func()
		open := true
		switch s.Poll() {
		case Busy:
			select {
			case cmd, open = <-o.commands:
			default:
				s.Linger()
			}
		case Slow:
			tick.Reset(slowStep)
			cmd, open = o.next(tick.C)
		case Idle:
			cmd, open = o.next(nil)
		}
		if !open {
			o.settle(s)
			return
		}
		if cmd != nil {
			cmd()
		}
	}
}

// eager is for how long the thread looks for the next command before it lets the processor go: waking a
// thread costs 5 to 50 us, and a command that follows from the last one's end comes sooner.
const eager = 20 * time.Microsecond

// looks is how many looks go by between looks at the time.
const looks = 64

// next waits for a command, or until the tick: cmd is nil then. open is false after Close.
func (o *Owner) next(tick <-chan time.Time) (cmd func(), open bool) {
	var begun time.Time
	for {
		for range looks {
			if len(o.commands) > 0 {
				cmd, open = <-o.commands
				return cmd, open
			}
		}
		now := time.Now()
		if begun.IsZero() {
			begun = now
		}
		if now.Sub(begun) > eager {
			break
		}
	}
	select {
	case cmd, open = <-o.commands:
		return cmd, open
	case <-tick:
		return nil, true
	}
}

func (o *Owner) settle(s State) {
	s.Abandon()
	for s.Poll() == Busy {
		s.Linger()
	}
}

// Post queues a command and returns without waiting for it to run. It blocks only while the queue
// is full.
func (o *Owner) Post(ctx context.Context, cmd func()) error {
	o.senders.RLock()
	defer o.senders.RUnlock()
	select {
	case <-o.closing:
		return ErrClosed
	default:
	}
	select {
	case o.commands <- cmd:
		return nil
	case <-o.closing:
		return ErrClosed
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// The states of a command that somebody waits for.
const (
	waiting = iota
	running
	abandoned
)

// Do runs a command on the thread and waits for it. When ctx ends first and the command has not
// begun, it never will; one that has begun is waited for, so nothing it makes is lost.
func (o *Owner) Do(ctx context.Context, cmd func() error) error {
	var state atomic.Int32
	result := make(chan error, 1)
	err := o.Post(ctx, func() {
		if state.CompareAndSwap(waiting, running) {
			result <- guarded(cmd)
		}
	})
	if err != nil {
		return err
	}
	select {
	case err := <-result:
		return err
	case <-ctx.Done():
		if state.CompareAndSwap(waiting, abandoned) {
			return context.Cause(ctx)
		}
		return <-result
	}
}

func guarded(cmd func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &fault.Error{Kind: ErrPanic, Detail: fmt.Sprintf("command panicked: %v", v)}
		}
	}()
	return cmd()
}

// Close runs the commands queued so far, waits for what is under way, closes the state and ends
// the thread. Further calls wait for the first and return the same error.
func (o *Owner) Close() error {
	o.once.Do(func() {
		close(o.closing)
		o.senders.Lock()
		close(o.commands)
		o.senders.Unlock()
	})
	<-o.ended
	return o.err
}
