package live

import (
	"slices"

	"vyretop/megakernel"
)

// Subscription delivers every snapshot of a hub to one reader, in order. A reader that falls behind
// misses snapshots; the hub does not wait for it.
type Subscription struct {
	hub     *Hub
	c       chan *megakernel.Snapshot
	dropped int // guarded by the hub
}

// Subscribe starts with the newest snapshot, where there is one, and queues at most that many.
func (h *Hub) Subscribe(queue int) *Subscription {
	s := &Subscription{hub: h, c: make(chan *megakernel.Snapshot, max(queue, 1))}
	h.watchers.Lock()
	defer h.watchers.Unlock()
	if newest := h.Snapshot(); newest != nil {
		s.c <- newest
	}
	if h.watchers.ended {
		close(s.c)
		return s
	}
	h.watchers.list = append(h.watchers.list, s)
	return s
}

// Snapshots receives the snapshots. It is closed behind the last one when the hub ends.
func (s *Subscription) Snapshots() <-chan *megakernel.Snapshot { return s.c }

// Dropped returns how many snapshots were missed since the last call.
func (s *Subscription) Dropped() int {
	s.hub.watchers.Lock()
	defer s.hub.watchers.Unlock()
	n := s.dropped
	s.dropped = 0
	return n
}

// Close ends the delivery; the channel stays open.
func (s *Subscription) Close() {
	s.hub.watchers.Lock()
	defer s.hub.watchers.Unlock()
	s.hub.watchers.list = slices.DeleteFunc(s.hub.watchers.list, func(other *Subscription) bool { return other == s })
}

// publish keeps a snapshot as the newest one and gives it to every subscriber that has room. It
// returns the one before.
func (h *Hub) publish(snap *megakernel.Snapshot) (before *megakernel.Snapshot) {
	h.watchers.Lock()
	defer h.watchers.Unlock()
	before = h.Put(snap)
	for _, s := range h.watchers.list {
		select {
		case s.c <- snap:
		default:
			s.dropped++
		}
	}
	return before
}

// Ended reports whether the hub has read the target for the last time.
func (h *Hub) Ended() bool {
	h.watchers.Lock()
	defer h.watchers.Unlock()
	return h.watchers.ended
}

// endSubscriptions closes every subscriber's channel.
func (h *Hub) endSubscriptions() {
	h.watchers.Lock()
	defer h.watchers.Unlock()
	h.watchers.ended = true
	for _, s := range h.watchers.list {
		close(s.c)
	}
	h.watchers.list = nil
}
