package policy

import (
	"fmt"
	"math"
)

// Accounting is what a scheduler counted since it was last drained.
type Accounting struct {
	Requeues       uint64 `json:"requeue_count"`
	AgedPromotions uint64 `json:"aged_promotions"` // tasks run earlier because they had waited long
	MaxPriorityAge uint32 `json:"max_priority_age"`
}

// EventKind is what happened to a task.
type EventKind uint8

// The kinds that an Accounting counts.
const (
	Requeue EventKind = iota
	AgedPromotion
)

// Event is one of them, with the age of its task in ticks.
type Event struct {
	Kind     EventKind
	AgeTicks uint32
}

// Record adds events. A counter at its maximum is ErrOverflow, and then nothing is added.
func (a *Accounting) Record(events []Event) error {
	next := *a
	for _, e := range events {
		if err := next.record(e); err != nil {
			return err
		}
	}
	*a = next
	return nil
}

func (a *Accounting) record(e Event) error {
	counter, name := &a.Requeues, "requeue count"
	if e.Kind == AgedPromotion {
		counter, name = &a.AgedPromotions, "aged promotion count"
	}
	if *counter == math.MaxUint64 {
		return overflow(name, fmt.Sprintf("%d and 1", *counter), 64, "drain the queue and reset its counters")
	}
	*counter++
	a.MaxPriorityAge = max(a.MaxPriorityAge, e.AgeTicks)
	return nil
}

// DrainReason says why a queue should be drained.
type DrainReason string

// The reasons, in the order of precedence.
const (
	DrainRequeueExhausted   DrainReason = "requeue_counter_exhausted"
	DrainPromotionExhausted DrainReason = "aged_promotion_counter_exhausted"
	DrainRequeueNear        DrainReason = "requeue_counter_near_limit"
	DrainPromotionNear      DrainReason = "aged_promotion_counter_near_limit"
	DrainPending            DrainReason = "pending_telemetry" // something was counted
	DrainNone               DrainReason = "none"
)

// nearLimit is the headroom of a counter from which on it counts as nearly full.
const nearLimit = 1024

// Drain is the advice on an Accounting.
type Drain struct {
	Should            bool        `json:"should_drain"`
	Reason            DrainReason `json:"reason"`
	RequeueHeadroom   uint64      `json:"requeue_counter_headroom"`
	PromotionHeadroom uint64      `json:"aged_promotion_counter_headroom"`
}

// Drain advises whether to drain the queue and start counting again.
func (a *Accounting) Drain() Drain {
	d := Drain{RequeueHeadroom: math.MaxUint64 - a.Requeues, PromotionHeadroom: math.MaxUint64 - a.AgedPromotions}
	switch {
	case d.RequeueHeadroom == 0:
		d.Reason = DrainRequeueExhausted
	case d.PromotionHeadroom == 0:
		d.Reason = DrainPromotionExhausted
	case d.RequeueHeadroom <= nearLimit:
		d.Reason = DrainRequeueNear
	case d.PromotionHeadroom <= nearLimit:
		d.Reason = DrainPromotionNear
	case *a != Accounting{}:
		d.Reason = DrainPending
	default:
		d.Reason = DrainNone
	}
	d.Should = d.Reason != DrainNone
	return d
}
