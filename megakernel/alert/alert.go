// Package alert owns the conditions that a user wants to hear of: rules over the metrics of a target,
// and which of them hold.
//
// A rule is a condition that must have been true for a time, or two bounds of a metric. Bounds have
// hysteresis: an alert that was raised at 90 ends only some percent below, so that a value that hovers
// there does not ring again and again. Time is that of the snapshots, so that a live target and a
// recording give the same alerts; after a step back in time everything is as it was never seen.
package alert

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"vyretop/engine/fault"
	"vyretop/megakernel/filter"
	"vyretop/megakernel/stats"
)

// Level says how bad it is.
type Level uint8

// The levels.
const (
	Fine Level = iota
	Warning
	Critical
)

// String names the level.
func (l Level) String() string { return [...]string{"fine", "warning", "critical"}[min(l, Critical)] }

// What a rule may do besides being listed.
const (
	DoBadge    = "badge"    // a badge in the header, as long as it is not acknowledged
	DoBell     = "bell"     // the terminal's bell, once
	DoSnapshot = "snapshot" // keep the snapshot in a file
)

// Actions are what a rule may do.
var Actions = []string{DoBadge, DoBell, DoSnapshot}

// Rule is one alert of a configuration: either When, or Metric with at least one bound.
type Rule struct {
	Name       string   `toml:"name"`
	When       string   `toml:"when"`       // a filter over metrics; it may end with "for" and a duration
	Metric     string   `toml:"metric"`     // name of a metric
	Warn       uint64   `toml:"warn"`       // from here on a warning; 0 for none
	Critical   uint64   `toml:"critical"`   // from here on critical; 0 for none
	Hysteresis int      `toml:"hysteresis"` // percent below a bound at which it ends; 0 for DefaultHysteresis
	Level      string   `toml:"level"`      // of When: "warning" (also "") or "critical"
	Do         []string `toml:"do"`         // some of Actions; left out, a badge
}

// DefaultHysteresis is that of rules that name none, in percent.
const DefaultHysteresis = 10

// Default are the alerts of who configures none.
func Default() []Rule {
	return []Rule{
		{Name: "stalled", When: "stalled=1 and verdict!=spinning for 5s"},
		{Name: "spinning", When: "verdict=spinning for 10s"}, // longer: tasks may wait for the host in a loop
		{Name: "starving", When: "starving>0 for 5s"},
		{Name: "faults", When: "fault_slots>0", Level: "critical"},
		{Name: "ring", When: "verdict=ring-full for 1s", Level: "critical"}, // a ring that the host keeps full is as it should be
	}
}

// ErrRule is matched by errors about rules.
const ErrRule fault.Kind = "alert cannot be used"

// compiled is a rule that can be evaluated.
type compiled struct {
	Rule
	expr   *filter.Expr
	held   time.Duration // how long expr must be true
	level  Level         // of expr
	metric *stats.Metric

	verdict bool // expr looks at the verdict
}

func compile(r Rule) (c compiled, err error) {
	c = compiled{Rule: r}
	bad := func(detail, fix string) (compiled, error) {
		return c, &fault.Error{Kind: ErrRule, Op: "alert", Subject: strconv.Quote(r.Name), Detail: detail, Fix: fix}
	}
	switch {
	case strings.TrimSpace(r.Name) == "":
		return bad("it has no name", "give it one")
	case (r.When == "") == (r.Metric == ""):
		return bad("it needs either when or metric", `write when = "queue_depth>0 for 2s", or metric with warn and critical`)
	case r.Hysteresis < 0, r.Hysteresis > 100:
		return bad("its hysteresis is not a percentage", "use 0 to 100")
	}
	for _, do := range r.Do {
		if !slices.Contains(Actions, do) {
			return bad(fmt.Sprintf("it cannot do %q", do), "use some of "+strings.Join(Actions, ", "))
		}
	}
	if c.Do == nil {
		c.Do = []string{DoBadge}
	}
	if c.Hysteresis == 0 {
		c.Hysteresis = DefaultHysteresis
	}
	if r.Metric != "" {
		return c, c.compileBounds()
	}
	return c, c.compileWhen()
}

