package tui

import (
	"context"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"vyretop/megakernel"
)

// busySource does something while the dashboard reads its first snapshot after the start, when the
// event loop cannot take messages.
type busySource struct {
	*fakeTarget
	beside func()
	reads  int
	once   sync.Once
}

func (b *busySource) Snapshot() *megakernel.Snapshot {
	if b.reads++; b.reads > 1 { // the first read is before the start
		b.once.Do(b.beside)
	}
	return b.fakeTarget.Snapshot()
}

// delivery raises signals in this process and waits until they were delivered. While it lives they
// do not end the process.
type delivery struct {
	t    *testing.T
	seen chan os.Signal
}

func newDelivery(t *testing.T) *delivery {
	d := &delivery{t: t, seen: make(chan os.Signal, 1)}
	signal.Notify(d.seen, quitSignals...)
	t.Cleanup(func() { signal.Stop(d.seen) })
	return d
}

func (d *delivery) raise(s syscall.Signal) {
	if err := syscall.Kill(os.Getpid(), s); err != nil {
		d.t.Error(err)
		return
	}
	<-d.seen
}

// runUntil shows a dashboard, does something while it is busy, and waits for its end.
func runUntil(t *testing.T, ctx context.Context, beside func()) {
	t.Helper()
	f := newFake()
	f.notify()
	ended := make(chan error, 1)
	go func() {
		ended <- Run(ctx, Options{
			Source: &busySource{fakeTarget: f, beside: beside}, FPS: 100, Environ: utf8Env,
			Input: strings.NewReader(""), Output: io.Discard,
		})
	}()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("the dashboard ended with %v", err)
		}
	case <-time.After(patience):
		t.Fatal("the dashboard has not ended")
	}
}

// The terminal library waited for its own signal handler when something else had ended the program
// at the same time.
func TestSignalWithContextEndDoesNotDeadlock(t *testing.T) {
	signals := newDelivery(t)
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		runUntil(t, ctx, func() {
			cancel()
			signals.raise(syscall.SIGTERM)
		})
	}
}

func TestSignalsEndTheDashboardWithoutError(t *testing.T) {
	signals := newDelivery(t)
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(s.String(), func(t *testing.T) {
			runUntil(t, t.Context(), func() { signals.raise(s) })
		})
	}
}
