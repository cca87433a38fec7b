package debugger

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"vyretop/engine/reference/vm"
)

// Hits says which hits of a breakpoint stop a run. Hits are counted from the start of the dispatch, whatever the direction
// of the run. The zero value is every hit.
type Hits struct {
	Op string // ==, !=, <, <=, >, >= or %; "" for every hit
	N  int    // at least 1
}

// ParseHits parses a number from 1 on, or an operator and such a number.
func ParseHits(text string) (Hits, error) {
	op, number := "==", text
	for _, o := range []string{"==", "!=", "<=", ">=", "<", ">", "%"} {
		if rest, ok := strings.CutPrefix(text, o); ok {
			op, number = o, strings.TrimSpace(rest)
			break
		}
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 {
		return Hits{}, unsupported(fmt.Sprintf("invalid hit count %q", number), "write a number from 1 on, after ==, !=, <, <=, >, >= or % if need be: 3, %100")
	}
	return Hits{Op: op, N: n}, nil
}

// holds reports whether the hit of this number, from 1, counts.
func (h Hits) holds(n int) bool {
	switch h.Op {
	case "==":
		return n == h.N
	case "!=":
		return n != h.N
	case "<":
		return n < h.N
	case "<=":
		return n <= h.N
	case ">":
		return n > h.N
	case ">=":
		return n >= h.N
	case "%":
		return n%h.N == 0
	}
	return true
}

// tally holds the times at which a breakpoint was hit, ascending, as far as it is known.
type tally struct {
	times []uint64
	known uint64 // all hits up to this time are in times
}

// until is how many hits there are up to a time, itself included.
func (t *tally) until(now uint64) int {
	return sort.Search(len(t.times), func(i int) bool { return t.times[i] > now })
}

// note adds a hit unless it is known.
func (t *tally) note(now uint64) {
	if n := len(t.times); n == 0 || t.times[n-1] < now {
		t.times = append(t.times, now)
	}
}

// cut forgets what came after a time.
func (t *tally) cut(now uint64) {
	t.times = t.times[:t.until(now)]
	t.known = min(t.known, now)
}

// counts notes a hit and reports whether it is one of those that count.
func (b *Breakpoint) counts(now uint64) bool {
	if b.Hits.Op == "" {
		return true
	}
	b.tally.note(now)
	return b.Hits.holds(b.tally.until(now))
}

// Count is how often a breakpoint was hit from the start of the dispatch up to where the session stands. It reports false
// when it was interrupted.
func (s *Session) Count(b *Breakpoint) (int, bool) {
	if b.tally.known < s.m.now && !s.arrivals().tallyUp(b) {
		return 0, false
	}
	return b.tally.until(s.m.now), true
}

// count finds the hits up to this time of breakpoints that need their number. It reports false when it was interrupted.
func (s arrivals) count() bool {
	for _, b := range s.breaks {
		if b.Hits.Op != "" && b.tally.known < s.m.now && !s.arrivals().tallyUp(b) {
			return false
		}
	}
	return true
}

// tallyUp runs the history that a breakpoint has not counted once more, up to where the session stands.
func (s arrivals) tallyUp(b *Breakpoint) bool {
	end := s.m.now
	stops := s.lines().marks(func(pc int) bool { return b.pcs[pc] })
	s.m.seek(b.tally.known)
	for s.m.now < end {
		if s.ctx.Err() != nil {
			s.m.seek(end)
			return false
		}
		ran, n := s.m.forward(0, int(min(end-s.m.now, turn)), stops)
		if g := s.m.groups[ran]; g == nil || n == 0 || g.State() == vm.Ended || !stops[g.PC()] {
			continue
		}
		if _, ok := s.arrivals().holds(b, ran); ok {
			b.tally.note(s.m.now)
		}
		b.tally.known = s.m.now
	}
	b.tally.known = end
	return true
}

// counted says that a forward run has met every hit up to where it stands.
func (s arrivals) counted() {
	for _, b := range s.breaks {
		if b.Hits.Op != "" {
			b.tally.known = max(b.tally.known, s.m.now)
		}
	}
}

// forgotten drops the hits after a time.
func (s arrivals) forgotten(now uint64) {
	for _, b := range s.breaks {
		b.tally.cut(now)
	}
}
