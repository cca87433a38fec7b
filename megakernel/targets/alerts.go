package targets

import (
	"slices"
	"strconv"
	"time"

	"vyretop/megakernel/alert"
	"vyretop/megakernel/filter"
)

// Alerts evaluates the user's alerts on the targets of a fleet. Rules about metrics that are not in the table are left out: they hold in a
// target's own dashboard. It is not safe for concurrent use.
type Alerts struct {
	rules []rule
	since map[string][]time.Time // by ID and rule: since when the condition is true
}

// rule is a condition on the columns.
type rule struct {
	name  string
	expr  *filter.Expr
	held  time.Duration
	level alert.Level
}

// lostRule is the alert about targets that are lost, which no user has to configure.
var lostRule = alert.Rule{Name: "lost", When: "state=lost", Level: "critical"}

// NewAlerts compiles rules that alert.New has accepted.
func NewAlerts(rules []alert.Rule) *Alerts {
	a := &Alerts{since: map[string][]time.Time{}}
	for _, r := range append(slices.Clone(rules), lostRule) {
		a.rules = append(a.rules, compile(r)...)
	}
	return a
}

// compile makes the conditions of a rule; none where the table lacks what it is about.
func compile(r alert.Rule) (out []rule) {
	add := func(condition string, held time.Duration, level alert.Level) {
		if e, err := filter.Parse(condition, filter.TargetColumns.Names(filter.Command)); err == nil {
			out = append(out, rule{name: r.Name, expr: e, held: held, level: level})
		}
	}
	if r.When != "" {
		level := alert.Warning
		if r.Level == alert.Critical.String() {
			level = alert.Critical
		}
		if condition, held, err := alert.SplitFor(r.When); err == nil {
			add(condition, held, level)
		}
		return out
	}
	if r.Critical > 0 {
		add(bound(r.Metric, r.Critical), 0, alert.Critical)
	}
	if r.Warn > 0 {
		add(bound(r.Metric, r.Warn), 0, alert.Warning)
	}
	return out
}

// bound is the condition that a metric has reached a bound.
func bound(metric string, n uint64) string { return metric + ">=" + strconv.FormatUint(n, 10) }

// Observe notes on each target which alerts hold, and returns how many targets have one of each level.
func (a *Alerts) Observe(list []*Target, now time.Time) (warning, critical int) {
	here := make(map[string]bool, len(list))
	for _, t := range list {
		here[t.ID] = true
		switch a.observe(t, now) {
		case alert.Warning:
			warning++
		case alert.Critical:
			critical++
		}
	}
	for id := range a.since {
		if !here[id] {
			delete(a.since, id)
		}
	}
	return warning, critical
}

// observe is Observe for one target.
func (a *Alerts) observe(t *Target, now time.Time) (worst alert.Level) {
	since := a.since[t.ID]
	if since == nil {
		since = make([]time.Time, len(a.rules))
		a.since[t.ID] = since
	}
	t.Alerts = nil
	row := Row{Target: t, Now: now}
	for i := range a.rules {
		r := &a.rules[i]
		if t.Ended || !r.expr.Match(&row) {
			since[i] = time.Time{}
			continue
		}
		if since[i].IsZero() {
			since[i] = now
		}
		if now.Sub(since[i]) >= r.held && !slices.Contains(t.Alerts, r.name) {
			t.Alerts, worst = append(t.Alerts, r.name), max(worst, r.level)
		}
	}
	return worst
}
