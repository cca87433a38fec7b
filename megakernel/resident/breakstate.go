package resident

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
)

// breakState is the breakpoints of a session.
type breakState struct {
	mu    lock[breaksRank]
	place [megakernel.MaxBreaks]*placed
	had   atomic.Bool // one has been in force
	last  int         // place that was given last: an id is used again as late as possible
	// coming are those that wait for their turn to be set: a kernel variant that is compiled while they wait looks at them, too.
	coming []*placed
}

// placed is a breakpoint that has a place on the device. Its members are guarded by breakState.mu.
type placed struct {
	breakpoint.Breakpoint
	id      int // its place plus one
	enabled bool
	removed bool
	change  uint64 // number of the form with its last change
	asked   time.Time
	latency time.Duration // of the last change; 0 while it is pending
	// withdraw has the Arm that waits for the kernel variant give up; nil where none does.
	withdraw context.CancelCauseFunc

	begun  bool // it has been in force
	before uint32
	counts []count // by worker, from the counters of its place
	failed uint64  // of megakernel.StopVerification: verifications that have failed
}

// count extends a 32-bit counter of the device, which is at 0 when before is what it says.
type count struct {
	before uint32
	total  uint64
}

func (c *count) at(now uint32) uint64 { return c.total + uint64(now-c.before-uint32(c.total)) }

// add gives a breakpoint a place. The caller holds mu.
func (b *breakState) add(x breakpoint.Breakpoint) (*placed, error) {
	for _, p := range b.place {
		if p != nil && !p.removed && p.id != x.Replaces && x.Place != nil && p.Place != nil && stopOf(p.Place) == stopOf(x.Place) {
			return nil, same(p.id)
		}
	}
	if x.Replaces != 0 {
		return b.replace(x)
	}
	for i := range b.place {
		at := (b.last + i) % len(b.place)
		if b.place[at] == nil {
			b.last = at + 1
			b.place[at] = &placed{Breakpoint: x, id: at + 1, enabled: true}
			return b.place[at], nil
		}
	}
	return nil, &fault.Error{Kind: ErrOption, Subject: "breakpoints = " + fmt.Sprint(len(b.place)+1), Detail: fmt.Sprintf("the device has places for %d", len(b.place)), Fix: "remove one first"}
}

// replace gives a breakpoint the place and the id of another one; its hits are counted from 0. The caller holds mu.
func (b *breakState) replace(x breakpoint.Breakpoint) (*placed, error) {
	id := x.Replaces
	if _, err := b.edit(id, func(*placed) {}); err != nil {
		return nil, err
	}
	x.Replaces = 0
	b.place[id-1] = &placed{Breakpoint: x, id: id, enabled: true}
	return b.place[id-1], nil
}

// edit changes the breakpoint of an id, or for 0 all. The caller holds mu.
func (b *breakState) edit(id int, f func(*placed)) (*placed, error) {
	if id == 0 {
		for _, p := range b.place {
			if p != nil {
				f(p)
			}
		}
		return nil, nil
	}
	if id < 1 || id > len(b.place) || b.place[id-1] == nil {
		return nil, &fault.Error{Kind: ErrOption, Subject: "breakpoint = " + fmt.Sprint(id), Detail: "there is none of that number", Fix: "see the list of breakpoints"}
	}
	f(b.place[id-1])
	return b.place[id-1], nil
}

// ErrWithdrawn is matched by the error about a breakpoint that was removed before it was in force.
const ErrWithdrawn fault.Kind = "the breakpoint was removed"

// withdraw removes the breakpoint of an id, or for 0 all, that wait for their kernel variant, and reports whether there was one.
func (b *breakState) withdraw(id int) (found bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, p := range b.place {
		if p == nil || p.withdraw == nil || id != 0 && i != id-1 {
			continue
		}
		p.withdraw(&fault.Error{Kind: ErrWithdrawn, Op: "set", Subject: fmt.Sprintf("breakpoint %d", p.id), Detail: "it was removed while its kernel variant was being compiled", Fix: "set it again if it is wanted"})
		p.withdraw, found = nil, true
	}
	return found
}

// armed are the breakpoints that the device is to look at. The caller holds mu.
func (b *breakState) armed() (out []*placed) {
	for _, p := range b.place {
		if p != nil && p.enabled && !p.removed {
			out = append(out, p)
		}
	}
	return out
}

// expect notes a breakpoint that is to be set.
func (b *breakState) expect(x breakpoint.Breakpoint) *placed {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := &placed{Breakpoint: x}
	b.coming = append(b.coming, p)
	return p
}

// arrived forgets a breakpoint that has been set, or cannot be. The caller holds mu.
func (b *breakState) arrived(p *placed) {
	b.coming = slices.DeleteFunc(b.coming, func(x *placed) bool { return x == p })
}

// forget is arrived for who does not hold mu.
func (b *breakState) forget(p *placed) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.arrived(p)
}

// withComing adds those that are to be set to a list of armed ones, each place once and no more than there is room for. The
// caller holds mu.
func (b *breakState) withComing(armed []*placed) []*placed {
	all := slices.Clone(armed)
	for _, p := range b.coming {
		same := func(x *placed) bool { return x.Place != nil && p.Place != nil && stopOf(x.Place) == stopOf(p.Place) }
		if len(all) < len(b.place) && !slices.ContainsFunc(all, same) {
			all = append(all, p)
		}
	}
	return all
}

// pending reports whether a breakpoint waits to be in force.
func (b *breakState) pending() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.ContainsFunc(b.place[:], func(p *placed) bool { return p != nil && p.latency == 0 })
}

// wish is what can be changed of a breakpoint.
type wish struct {
	of               *placed
	enabled, removed bool
}

// save notes what is wanted, by place. The caller holds mu, also of restore and ask.
func (b *breakState) save() (out [megakernel.MaxBreaks]wish) {
	for i, p := range b.place {
		if p != nil {
			out[i] = wish{p, p.enabled, p.removed}
		}
	}
	return out
}

func (b *breakState) restore(saved [megakernel.MaxBreaks]wish) {
	for i, w := range saved {
		if b.place[i] = w.of; w.of != nil {
			w.of.enabled, w.of.removed = w.enabled, w.removed
			w.of.latency = max(w.of.latency, 1) // nothing is asked of it any longer
		}
	}
}

// ask marks what has changed since saved as pending.
func (b *breakState) ask(saved [megakernel.MaxBreaks]wish, change uint64, at time.Time) {
	for i, p := range b.place {
		if p != nil && saved[i] != (wish{p, p.enabled, p.removed}) {
			p.change, p.asked, p.latency = change, at, 0
		}
	}
}
