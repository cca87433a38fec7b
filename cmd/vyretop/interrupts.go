package main

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

// interrupts turns signals that ask the process to end into the end of a context. While something can be ended in order, the first
// one asks for that instead; the next one ends the context.
type interrupts struct {
	orderly    atomic.Pointer[func()]
	terminated atomic.Bool // by a signal that another process sent, or the system
	forwarded  bool        // the terminal sends Ctrl-C to this process and to the one that waits for it, which forwards its own
}

// burst is how long several requests to terminate are one: timeout(1) sends them to a whole process group, and the process
// that waits for a run forwards those that it gets.
const burst = 250 * time.Millisecond

// hangups receives those that have no other receiver.
var hangups = make(chan os.Signal, 1)

// context ends with the first signal that is not used otherwise. After it the system's own reaction is back, but for hangups:
// a terminal that goes away sends one to the whole process group, and the process that waits for a run sends another.
func (i *interrupts) context(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		defer signal.Stop(signals)
		for seen := (repeats{}); ; {
			select {
			case s := <-signals:
				if seen.repeated(s, time.Now(), i.forwarded) {
					continue
				}
				if s != os.Interrupt {
					i.terminated.Store(true)
				}
			case <-ctx.Done():
				return
			}
			// signal.Ignore and signal.Stop restore the default action for a short time; with a channel that is never
			// stopped, no hangup meets it.
			signal.Notify(hangups, syscall.SIGHUP)
			end := i.orderly.Swap(nil)
			if end == nil {
				cancel()
				if !i.forwarded {
					signal.Reset(os.Interrupt)
				}
				time.Sleep(burst)
				return
			}
			(*end)()
		}
	}()
	return ctx, cancel
}

// repeats is when each signal came last.
type repeats map[os.Signal]time.Time

// repeated reports whether a signal is of the same cause as one before. Each press of Ctrl-C counts, unless it is also
// forwarded.
func (r repeats) repeated(s os.Signal, now time.Time, forwarded bool) bool {
	before, seen := r[s]
	r[s] = now
	return seen && (s == syscall.SIGHUP || (s == syscall.SIGTERM || forwarded) && now.Sub(before) < burst)
}

// first has the first signal call end, until the function that it returns is called.
func (i *interrupts) first(end func()) (done func()) {
	i.orderly.Store(&end)
	return func() { i.orderly.CompareAndSwap(&end, nil) }
}
