package resident

import (
	"context"
	"fmt"
	"sync/atomic"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/megakernel"
)

// reads has what is done between two slices done by the slicer, and keeps buffers from being freed while they are read.
type reads struct {
	*life

	open  rwLock[openRank]
	owned atomic.Bool // the slicer runs; before that the session is the goroutine's that starts it

	mu      lock[leafRank]
	asked   []errand
	waiting atomic.Int32 // how many are asked for
}

// errand is what the slicer is to do between two slices.
type errand struct {
	do   func()
	done chan struct{} // closed afterwards
}

// between has the slicer do something between two slices, for which the running one is to end, and waits until that is done.
// The caller holds open for reading. The error is ErrStopped where the slicer returned first.
func (r *reads) between(op string, do func()) error {
	if !r.owned.Load() {
		r.endSlice()
		do()
		return nil
	}
	e := errand{do, make(chan struct{})}
	r.mu.Lock()
	r.asked = append(r.asked, e)
	r.waiting.Add(1)
	r.mu.Unlock()
	r.endSlice()
	r.wakeUp()
	select {
	case <-e.done:
		return nil
	case <-r.ended:
	}
	select {
	case <-e.done: // the last that it did
		return nil
	default:
		return r.usable(op)
	}
}

// serve does what others have asked for. It is the slicer's, while no slice is running.
func (r *reads) serve() {
	if r.waiting.Load() == 0 {
		return
	}
	r.mu.Lock()
	list := r.asked
	r.asked = nil
	r.waiting.Add(-int32(len(list)))
	r.mu.Unlock()
	for _, e := range list {
		e.do()
		close(e.done)
	}
}

// Buffers describes what ReadBuffer can read: the workload's buffers, then those of the protocol that are in no
// snapshot.
func (l *launch) Buffers() []megakernel.BufferInfo {
	var out []megakernel.BufferInfo
	for _, b := range l.options.Buffers {
		info := l.describe(b.Name, b.Binding)
		info.Picture = b.Picture
		out = append(out, info)
	}
	for _, name := range []string{"log", "io", "sched", "inbox", "outbox"} {
		for _, b := range l.bindings {
			if b.Buffer == l.buffers[name] {
				out = append(out, l.describe(name, b.Index))
			}
		}
	}
	return out
}

func (l *launch) describe(name string, binding uint32) megakernel.BufferInfo {
	b := l.buffers[name]
	return megakernel.BufferInfo{Name: name, Binding: binding, Words: b.Size(), Between: b.Placement() != engine.HostVisible, Layout: l.text().BufferLayout(binding)}
}

// ReadBuffer copies words of a buffer, from number first on, each as it was at some time of the call. Memory
// of the device's own is read between two slices: the running one is asked to end for that. Errors:
// ErrOption for words outside a buffer, ErrStopped when the session has ended, the backend's.
func (r *reads) ReadBuffer(ctx context.Context, name string, first int, dst []uint32) error {
	b, ok := r.buffers[name]
	switch {
	case !ok:
		return &fault.Error{Kind: ErrOption, Subject: "buffer = " + name, Detail: "the kernel has none of that name", Fix: "use one that it declares"}
	case first < 0 || len(dst) > b.Size()-first:
		return &fault.Error{Kind: ErrOption, Subject: "buffer " + name + fmt.Sprintf(" = words %d..%d", first, first+len(dst)), Detail: fmt.Sprintf("it has %d", b.Size()), Fix: "stay inside of it"}
	}
	r.open.RLock()
	defer r.open.RUnlock()
	if err := r.usable("read a buffer"); err != nil {
		return err
	}
	if words := b.Words(); words != nil {
		words.CopyTo(dst, first)
		return nil
	}
	var failed error
	if err := r.between("read a buffer", func() { failed = b.Download(ctx, first, dst) }); err != nil {
		return err
	}
	return failed
}
