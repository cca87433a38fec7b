package resident

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/megakernel"
)

// reads lets readers of buffers in between slices, and none when the buffers are freed.
type reads struct {
	*life

	open    sync.RWMutex
	between sync.Mutex   // held while a slice runs
	waiting atomic.Int32 // readers that wait for the end of a slice
}

// Buffers describes what ReadBuffer can read: the workload's buffers, then those of the protocol that are in no
// snapshot.
func (l *launch) Buffers() []megakernel.BufferInfo {
	var out []megakernel.BufferInfo
	for _, b := range l.options.Buffers {
		out = append(out, l.describe(b.Name, b.Binding))
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
	return megakernel.BufferInfo{Name: name, Binding: binding, Words: b.Size(), Between: b.Placement() != engine.HostVisible, Layout: l.kernel.BufferLayout(binding)}
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
	r.waiting.Add(1)
	r.endSlice()
	r.between.Lock()
	defer r.between.Unlock()
	r.waiting.Add(-1)
	return b.Download(ctx, first, dst)
}
