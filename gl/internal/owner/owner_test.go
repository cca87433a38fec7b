package owner

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// bench is a state whose device is a counter of flights, and one of slow things, that the test ends.
type bench struct {
	openErr, closeErr error
	flights, slow     atomic.Int32
	polls             atomic.Int32
	lingers           atomic.Int32
	closed            atomic.Bool
}

func (b *bench) Open() error  { return b.openErr }
func (b *bench) Abandon()     { b.slow.Store(0) }
func (b *bench) Linger()      { b.lingers.Add(1) }
func (b *bench) Close() error { b.closed.Store(true); return b.closeErr }

func (b *bench) Poll() Pace {
	b.polls.Add(1)
	switch {
	case b.flights.Load() > 0:
		return Busy
	case b.slow.Load() > 0:
		return Slow
	default:
		return Idle
	}
}

func started(t *testing.T, b *bench) *Owner {
	t.Helper()
	o, err := Start(b)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = o.Close() })
	return o
}

// TestCommandsRunInOrder queues commands from one goroutine and expects their order.
func TestCommandsRunInOrder(t *testing.T) {
	o := started(t, &bench{})
	var got []int
	for i := range 2 * queueLength {
		if err := o.Post(t.Context(), func() { got = append(got, i) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.Do(t.Context(), func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		if i != v {
			t.Fatalf("command %d ran as number %d", v, i)
		}
	}
}

// TestDoReturnsTheCommandsError and turns its panic into one.
func TestDoReturnsTheCommandsError(t *testing.T) {
	o := started(t, &bench{})
	boom := errors.New("boom")
	if err := o.Do(t.Context(), func() error { return boom }); !errors.Is(err, boom) {
		t.Errorf("got %v", err)
	}
	err := o.Do(t.Context(), func() error { panic("ouch") })
	if !errors.Is(err, ErrPanic) || err.Error() != "command panicked: ouch" {
		t.Errorf("got %v", err)
	}
	if err := o.Do(t.Context(), func() error { return nil }); err != nil {
		t.Errorf("after a panic: %v", err)
	}
}

// TestAbandonedCommandsNeverRun gives up a command that waits behind another one.
func TestAbandonedCommandsNeverRun(t *testing.T) {
	o := started(t, &bench{})
	block := make(chan struct{})
	if err := o.Post(t.Context(), func() { <-block }); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Millisecond, context.Canceled)
	defer cancel()
	ran := false
	if err := o.Do(ctx, func() error { ran = true; return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	close(block)
	if err := o.Do(t.Context(), func() error { return nil }); err != nil || ran {
		t.Errorf("err %v, the abandoned command ran: %v", err, ran)
	}
}

// TestBegunCommandsAreWaitedFor gives up a command that runs: its result must not be lost.
func TestBegunCommandsAreWaitedFor(t *testing.T) {
	o := started(t, &bench{})
	ctx, cancel := context.WithCancel(t.Context())
	done := errors.New("made something")
	err := o.Do(ctx, func() error { cancel(); return done })
	if !errors.Is(err, done) {
		t.Errorf("got %v", err)
	}
}

// TestCommandsRunWhileTheDeviceWorks expects the thread to take commands between its polls.
func TestCommandsRunWhileTheDeviceWorks(t *testing.T) {
	b := &bench{}
	o := started(t, b)
	b.flights.Store(1)
	for range 3 {
		if err := o.Do(t.Context(), func() error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.Do(t.Context(), func() error { b.flights.Store(0); return nil }); err != nil {
		t.Fatal(err)
	}
}

// TestSlowThingsArePolled while no command comes, without a Linger, and commands do not wait for them.
func TestSlowThingsArePolled(t *testing.T) {
	b := &bench{}
	o := started(t, b)
	if err := o.Do(t.Context(), func() error { b.slow.Store(1); return nil }); err != nil {
		t.Fatal(err)
	}
	for n := b.polls.Load(); b.polls.Load() < n+3; {
	}
	if err := o.Do(t.Context(), func() error { b.slow.Store(0); return nil }); err != nil {
		t.Fatal(err)
	}
	if n := b.lingers.Load(); n != 0 {
		t.Errorf("lingered %d times", n)
	}
}

// TestCloseGivesSlowThingsUp but not what the device works on.
func TestCloseGivesSlowThingsUp(t *testing.T) {
	b := &bench{}
	o := started(t, b)
	if err := o.Do(t.Context(), func() error { b.slow.Store(1); return nil }); err != nil {
		t.Fatal(err)
	}
	if err := o.Close(); err != nil || b.slow.Load() != 0 || !b.closed.Load() {
		t.Errorf("err %v, %d slow things, closed: %v", err, b.slow.Load(), b.closed.Load())
	}
}

// TestCloseWaitsForTheDevice closes with a flight under way, from several goroutines.
func TestCloseWaitsForTheDevice(t *testing.T) {
	b := &bench{closeErr: errors.New("close failed")}
	o := started(t, b)
	if err := o.Do(t.Context(), func() error { b.flights.Store(1); return nil }); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := o.Close(); !errors.Is(err, b.closeErr) {
				t.Errorf("Close: %v", err)
			}
		})
	}
	<-o.closing
	for n := b.lingers.Load(); b.lingers.Load() < n+1000; { // the loop keeps polling the flight
	}
	if b.closed.Load() {
		t.Error("closed while the device worked")
	}
	b.flights.Store(0)
	wg.Wait()
	if !b.closed.Load() {
		t.Error("the state was not closed")
	}
	if err := o.Post(t.Context(), func() {}); !errors.Is(err, ErrClosed) {
		t.Errorf("Post after Close: %v", err)
	}
	if err := o.Do(t.Context(), func() error { return nil }); !errors.Is(err, ErrClosed) {
		t.Errorf("Do after Close: %v", err)
	}
}

// TestEverySentCommandRunsOrFails closes under load: a command that was accepted has run.
func TestEverySentCommandRunsOrFails(t *testing.T) {
	o := started(t, &bench{})
	var accepted, ran atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for o.Post(context.Background(), func() { ran.Add(1) }) == nil {
				accepted.Add(1)
			}
		})
	}
	for accepted.Load() < 100 { // let the senders get going
	}
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	if accepted.Load() != ran.Load() {
		t.Errorf("%d commands accepted, %d ran", accepted.Load(), ran.Load())
	}
}

// TestOpenFailureEndsTheThread expects nothing to be left behind (goleak checks).
func TestOpenFailureEndsTheThread(t *testing.T) {
	b := &bench{openErr: errors.New("no device")}
	if _, err := Start(b); !errors.Is(err, b.openErr) {
		t.Errorf("got %v", err)
	}
	if b.closed.Load() {
		t.Error("a state that did not open was closed")
	}
}
