package targets

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"vyretop/engine/fault"
)

// Target is a target as a screen knows it.
type Target struct {
	Status
	Heard time.Time // of the last status, by the clock of the screen
	Lost  bool      // nothing is heard of it any longer, and it has not said that it ends
	Skew  time.Duration
	// Rates are the newest rates of tasks, oldest first; -1 where none was known.
	Rates []float64

	Alerts []string // that hold

	title string // that no other target has
}

// maxRates is how many rates of a target are kept.
const maxRates = 60

// lostAfter is how many of its intervals a target may be silent, leastSilence the least time.
const (
	lostAfter    = 3
	leastSilence = 3 * time.Second
)

// ErrName is matched by errors about names of targets.
const ErrName fault.Kind = "no such target in the fleet"

// Hear takes in a newer status.
func (t *Target) Hear(s *Status, now time.Time) {
	if t.Ended && !s.Ended {
		return // an older one that came late
	}
	rate := -1.0
	if s.TasksPerS != nil {
		rate = float64(*s.TasksPerS)
	}
	old := t.Rates[max(len(t.Rates)-maxRates+1, 0):]
	rates := append(append(make([]float64, 0, len(old)+1), old...), rate) // readers keep the slice
	t.Status, t.Heard, t.Lost, t.Rates = *s, now, false, rates
	t.Skew = s.Sent.Sub(now)
}

// Age marks a target that was silent for too long as lost, and reports whether it just became so.
func (t *Target) Age(now time.Time) bool {
	if t.Lost || t.Ended || now.Sub(t.Heard) < max(lostAfter*time.Duration(t.Interval)*time.Millisecond, leastSilence) {
		return false
	}
	t.Lost = true
	return true
}

// State is what the target does as a whole, in one word.
func (t *Target) State() string {
	switch {
	case t.Ended:
		return "ended"
	case t.Lost:
		return "lost"
	}
	return t.Phase
}

// Title is the name of the target beside others: with the beginning of its ID where another one has its name and host.
func (t *Target) Title() string {
	if t.title == "" {
		return t.Name + "@" + t.Host
	}
	return t.title
}

// Name gives every target of a list a title of its own.
func Name(list []*Target) {
	same := map[string][]*Target{}
	for _, t := range list {
		same[t.Name+"@"+t.Host] = append(same[t.Name+"@"+t.Host], t)
	}
	for _, group := range same {
		short := 0
		if len(group) > 1 {
			short = distinct(group)
		}
		for _, t := range group {
			t.title = t.Name + "@" + t.Host
			if short > 0 {
				t.title += "#" + t.ID[:min(short, len(t.ID))]
			}
		}
	}
}

// distinct is how many digits of their IDs tell targets apart, 2 at least.
func distinct(group []*Target) int {
	for n := 2; ; n++ {
		seen, longer := map[string]bool{}, false
		for _, t := range group {
			seen[t.ID[:min(n, len(t.ID))]] = true
			longer = longer || len(t.ID) > n
		}
		if len(seen) == len(group) || !longer {
			return n
		}
	}
}

// Find returns the target that a name means: its title, its name or ID where no other one has it, or "" where there is one only.
// Targets that are lost or have ended are meant where no other one is.
func Find(list []*Target, name string) (*Target, error) {
	var found []*Target
	for _, t := range list {
		if name == "" || name == t.Title() || name == t.Name || name == t.ID || name == t.Name+"@"+t.Host {
			found = append(found, t)
		} else if t.runID != "" && (name == t.run || name == t.runID || name == t.Run()) {
			found = append(found, t.Whole())
		}
	}
	if len(found) > 1 {
		found = Runs(found)
	}
	if alive := slices.DeleteFunc(slices.Clone(found), func(t *Target) bool { return t.Lost || t.Ended }); len(alive) > 0 {
		found = alive
	}
	if len(found) == 1 {
		return found[0], nil
	}
	return nil, notOne(list, found, name)
}

// notOne is the error about a name that means none of the targets, or several.
func notOne(list, found []*Target, name string) error {
	e := &fault.Error{Kind: ErrName, Subject: name}
	titles := func(of []*Target) (out []string) {
		for _, t := range of {
			out = append(out, t.Title())
		}
		slices.Sort(out)
		return out
	}
	switch {
	case len(list) == 0:
		e.Subject, e.Detail, e.Fix = "", "the hub knows no target", "start one with `vyretop run WORKLOAD --hub HUB`"
	case len(found) > 1 && name == "":
		e.Detail, e.Fix = fmt.Sprintf("there are %d targets at the hub", len(found)), "name one of "+listed(titles(found))
	case len(found) > 1:
		e.Detail, e.Fix = fmt.Sprintf("%d targets have this name", len(found)), "name one of "+listed(titles(found))
	default:
		names := titles(list)
		e.Detail, e.Fix = "no target has this name", fault.Suggest(name, names, "name one of "+listed(names))
	}
	return e
}

// listed joins names, of very many the first.
func listed(names []string) string {
	const most = 12
	if n := len(names); n > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d others", n-most)
	}
	return strings.Join(names, ", ")
}
