package main

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// interrupts turns signals that ask the process to end into the end of a context. While something can be ended in order, the first
// one asks for that instead; the next one ends the context.
type interrupts struct {
	orderly atomic.Pointer[func()]
}

// context ends with the first signal that is not used otherwise. After it the system's own reaction is back.
func (i *interrupts) context(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 2)
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
				return
			}
			(*end)()
		}
	}()
	return ctx, cancel
}

// first has the first signal call end, until the function that it returns is called.
func (i *interrupts) first(end func()) (done func()) {
	i.orderly.Store(&end)
	return func() { i.orderly.CompareAndSwap(&end, nil) }
}
