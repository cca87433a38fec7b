package run

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/engine/interim"
	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
)

// ErrStartNow is matched by the error about a run whose first tasks the interpreter cannot run while a device compiles.
const ErrStartNow fault.Kind = "the run cannot start before its kernel is compiled"

// standIn is the interpreter in the place of a device that compiles the kernel, for Config.StartNow.
type standIn struct {
	backend *interim.Backend
	session chan *resident.Session // gets the session that the interpreter begins, or is closed
	workers int                    // that the device gets
	events  func(kind, text string)
	after   atomic.Int64 // from when on the device did the work, in nanoseconds since the interpreter began; 0: it has not
}

// Interim is what the interpreter did in the place of a device that compiled the kernel.
type Interim struct {
	UntilMs float64 `json:"until_ms,omitempty"` // when the device had compiled the kernel, since the interpreter began; absent: the work ended before
}

// String says which part of the work the interpreter did.
func (i *Interim) String() string {
	if i.UntilMs == 0 {
		return "by the interpreter: the device had not compiled the kernel when the work ended"
	}
	return "by the interpreter for " + timeText(i.UntilMs) + ", until the device had compiled the kernel"
}

// did is what the interpreter did, nil without a stand-in.
func (s *standIn) did() *Interim {
	if s == nil {
		return nil
	}
	return &Interim{units.Milliseconds(time.Duration(s.after.Load()))}
}

// startNow has the interpreter begin the work of a device.
func startNow(device engine.Backend, o *resident.Options) (*standIn, error) {
	d, ok := device.(interim.Device)
	if !ok || device.Identity().Name == referenceName {
		return nil, &fault.Error{Kind: ErrStartNow, Subject: "--start now", Detail: "the interpreter has nothing to wait for", Fix: "leave it out, or give --backend gl"}
	}
	s := &standIn{session: make(chan *resident.Session, 1), workers: o.Workers, events: o.Events}
	if s.workers == 0 {
		s.workers = resident.DefaultWorkers(device.Profile())
	}
	var err error
	if s.backend, err = interim.Open(d, interim.Options{Workgroups: megakernel.MaxWorkers, Moved: s.moved}); err != nil {
		return nil, err
	}
	o.Core = resident.CoreOff
	o.Workers = min(s.workers, runtime.NumCPU()) // others would only wait, each for a part of a processor's time
	return s, nil
}

// moved gives the device as many workers as suit it, unless another number has been chosen.
func (s *standIn) moved(after time.Duration) {
	session, ok := <-s.session
	if !ok {
		return
	}
	s.after.Store(int64(after))
	s.events("compile", fmt.Sprintf("the device has compiled the kernel, and does the work that the interpreter began %s ago", after.Round(time.Millisecond)))
	few := min(s.workers, runtime.NumCPU())
	if session.Shape().Workers != few || s.workers == few {
		return
	}
	if _, err := session.Apply(context.Background(), megakernel.Setting{ID: megakernel.WorkersSetting, Value: int64(s.workers)}); err != nil {
		s.events("error", err.Error())
	}
}

// began says which session the interpreter has begun, nil for none.
func (s *standIn) began(session *resident.Session) {
	if session != nil {
		s.events("compile", "the interpreter does the work until the device has compiled the kernel")
		s.session <- session
	}
	close(s.session)
}

// close ends what the interpreter does. The session has been closed. A nil stand-in has nothing to end.
func (s *standIn) close() error {
	if s == nil {
		return nil
	}
	return s.backend.Close()
}
