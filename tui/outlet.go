package tui

import (
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// outlet writes to a terminal that may take nothing for a while, as behind Ctrl-S or a connection that hangs. The terminal library draws
// and handles keys in turn, so that a write that waits would hold up the keys; a write to an outlet waits for outletPatience at most,
// and what is left is written beside.
type outlet struct {
	to     io.Writer
	behind atomic.Bool // a write was not waited for, and is under way
	caught func()      // called when it is not behind any longer

	mu      sync.Mutex
	room    *sync.Cond // fewer than outletBytes wait
	waiting []byte     // not written
	done    chan struct{}
	err     error // of a write
}

const (
	outletPatience = 50 * time.Millisecond
	outletBytes    = 4 << 20 // that may wait: drawing ends while the terminal is behind, and little else is written
)

func newOutlet(to io.Writer) *outlet {
	o := &outlet{to: to, caught: func() {}}
	o.room = sync.NewCond(&o.mu)
	return o
}

// Write implements io.Writer. The error may be that of an earlier write.
func (o *outlet) Write(p []byte) (int, error) {
	done, err := o.add(p)
	if err != nil {
		return 0, err
	}
	if !o.behind.Load() && !o.wait(done, outletPatience) {
		o.behind.Store(true)
		select {
		case <-done: // in the meantime
			o.catchUp()
		default:
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(p), o.err
}

// add takes what is to be written; done is closed when all is.
func (o *outlet) add(p []byte) (done <-chan struct{}, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.waiting) > outletBytes && o.err == nil {
		o.room.Wait()
	}
	if o.err != nil {
		return nil, o.err
	}
	o.waiting = append(o.waiting, p...)
	if o.done == nil {
		o.done = make(chan struct{})
		go o.drain()
	}
	return o.done, nil
}

// wait waits for a channel, for a time.
func (o *outlet) wait(done <-chan struct{}, atMost time.Duration) bool {
	timer := time.NewTimer(atMost)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// drain writes until nothing waits.
func (o *outlet) drain() {
	var part []byte
	for {
		o.mu.Lock()
		if len(o.waiting) == 0 || o.err != nil {
			close(o.done)
			o.done = nil
			o.mu.Unlock()
			break
		}
		part, o.waiting = o.waiting, part[:0]
		o.room.Broadcast()
		o.mu.Unlock()
		if _, err := o.to.Write(part); err != nil {
			o.mu.Lock()
			o.err = err
			o.room.Broadcast()
			o.mu.Unlock()
		}
	}
	o.catchUp()
}

// catchUp tells that what was drawn is written, if that was not waited for. The library may hold a lock that who is told needs.
func (o *outlet) catchUp() {
	if o.behind.Swap(false) {
		go o.caught()
	}
}

// flush waits until all is written, for a time.
func (o *outlet) flush(atMost time.Duration) {
	o.mu.Lock()
	done := o.done
	o.mu.Unlock()
	if done != nil {
		o.wait(done, atMost)
	}
}

// terminalFile is what the terminal library takes for a terminal.
type terminalFile interface {
	io.ReadWriteCloser
	Fd() uintptr
}

// outletFile is a terminal that is written to through an outlet.
type outletFile struct {
	terminalFile
	outlet *outlet
}

// Write implements io.Writer.
func (f outletFile) Write(p []byte) (int, error) { return f.outlet.Write(p) }

// library is the outlet as the terminal library takes it.
func (o *outlet) library() io.Writer {
	if f, ok := o.to.(terminalFile); ok {
		return outletFile{f, o}
	}
	return o
}
