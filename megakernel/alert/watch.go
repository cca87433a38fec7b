package alert

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/health"
	"vyretop/megakernel/stats"
)

// Alert is the state of one rule.
type Alert struct {
	Name         string
	Text         string        // what the rule looks at
	Why          string        // the verdict on the target when it was raised last, of a rule that looks at that
	Level        Level         // now
	Worst        Level         // since it was raised last
	Since        time.Duration // when it became that level, since launch
	Times        int           // how often it was raised
	Acknowledged bool          // since it was raised last
}

// Change is an alert that was raised, became worse, or ended.
type Change struct {
	Alert Alert
	Do    []string // nothing for an alert that ended
}

// Reason is what the alert tells of: the verdict, or where the rule looks at none, what it looks at.
func (a *Alert) Reason() string { return cmp.Or(a.Why, a.Text) }

// String says the change in words.
func (c Change) String() string {
	if c.Alert.Level == Fine {
		return "alert " + c.Alert.Name + " has ended: " + c.Alert.Text
	}
	return c.Alert.Level.String() + " " + c.Alert.Name + ": " + c.Alert.Reason()
}

// Watch evaluates rules on snapshot after snapshot. It is not safe for concurrent use. A nil Watch has no
// rules.
type Watch struct {
	rules  []compiled
	states []state
	before *megakernel.Snapshot
	older  health.Lookback
}

// verdictWindow is how far a verdict looks back, at least.
const verdictWindow = 500 * time.Millisecond

type state struct {
	Alert
	pending time.Duration // since when the condition is true
	waiting bool          // pending counts
}

// New makes a watch of rules; errors are ErrRule.
func New(rules []Rule) (*Watch, error) {
	w := &Watch{}
	for _, r := range rules {
		c, err := compile(r)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(w.rules, func(o compiled) bool { return o.Name == c.Name }) {
			return nil, &fault.Error{Kind: ErrRule, Op: "alert", Subject: strconv.Quote(c.Name), Detail: "there are two of that name", Fix: "rename one"}
		}
		w.rules = append(w.rules, c)
	}
	w.reset()
	return w, nil
}

func (w *Watch) reset() {
	w.states, w.before, w.older = make([]state, len(w.rules)), nil, health.Lookback{Window: verdictWindow}
	for i := range w.rules {
		w.states[i].Alert = Alert{Name: w.rules[i].Name, Text: w.rules[i].text()}
	}
}

// Observe takes in the next snapshot and returns what changed. A snapshot that was seen, or nil, changes
// nothing; one that is older than the last begins again.
func (w *Watch) Observe(now *megakernel.Snapshot) []Change {
	if w == nil || now == nil || now == w.before {
		return nil
	}
	if w.before != nil && now.Taken < w.before.Taken {
		w.reset()
	}
	s := stats.NewSample(now, w.before)
	s.Judge(w.older.Than(now))
	w.older.Add(now)
	w.before = now
	row := &stats.Row{Sample: s}
	var out []Change
	for i := range w.rules {
		if level, changed := w.states[i].next(&w.rules[i], s, row); changed {
			if w.rules[i].verdict && w.states[i].Level == Fine {
				w.states[i].Why = s.Health().String()
			}
			out = append(out, w.states[i].become(level, now.Taken, w.rules[i].Do))
		}
	}
	return out
}

// next is the level of a rule now, and whether that is another one.
func (s *state) next(c *compiled, m *stats.Sample, row *stats.Row) (Level, bool) {
	level := c.judge(m, row, s.Level)
	if level == Fine || c.held == 0 {
		s.waiting = false
		return level, level != s.Level
	}
	if !s.waiting {
		s.waiting, s.pending = true, m.Now.Taken
	}
	return level, level != s.Level && m.Now.Taken-s.pending >= c.held
}

// become changes the level.
func (s *state) become(level Level, at time.Duration, do []string) Change {
	if s.Level == Fine {
		s.Times++
		s.Acknowledged, s.Worst = false, Fine
	}
	worse := level > s.Worst
	s.Level, s.Since, s.Worst = level, at, max(s.Worst, level)
	if !worse {
		do = nil
	}
	return Change{s.Alert, do}
}

// List is every alert that was ever raised: those that hold first, the worst first.
func (w *Watch) List() []Alert {
	if w == nil {
		return nil
	}
	var out []Alert
	for i := range w.states {
		if w.states[i].Times > 0 {
			out = append(out, w.states[i].Alert)
		}
	}
	slices.SortStableFunc(out, func(a, b Alert) int { return int(b.Level) - int(a.Level) })
	return out
}

// Badges are the alerts that hold, are not acknowledged, and want a badge.
func (w *Watch) Badges() []Alert {
	if w == nil {
		return nil
	}
	var out []Alert
	for i := range w.states {
		if s := &w.states[i]; s.Level > Fine && !s.Acknowledged && slices.Contains(w.rules[i].Do, DoBadge) {
			out = append(out, s.Alert)
		}
	}
	return out
}

// Acknowledge marks an alert as seen until it is raised again; of the name "" all.
func (w *Watch) Acknowledge(name string) {
	if w == nil {
		return
	}
	for i := range w.states {
		if name == "" || w.states[i].Name == name {
			w.states[i].Acknowledged = true
		}
	}
}
