package tuning

import (
	"sort"
	"time"
)

// pace says how long a run with the default settings took for each part of its work. Some parts of a run
// are slower than others, whatever the settings, and a window is one part: its work counts as much as
// the default needs time for it.
type pace struct {
	done  []int64 // growing
	at    []time.Duration
	total int64
}

// note adds what had been done at a time; of several times without progress the first one counts.
func (p *pace) note(done int64, at time.Duration) {
	if last := len(p.done) - 1; last < 0 || done > p.done[last] {
		p.done, p.at = append(p.done, done), append(p.at, at)
	}
}

// worth is the work between two amounts of progress, in the workload's unit: all of it together is worth
// what it is, and each part as much as it takes of the default's time. Without a whole run to compare with
// work is worth what it is.
func (p *pace) worth(from, to int64) float64 {
	last := len(p.done) - 1
	if p.total == 0 || last < 1 || p.at[last] <= p.at[0] {
		return float64(to - from)
	}
	share := float64(p.when(to)-p.when(from)) / float64(p.at[last]-p.at[0])
	return share * float64(p.total)
}

// when is the time at which so much had been done.
func (p *pace) when(done int64) time.Duration {
	i := sort.Search(len(p.done), func(i int) bool { return p.done[i] >= done })
	switch {
	case i == len(p.done):
		return p.at[i-1]
	case i == 0 || p.done[i] == done:
		return p.at[i]
	}
	part := float64(done-p.done[i-1]) / float64(p.done[i]-p.done[i-1])
	return p.at[i-1] + time.Duration(part*float64(p.at[i]-p.at[i-1]))
}
