package command

import (
	"slices"
	"strings"
	"time"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/alert"
	"vyretop/megakernel/filter"
	"vyretop/megakernel/stats"
)

// Waiter follows from snapshot to snapshot whether what an order waits for is so, and since when.
type Waiter struct {
	order          *Order
	before, newest *megakernel.Snapshot // nil: none yet
	so             bool                 // of the newest one
	since          time.Time            // that it is so; zero where it is not
}

// Waiter follows the condition of a wait.
func (o *Order) Waiter() *Waiter { return &Waiter{order: o} }

// Over reports whether the condition has been so for as long as the order says. now is the newest snapshot, or nil; the same one
// may come repeatedly, and is not compared with itself: nothing would have changed.
func (w *Waiter) Over(now *megakernel.Snapshot, at time.Time) bool {
	if now != nil && now != w.newest && (w.newest == nil || now.Taken >= w.newest.Taken) {
		if w.newest != nil && now.Taken > w.newest.Taken {
			w.before = w.newest
		}
		w.newest = now
		w.so = w.order.Until.Match(&stats.Row{Sample: stats.NewSample(now, w.before)})
	}
	switch {
	case !w.so:
		w.since = time.Time{}
		return false
	case w.since.IsZero():
		w.since = at
	}
	return at.Sub(w.since) >= w.order.For
}

// hopeless reports whether the condition is not so, and nothing will change by itself.
func (w *Waiter) hopeless() bool { return !w.so && finished(w.newest) && finished(w.before) }

func readWait(v *Verb, args []string) (Order, error) {
	o := Order{Kind: Wait}
	if len(args) == 0 {
		return o, v.misuse("say for how long, or for what")
	}
	if d, err := time.ParseDuration(args[0]); err == nil && len(args) == 1 {
		if d < 0 {
			return o, v.misuse("%v is over already", d)
		}
		o.For = d
		return o, nil
	}
	if c := args[0][0]; len(args) == 1 && c >= '0' && c <= '9' {
		return o, v.misuse("invalid duration %q", args[0])
	}
	text := strings.Join(args, " ")
	condition, held, err := alert.SplitFor(text)
	if err != nil {
		return o, &fault.Error{Kind: ErrCommand, Subject: v.Name, Cause: err} // which says what mends it
	}
	o.For = held
	o.Until, err = filter.Parse(condition, stats.MetricNames())
	if condition == text && waitsForStall(o.Until) {
		o.For = stallTime
	}
	return o, err
}

// stallTime is for how long a target must be stalled where the wait does not say: between two snapshots nothing changes in many
// targets that work.
const stallTime = 500 * time.Millisecond

// waitsForStall reports whether a condition asks for a stalled target.
func waitsForStall(e *filter.Expr) bool {
	stalled := slices.Index(stats.MetricNames(), "stalled")
	return slices.ContainsFunc(e.Postfix(), func(t filter.Term) bool {
		return t.Kind == filter.Comparison && t.Column == stalled && t.Operator == "=" && (t.Value == "1" || strings.EqualFold(t.Value, "true"))
	})
}
