package live

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
)

// EventHit is the kind of an event that tells hits of a breakpoint.
const EventHit = "hit"

// breaker is a session that has breakpoints.
type breaker interface {
	Arm(ctx context.Context, b breakpoint.Breakpoint) (breakpoint.Status, error)
	Disarm(ctx context.Context, id int) error
	Enable(ctx context.Context, id int, on bool) error
	Breakpoints() []breakpoint.Status
}

// hits is what a hub has told of the breakpoints.
type hits struct {
	newest atomic.Pointer[[]breakpoint.Status]
	mu     sync.Mutex
	told   map[int]told // by id
}

// told is the hits of a breakpoint that an event told last, and when that was.
type told struct {
	hits uint64
	at   time.Duration
}

// tellEvery is the least time between two events about the hits of a breakpoint, of which there may be
// millions; the first one is told at once.
const tellEvery = time.Second

// Arm sets a breakpoint and waits until it is in force. The target reports it as an event, and the hub its hits.
func (h *Hub) Arm(ctx context.Context, b breakpoint.Breakpoint) (breakpoint.Status, error) {
	var s breakpoint.Status
	err := h.rebreak("break at "+b.String(), func(x breaker) (err error) {
		s, err = x.Arm(ctx, b)
		return err
	})
	return s, err
}

// Disarm removes a breakpoint, all for id 0.
func (h *Hub) Disarm(ctx context.Context, id int) error {
	return h.rebreak(fmt.Sprintf("remove breakpoint %d", id), func(x breaker) error { return x.Disarm(ctx, id) })
}

// Enable switches a breakpoint on or off, all for id 0.
func (h *Hub) Enable(ctx context.Context, id int, on bool) error {
	return h.rebreak(fmt.Sprintf("switch breakpoint %d", id), func(x breaker) error { return x.Enable(ctx, id, on) })
}

func (h *Hub) rebreak(what string, f func(breaker) error) error {
	x, ok := h.session.(breaker)
	if !ok {
		return errNoBreakpoints
	}
	err := f(x)
	h.noteHits()
	if err != nil {
		h.Event("error", fmt.Sprintf("%s: %v", what, err))
	}
	return err
}

const errNoBreakpoints fault.Kind = "this target has no breakpoints. Fix: steer a live run of a megakernel"

// Breakpoints lists the breakpoints with their hits, as of the newest sample or the last change.
func (h *Hub) Breakpoints() []breakpoint.Status {
	if list := h.hits.newest.Load(); list != nil {
		return *list
	}
	return nil
}

// noteHits reads the breakpoints and tells the hits that are new.
func (h *Hub) noteHits() {
	x, ok := h.session.(breaker)
	if !ok {
		return
	}
	h.hits.mu.Lock()
	defer h.hits.mu.Unlock()
	list := x.Breakpoints()
	if len(list) == 0 && h.hits.newest.Load() == nil {
		return
	}
	before, now := h.hits.told, h.now()
	h.hits.told = map[int]told{}
	for i := range list {
		b := &list[i]
		last := before[b.ID]
		if b.Hits < last.hits { // another breakpoint has its number
			last = told{}
		}
		if b.Hits > last.hits && (last.hits == 0 || now-last.at >= tellEvery) {
			h.Event(EventHit, hitText(b, b.Hits-last.hits))
			last = told{b.Hits, now}
		}
		h.hits.told[b.ID] = last
	}
	h.hits.newest.Store(&list)
}

// hitText says what is new of a breakpoint.
func hitText(b *breakpoint.Status, n uint64) string {
	if b.Place != nil && b.Place.Event == megakernel.StopVerification {
		return fmt.Sprintf("breakpoint %d: the verification of the result has failed", b.ID)
	}
	times := "once"
	if n > 1 {
		times = fmt.Sprintf("%d times", n)
	}
	workers := make([]string, len(b.Workers))
	for i, w := range b.Workers {
		workers[i] = fmt.Sprint(w.Worker)
	}
	by := "worker"
	if len(workers) > 1 {
		by = "workers"
	}
	return fmt.Sprintf("breakpoint %d was hit %s, %d in all, by %s %s, lately by task %s: %s",
		b.ID, times, b.Hits, by, strings.Join(workers, ", "), megakernel.TaskName(b.Task), b.Breakpoint.String())
}
