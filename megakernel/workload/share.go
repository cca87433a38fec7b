package workload

import (
	"context"
	"sync"
)

// Sharer is a workload that several hosts can do together, each with kernel and buffers of its own. Calls come in the order of
// the methods.
type Sharer interface {
	Workload
	// Share says, before Setup, how many hosts there will be.
	Share(hosts int)
	// RunShare is Run for one of the hosts, and runs for all of them at the same time. It does units of the work until none
	// is left on any host. What it has finished does not need the host any longer. TaskID must be unique among the tasks of all hosts.
	RunShare(ctx context.Context, h Host, part Part) error
	// Lose gives the units that a host has not finished to the others, and tells how many. That host is lost, and its
	// RunShare has returned; those of the others continue.
	Lose(host int) int
	// Joined makes the result, once RunShare has returned for all hosts.
	Joined() error
}

// Part says which of several hosts a share of the work is for.
type Part struct {
	Host    int // from 0
	Workers int // of its device
	Lanes   int // of a worker
}

// AtOnce is how many tasks the device runs at the same time, where a lane runs one.
func (p Part) AtOnce() int { return p.Workers * p.Lanes }

// Units hands out pieces of work, numbered from 0, to hosts that do them together. It may be used from any goroutine.
type Units struct {
	mu      sync.Mutex
	hosts   int   // that are not lost
	next    int   // the first one that no host has had
	end     int   // how many there are
	back    []int // given back by lost hosts
	held    []map[int]bool
	open    int           // not finished
	changed chan struct{} // closed when units come, and when all are finished
	feed    *Feed         // where they come from; nil: all are here from the beginning
}

// NewUnits makes that many units for that many hosts.
func NewUnits(units, hosts int) *Units {
	u := &Units{hosts: hosts, end: units, held: make([]map[int]bool, hosts), open: units, changed: make(chan struct{})}
	for i := range u.held {
		u.held[i] = map[int]bool{}
	}
	if units == 0 {
		close(u.changed)
	}
	return u
}

// Take gives a host units, at most that many, in order; none where none is left for now. A single host gets what it asks for;
// of several each gets a part of the rest that gets smaller, so that all end at about the same time, but at least that many
// while there are any. None holds more than its share of what is not finished.
func (u *Units) Take(host, least, most int) (units []int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	rest := len(u.back) + u.end - u.next
	if u.hosts > 1 {
		fair := (u.open+u.hosts-1)/u.hosts - len(u.held[host])
		most = max(min(most, max((rest+2*u.hosts-1)/(2*u.hosts), least), fair), 0)
	}
	for range min(most, rest) {
		unit := u.next
		if n := len(u.back); n > 0 {
			unit, u.back = u.back[n-1], u.back[:n-1]
		} else {
			u.next++
		}
		u.held[host][unit] = true
		units = append(units, unit)
	}
	if u.feed != nil && len(units) < most {
		u.feed.starve()
	}
	return units
}

// Finish notes that a host has finished a unit that it took.
func (u *Units) Finish(host, unit int) {
	if u.finishOne(host, unit) && u.feed != nil {
		u.feed.finished(unit)
	}
}

// finishOne is Finish but for the feed; it reports whether the host held the unit.
func (u *Units) finishOne(host, unit int) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.held[host][unit] {
		return false
	}
	delete(u.held[host], unit)
	if u.feed != nil {
		return true // others may have to be finished: the feed knows when all are
	}
	if u.open--; u.open == 0 {
		close(u.changed)
	}
	return true
}

// Lose gives the units that a host holds to the others, and tells which. again, unless it is nil, is called for each before another
// host can have it.
func (u *Units) Lose(host int, again func(unit int)) (units []int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for unit := range u.held[host] {
		units = append(units, unit)
		if again != nil {
			again(unit)
		}
	}
	clear(u.held[host])
	u.hosts = max(u.hosts-1, 1)
	u.back = append(u.back, units...)
	if len(units) > 0 {
		close(u.changed)
		u.changed = make(chan struct{})
	}
	return units
}

// Ended reports whether all units are finished.
func (u *Units) Ended() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.open == 0
}

// Changed is closed when units come back, or when all are finished.
func (u *Units) Changed() <-chan struct{} {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.changed
}

// Grouped is implemented by a Host that knows how many lanes a worker has now. Workloads whose tasks are run by whole workers size
// these by it.
type Grouped interface {
	// Workgroup is the number of lanes of a worker; it changes with the setting "workgroup".
	Workgroup() int
}
