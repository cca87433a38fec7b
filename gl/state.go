//go:build cgo && egl

package gl

import (
	"fmt"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"vyretop/engine"
	"vyretop/gl/internal/glapi"
	"vyretop/gl/internal/owner"
)

// surface is a context that is current on the owner's thread.
type surface interface {
	Close() error
	Current() bool // still is
}

// flight is work handed to the device that ends with a fence.
type flight struct {
	fence  glapi.Fence
	state  glapi.FenceState
	handed time.Time
	landed time.Time
	settle func(error) // runs on the owner's thread once the fence has passed or the device is lost
}

// glState is the state of the owner's thread; nothing in it is touched from anywhere else. Flights
// are in the order of the command stream, so their fences pass in that order.
type glState struct {
	open     func() (surface, error)
	debug    bool
	api      glapi.API
	surface  surface
	flights  []*flight
	lost     error                        // set once the device is lost; fails everything that follows
	noticed  atomic.Pointer[engine.Error] // lost, for other threads
	checked  time.Time                    // when the device was last asked whether it was reset
	compiler compiler                     // the API, but in tests
	programs programs
	timer    bool // elapsed-time queries measure dispatches
	messages *messageLog
}

// Open implements owner.State.
func (s *glState) Open() error {
	var err error
	if s.surface, err = s.open(); err != nil {
		return err
	}
	s.api.Strict = s.debug
	if s.debug {
		s.api.EnableDebug()
	}
	s.api.UseCompilerThreads()
	return nil
}

// Abandon implements owner.State.
func (s *glState) Abandon() {
	s.programs.abandon(func(op string, _ *engine.Program) error { return typed(op, owner.ErrClosed) })
}

// Close implements owner.State.
func (s *glState) Close() error {
	if s.surface == nil {
		return nil
	}
	return s.surface.Close()
}

// Poll implements owner.State: it settles the flights whose fence has passed, and the compilations that
// the driver has finished.
func (s *glState) Poll() owner.Pace {
	pace := s.programs.poll(s)
	for len(s.flights) > 0 {
		f := s.flights[0]
		if f.state == glapi.FencePending {
			f.state = s.api.WaitFence(f.fence, false, 0)
		}
		if f.state == glapi.FencePending && s.lost == nil {
			return owner.Busy
		}
		s.land(f)
	}
	return pace
}

// land takes the first flight out and tells its owner how it ended.
func (s *glState) land(f *flight) {
	s.flights = slices.Delete(s.flights, 0, 1)
	f.landed = time.Now()
	s.checkReset(f.landed)
	err := s.lost
	if err == nil && f.state == glapi.FenceFailed {
		err = typed("wait for the device", s.api.Err("glClientWaitSync"))
	}
	s.api.DeleteFence(f.fence)
	f.settle(err)
	s.collect()
}

// A lost device never signals its fences in time, so a long wait asks for it now and then; the call
// costs about 50 ns.
const resetInterval = 100 * time.Millisecond

func (s *glState) checkReset(now time.Time) {
	s.checked = now
	if s.lost == nil && s.api.Reset() {
		s.lose("the device was reset")
	}
}

// lose makes everything fail until reopen.
func (s *glState) lose(how string) {
	e := deviceLost("device")
	e.Detail = how + ", and everything on it is gone"
	s.lost = e
	s.noticed.Store(e)
}

// reopen makes another context in the place of a lost one.
func (s *glState) reopen() error {
	for s.Poll() != owner.Idle { // tells everything under way
	}
	if s.surface != nil {
		if err := s.surface.Close(); err != nil {
			s.messages.add(Message{Source: "window system", Severity: "low", Text: "closing the lost context: " + err.Error()})
		}
		s.surface = nil
	}
	if err := s.Open(); err != nil {
		return err
	}
	s.programs.linked = nil
	s.lost = nil
	s.noticed.Store(nil)
	return nil
}

// The two ways to wait. glClientWaitSync notices an end within a few microseconds but keeps a CPU
// core busy on NVIDIA, so it serves the first spinWindow of a flight, in steps of spinStep because
// commands wait in the meantime. A longer flight is a resident slice: its end is polled every napStep,
// which with the kernel's timer slack notices it within about 0.1 ms at 1 to 3 % of a core. A slice
// queued behind it starts without waiting for either.
const (
	spinWindow = 500 * time.Microsecond
	spinStep   = 50 * time.Microsecond
	napStep    = 30 * time.Microsecond
)

// Linger implements owner.State. The nap is a system call of its own, because the Go runtime's
// timers wait in steps of a millisecond when nothing else runs.
func (s *glState) Linger() {
	f := s.flights[0]
	now := time.Now()
	if now.Sub(s.checked) > resetInterval {
		s.checkReset(now)
	}
	if now.Sub(f.handed) < spinWindow {
		s.api.WaitFence(f.fence, false, spinStep)
		return
	}
	nap := syscall.NsecToTimespec(int64(napStep))
	if err := syscall.Nanosleep(&nap, nil); err != nil && err != syscall.EINTR {
		s.api.WaitFence(f.fence, false, spinStep)
	}
}

// launch puts a fence behind the commands given so far and hands all of it to the device.
func (s *glState) launch(f *flight) error {
	f.fence = s.api.InsertFence()
	if f.fence == 0 {
		s.lose("it no longer accepts fences")
		return s.usable("wait for the device")
	}
	if err := s.api.Err("dispatch or copy"); err != nil {
		s.api.DeleteFence(f.fence)
		return err
	}
	f.handed = time.Now()
	s.flights = append(s.flights, f)
	f.state = s.api.WaitFence(f.fence, true, 0)
	return nil
}

// usable returns why the device cannot be used any longer, or nil.
func (s *glState) usable(op string) error {
	if s.lost == nil && !s.surface.Current() {
		s.lose("its context is gone")
	}
	if s.lost == nil {
		return nil
	}
	return lossError(op, s.lost)
}

// collect moves the driver's messages into the log.
func (s *glState) collect() {
	if !s.debug {
		return
	}
	for range maxMessages {
		m, ok := s.api.NextMessage()
		if !ok {
			return
		}
		s.messages.add(Message{
			Source: name(sourceNames, m.Source), Severity: name(severityNames, m.Severity), ID: m.ID, Text: m.Text,
		})
	}
}

// The names of KHR_debug's sources and severities.
var (
	sourceNames = map[uint32]string{
		0x8246: "api", 0x8247: "window system", 0x8248: "shader compiler",
		0x8249: "third party", 0x824A: "application", 0x824B: "other",
	}
	severityNames = map[uint32]string{0x9146: "high", 0x9147: "medium", 0x9148: "low", 0x826B: "note"}
)

func name(table map[uint32]string, v uint32) string {
	if n, ok := table[v]; ok {
		return n
	}
	return fmt.Sprintf("0x%04x", v)
}

// known makes an Optional of a limit that was read; 0 means that the driver did not tell.
func known[T comparable](v T) engine.Optional[T] {
	var zero T
	if v == zero {
		return engine.Optional[T]{}
	}
	return engine.Known(v)
}
