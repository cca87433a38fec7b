package workload

import (
	"slices"
	"sync"
)

// Queued is a Sharer whose units other processes may do as well: a queue hands them out, and collects what was found.
type Queued interface {
	Sharer
	// Feed says, behind Share and before Setup, where the units come from. Units that other processes do are not done here.
	Feed(f *Feed)
	// Inputs tell, behind Setup, of the units: the same on all hosts whose inputs are the same.
	Inputs() Inputs
	// Pack gives what was found in units that are finished; it may be called while others are done.
	Pack(units []int) ([]byte, error)
	// Unpack takes in, behind Setup, what Pack has given, as if the units had been finished here. An error leaves them as they were.
	Unpack(units []int, data []byte) error
}

// Inputs tell whether two hosts have the same units.
type Inputs struct {
	Units  int    `json:"units"`
	Digest string `json:"digest"` // SHA-256 in hexadecimal of what the units are made of
}

// Feed is where units come from that a queue hands out.
type Feed struct {
	hungry chan struct{}
	ready  chan struct{}

	mu       sync.Mutex
	units    *Units
	finished func(unit int)
}

// NewFeed makes a feed. finished is told of each unit that was finished here.
func NewFeed(finished func(unit int)) *Feed {
	return &Feed{hungry: make(chan struct{}, 1), ready: make(chan struct{}), finished: finished}
}

// Hungry receives, coalesced, when a host asks for more units than there are.
func (f *Feed) Hungry() <-chan struct{} { return f.hungry }

// Ready is closed once there are units to put.
func (f *Feed) Ready() <-chan struct{} { return f.ready }

// Put hands units to the hosts. No unit is put twice.
func (f *Feed) Put(units []int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.units.put(units)
}

// End says that no units will come, and that those that were not finished here are finished elsewhere.
func (f *Feed) End() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.units.finish()
}

// Feed makes u hand out only what a feed puts. It is called before the first Take; f may be nil for all of them.
func (u *Units) Feed(f *Feed) {
	if f == nil {
		return
	}
	u.mu.Lock()
	u.feed, u.next = f, u.end
	u.mu.Unlock()
	f.mu.Lock()
	f.units = u
	f.mu.Unlock()
	close(f.ready)
}

// put adds units that a feed has got.
func (u *Units) put(units []int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.open == 0 {
		return
	}
	added := slices.Clone(units)
	slices.Reverse(added) // the last one is taken first
	u.back = append(added, u.back...)
	close(u.changed)
	u.changed = make(chan struct{})
}

// finish ends the units.
func (u *Units) finish() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.open > 0 {
		u.open = 0
		close(u.changed)
	}
}

// starve tells the feed that a host got fewer units than it asked for.
func (f *Feed) starve() {
	select {
	case f.hungry <- struct{}{}:
	default:
	}
}
