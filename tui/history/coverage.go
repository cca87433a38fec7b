package history

import (
	"sort"
	"time"
)

// maxIntervals bounds the intervals of a coverage.
const maxIntervals = 1 << 13

// coverage is of which times something is known, and of which of them everything.
type coverage struct{ list []interval }

// interval is a time between two snapshots, or between more where the same holds.
type interval struct {
	from, to time.Duration
	complete bool // the log tells of every activation
}

func (c *coverage) known() bool { return len(c.list) > 0 }

func (c *coverage) add(from, to time.Duration, complete bool) {
	if n := len(c.list); n > 0 && c.list[n-1].to == from && (c.list[n-1].complete == complete || c.list[n-1].from == from) {
		c.list[n-1].to, c.list[n-1].complete = to, complete
		return
	}
	if len(c.list) == maxIntervals {
		c.thin()
	}
	c.list = append(c.list, interval{from, to, complete})
}

// thin makes one interval of each two in the older half.
func (c *coverage) thin() {
	half := maxIntervals / 2
	for i := range half / 2 {
		a, b := c.list[2*i], c.list[2*i+1]
		c.list[i] = interval{a.from, b.to, a.complete && b.complete}
	}
	c.list = append(c.list[:half/2], c.list[half:]...)
}

// at says what is known of a whole time: SeenIdle where all activations are known.
func (c *coverage) at(from, to time.Duration) Seen {
	i := sort.Search(len(c.list), func(i int) bool { return c.list[i].to > from })
	if i == len(c.list) || c.list[i].from >= to || from >= to {
		return SeenNothing
	}
	for ; i < len(c.list) && c.list[i].from < to; i++ {
		if !c.list[i].complete {
			return SeenUnknown
		}
	}
	return SeenIdle
}
