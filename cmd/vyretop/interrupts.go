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
	orderly atomic.Pointer[func()]
}

// burst is how long the signals behind one that acts are the same one: a terminal sends its signals to the whole process
// group, and so does timeout(1), and the process that waits for this one forwards what it gets, too.
const burst = 250 * time.Millisecond

// context ends with the first signal that is not used otherwise. After it the system's own reaction is back, but for hangups:
// the process that waits for this one may send one of its own later.
func (i *interrupts) context(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		defer signal.Stop(signals)
		for {
			select {
			case <-signals:
			case <-ctx.Done():
				return
			}
			end := i.orderly.Swap(nil)
			if end == nil {
				cancel()
				drop(signals)
				signal.Ignore(syscall.SIGHUP)
				return
			}
			(*end)()
			drop(signals)
		}
	}()
	return ctx, cancel
}

// drop takes what comes for the length of a burst.
func drop(signals <-chan os.Signal) {
	for end := time.After(burst); ; {
		select {
		case <-signals:
		case <-end:
			return
		}
	}
}

// first has the first signal call end, until the function that it returns is called.
func (i *interrupts) first(end func()) (done func()) {
	i.orderly.Store(&end)
	return func() { i.orderly.CompareAndSwap(&end, nil) }
}