func (c *compiled) compileBounds() error {
	switch c.metric = stats.MetricNamed(c.Metric); {
	case c.metric == nil:
		return &fault.Error{Kind: ErrRule, Op: "alert", Subject: strconv.Quote(c.Name), Detail: fmt.Sprintf("unknown metric %q", c.Metric), Fix: "use one that vyretop help metrics lists"}
	case c.Warn == 0 && c.Critical == 0, c.Critical > 0 && c.Critical < c.Warn:
		return &fault.Error{Kind: ErrRule, Op: "alert", Subject: strconv.Quote(c.Name), Detail: "its bounds make no sense", Fix: "give warn, or critical, or a critical that is not below warn"}
	}
	return nil
}

func (c *compiled) compileWhen() (err error) {
	condition, held, err := SplitFor(c.When)
	if err != nil {
		return &fault.Error{Kind: ErrRule, Op: "alert", Subject: strconv.Quote(c.Name), Cause: err}
	}
	c.held = held
	c.verdict = strings.Contains(condition, "verdict") || strings.Contains(condition, "stalled")
	switch c.Rule.Level {
	case "", "warning":
		c.level = Warning
	case "critical":
		c.level = Critical
	default:
		return &fault.Error{Kind: ErrRule, Op: "alert", Subject: strconv.Quote(c.Name), Detail: fmt.Sprintf("unknown level %q", c.Rule.Level), Fix: "use warning or critical"}
	}
	if c.expr, err = filter.Parse(condition, stats.MetricNames()); err != nil {
		return &fault.Error{Kind: ErrRule, Op: "alert", Subject: strconv.Quote(c.Name), Detail: err.Error(), Fix: "correct it, or see vyretop help filters"}
	}
	return nil
}

// SplitFor takes the duration off a condition that must have been true for a time. Errors are ErrRule.
func SplitFor(when string) (condition string, held time.Duration, err error) {
	cut := strings.LastIndex(when, " for ")
	if cut < 0 {
		return when, 0, nil
	}
	held, err = time.ParseDuration(strings.TrimSpace(when[cut+5:]))
	if err != nil || held < 0 {
		return "", 0, &fault.Error{Kind: ErrRule, Detail: fmt.Sprintf("%q is not a duration", when[cut+5:]), Fix: `write one such as 2s after "for"`}
	}
	return when[:cut], held, nil
}

// text says what the rule looks at.
func (c *compiled) text() string {
	if c.metric == nil {
		return c.When
	}
	switch {
	case c.Critical == 0:
		return fmt.Sprintf("%s>=%d", c.Metric, c.Warn)
	case c.Warn == 0:
		return fmt.Sprintf("%s>=%d", c.Metric, c.Critical)
	}
	return fmt.Sprintf("%s>=%d, critical from %d", c.Metric, c.Warn, c.Critical)
}

// judge is the level of a sample; for bounds it depends on the level before.
func (c *compiled) judge(s *stats.Sample, row *stats.Row, before Level) Level {
	if c.metric == nil {
		if c.expr.Match(row) {
			return c.level
		}
		return Fine
	}
	value, known := c.metric.Value(s).(uint64)
	switch {
	case !known:
		return Fine
	case c.reached(value, c.Critical, before >= Critical):
		return Critical
	case c.reached(value, c.Warn, before >= Warning):
		return Warning
	}
	return Fine
}

// reached reports whether a value is at a bound, or still above its hysteresis.
func (c *compiled) reached(value, bound uint64, was bool) bool {
	if bound == 0 {
		return false
	}
	if was {
		bound -= bound * uint64(c.Hysteresis) / 100
	}
	return value >= bound
}
