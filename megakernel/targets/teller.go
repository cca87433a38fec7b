package targets

import (
	"fmt"
	"time"

	"vyretop/engine/units"
)

// Teller tells in lines what changes between two looks at a list: for screen readers and logs.
type Teller struct {
	known map[string]told
	last  time.Time // of the summary
}

// told is what was said of a target.
type told struct {
	state, verdict string
	stalled        bool
	faulted        uint64
}

// summaryTime is how often what changes all the time is told.
const summaryTime = 5 * time.Second

// Tell returns the lines about what has changed.
func (x *Teller) Tell(list []*Target, now time.Time) (lines []string) {
	if x.known == nil {
		x.known = map[string]told{}
	}
	say := func(t *Target, format string, args ...any) {
		lines = append(lines, t.Title()+" "+fmt.Sprintf(format, args...))
	}
	for _, t := range list {
		before, known := x.known[t.ID]
		is := told{t.State(), t.Verdict, t.Stalled, t.Faulted}
		switch {
		case !known:
			say(t, "%s, %s on %s", is.state, t.Workload, t.Device)
		case is.state != before.state:
			say(t, "%s", is.state)
		}
		if is.stalled && (!before.stalled || is.verdict != before.verdict) {
			say(t, "stalled: %s", is.verdict)
		} else if !is.stalled && before.stalled {
			say(t, "no longer stalled: %s", is.verdict)
		}
		if is.faulted > before.faulted {
			say(t, "%s faulted", units.Plural(int(is.faulted-before.faulted), "task"))
		}
		x.known[t.ID] = is
	}
	if now.Sub(x.last) >= summaryTime {
		x.last = now
		g := Total(list)
		lines = append(lines, fmt.Sprintf("%s, %d live, %s tasks/s, %s done, %d faulted", units.Plural(g.Targets, "target"), g.Live, units.Count(g.TasksPerS), units.Count(g.Done), g.Faulted))
	}
	return lines
}
