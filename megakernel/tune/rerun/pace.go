package rerun

import (
	"sort"
	"time"

	"vyretop/megakernel/tune"
)

// pace says how long runs with the default settings took for each part of their work. Some parts of a run
// are slower than others, whatever the settings, and a window is one part: its work counts as much as
// the default needs time for it.
//
// A part that something else held up in one run would be worth too much in all windows that meet it; so the
// time for a part is the median of several runs.
type pace struct {
	typical trace // of whole runs
	runs    []trace
	total   int64
}

// trace is how far a run was at which times.
type trace struct {
	done []int64 // growing
	at   []time.Duration
}

// parts is into how many parts the work is divided.
const parts = 64

// add takes in what was seen of a run from its beginning to its end.
func (p *pace) add(t trace, total int64) {
	if len(t.done) < 2 {
		return
	}
	p.runs, p.total = append(p.runs, t), total
	first := t.done[0]
	for _, r := range p.runs {
		first = max(first, r.done[0]) // before that not all of them were seen
	}
	p.typical = trace{done: []int64{first}, at: []time.Duration{0}}
	for part := int64(1); part <= parts; part++ {
		p.part(first + (total-first)*part/parts)
	}
}

// part adds the next part of the typical run, which goes so far.
func (p *pace) part(to int64) {
	last := len(p.typical.done) - 1
	took := make([]float64, len(p.runs))
	for i, r := range p.runs {
		took[i] = float64(r.when(to) - r.when(p.typical.done[last]))
	}
	p.typical.note(to, p.typical.at[last]+time.Duration(tune.Median(took)))
}

// worth is the work between two amounts of progress, in the workload's unit: all of it together is worth
// what it is, and each part as much as it takes of the default's time. Without a whole run to compare with
// work is worth what it is.
func (p *pace) worth(from, to int64) float64 {
	all := p.typical.length()
	if all == 0 {
		return float64(to - from)
	}
	return float64(p.typical.when(to)-p.typical.when(from)) / float64(all) * float64(p.total)
}

// note adds what had been done at a time; of several times without progress the first one counts.
func (t *trace) note(done int64, at time.Duration) {
	if last := len(t.done) - 1; last < 0 || done > t.done[last] {
		t.done, t.at = append(t.done, done), append(t.at, at)
	}
}

// length is the time from the first to the last progress.
func (t *trace) length() time.Duration {
	if len(t.at) == 0 {
		return 0
	}
	return t.at[len(t.at)-1] - t.at[0]
}

// when is the time at which that much had been done.
func (t *trace) when(done int64) time.Duration {
	i := sort.Search(len(t.done), func(i int) bool { return t.done[i] >= done })
	switch {
	case i == len(t.done):
		return t.at[i-1]
	case i == 0 || t.done[i] == done:
		return t.at[i]
	}
	part := float64(done-t.done[i-1]) / float64(t.done[i]-t.done[i-1])
	return t.at[i-1] + time.Duration(part*float64(t.at[i]-t.at[i-1]))
}
