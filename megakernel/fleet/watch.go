package fleet

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"vyretop/megakernel/targets"
)

// Watcher keeps what a hub's targets say of themselves. It may be used from any goroutine.
type Watcher struct {
	hub      *Hub
	interval time.Duration
	updates  chan struct{}
	done     chan struct{}
	group    sync.WaitGroup

	mu      sync.Mutex
	list    map[string]*targets.Target
	order   []*targets.Target // by title; nil where the list has changed
	invalid uint64
	lost    error // of the connection; nil while there is one
	since   time.Time
}

// Bounds of what a watcher keeps.
const (
	maxTargets = 10_000
	forgetTime = 10 * time.Minute // after which a target that has ended, or is lost, is left out
)

// watchPending bounds the states that wait to be taken in, in messages.
const watchPending = 1 << 14

// WatchAll watches all targets, and asks for a state of each every interval.
func WatchAll(a Address, interval time.Duration) (*Watcher, error) {
	w := &Watcher{interval: max(interval, leastInterval), updates: make(chan struct{}, 1), done: make(chan struct{}), list: map[string]*targets.Target{}}
	a.Told = w.told
	h, err := Connect(a, false)
	if err != nil {
		return nil, err
	}
	subscription, err := h.Subscribe(subjectStatus+"*", w.hear)
	if err == nil {
		err = subscription.SetPendingLimits(watchPending, watchPending<<10)
	}
	if err != nil {
		h.Close()
		return nil, h.failure(err)
	}
	w.mu.Lock()
	w.hub = h // from here on told asks, too
	w.mu.Unlock()
	w.group.Go(w.run)
	return w, nil
}

// Updates receives, coalesced, when something is newer.
func (w *Watcher) Updates() <-chan struct{} { return w.updates }

// Close ends the watcher and its connection.
func (w *Watcher) Close() {
	close(w.done)
	w.group.Wait()
	w.hub.Close()
}

// run asks for states, and notices which targets are silent.
func (w *Watcher) run() {
	ask := time.NewTicker(watchTime / 3)
	defer ask.Stop()
	look := time.NewTicker(time.Second)
	defer look.Stop()
	w.ask(true)
	for {
		select {
		case <-w.done:
			return
		case <-ask.C:
			w.ask(false)
		case now := <-look.C:
			w.age(now)
		}
	}
}

func (w *Watcher) ask(now bool) {
	body, err := json.Marshal(Watch{Version: targets.Version, Interval: w.interval.Milliseconds(), Now: now})
	if err == nil {
		_ = w.hub.Publish(subjectWatch, body) // told tells of what is wrong with the connection
	}
}

// told notes that the connection is lost, or is back.
func (w *Watcher) told(err error) {
	w.mu.Lock()
	if w.lost == nil && err != nil {
		w.since = time.Now()
	}
	w.lost = err
	back := err == nil && w.hub != nil
	w.mu.Unlock()
	if back {
		w.ask(true)
	}
	w.notify()
}

// Lost is since when there is no connection to the hub, and why; the error is nil while there is one.
func (w *Watcher) Lost() (since time.Time, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.since, w.lost
}

// hear takes in a state.
func (w *Watcher) hear(m *nats.Msg) {
	s, err := targets.Parse(m.Data)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil || s.ID != strings.TrimPrefix(m.Subject, subjectStatus) {
		w.invalid++
		return
	}
	for _, one := range s.Each() {
		w.hearOne(one)
	}
	w.notify()
}

// hearOne takes in the state of a target.
func (w *Watcher) hearOne(s *targets.Status) {
	t := w.list[s.ID]
	if t == nil {
		if s.Ended || len(w.list) >= maxTargets {
			return
		}
		t = &targets.Target{}
		w.list[s.ID], w.order = t, nil
	}
	t.Hear(s, time.Now())
}

func (w *Watcher) notify() {
	select {
	case w.updates <- struct{}{}:
	default:
	}
}

// age marks targets that are silent as lost, and forgets those that have been gone for long. While the connection is lost, no target
// is: nothing could be heard of it.
func (w *Watcher) age(now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id, t := range w.list {
		switch {
		case w.lost != nil:
			t.Heard = t.Heard.Add(time.Second)
		case t.Age(now):
		case (t.Lost || t.Ended) && now.Sub(t.Heard) > forgetTime:
			delete(w.list, id)
			w.order = nil
		}
	}
	w.notify()
}

// Targets are copies of all targets, in the order of their titles.
func (w *Watcher) Targets() []*targets.Target {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.order == nil {
		w.order = slices.Collect(maps.Values(w.list))
		targets.Name(w.order)
		slices.SortFunc(w.order, func(a, b *targets.Target) int { return strings.Compare(a.Title(), b.Title()) })
	}
	copies := make([]targets.Target, len(w.order))
	out := make([]*targets.Target, len(w.order))
	for i, t := range w.order {
		copies[i] = *t
		out[i] = &copies[i]
	}
	return out
}

// Invalid is how many messages were no states.
func (w *Watcher) Invalid() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.invalid
}

// Tell writes in lines what changes among the targets that a query chooses, until the context ends.
func (w *Watcher) Tell(ctx context.Context, to io.Writer, q targets.Query) error {
	out := bufio.NewWriter(to)
	teller := &targets.Teller{}
	lost := false
	for {
		now := time.Now()
		if _, err := w.Lost(); (err != nil) != lost {
			lost = err != nil
			fmt.Fprintln(out, map[bool]string{true: "hub lost", false: "hub connected again"}[lost])
		}
		for _, line := range teller.Tell(q.Choose(w.Targets(), now), now) {
			fmt.Fprintln(out, line)
		}
		if err := out.Flush(); err != nil {
			return err
		}
		select {
		case <-w.Updates():
		case <-ctx.Done():
			return nil
		}
	}
}
