package live

import "sync"

// attention tells whether a user has looked at the target.
type attention struct {
	once sync.Once
	c    chan struct{}
}

// Attend says that a user looks at the target: in a dashboard, or attached to it.
func (h *Hub) Attend() { h.attention.once.Do(func() { close(h.attention.c) }) }

// Attended is closed once a user has looked at the target.
func (h *Hub) Attended() <-chan struct{} { return h.attention.c }
