package policy

import (
	"fmt"
	"math"

	"vyretop/tasks"
)

// Schedulable is the number of tasks of a queue that a worker may claim: ready, yielded and requeued
// ones. More than 32 bits hold are ErrOverflow.
func Schedulable(q *tasks.QueueSnapshot) (uint32, error) {
	n := uint64(q.Ready) + uint64(q.Yielded) + uint64(q.Requeued)
	if n > math.MaxUint32 {
		return 0, overflow("schedulable tasks", fmt.Sprintf("%d ready, %d yielded and %d requeued", q.Ready, q.Yielded, q.Requeued), 32, "summarise the queue in parts")
	}
	return uint32(n), nil
}

// ContinuationPressure counts how often the tasks of a queue came back: those yielded or requeued now,
// and every requeue so far. It is ErrOverflow beyond 64 bits.
func ContinuationPressure(q *tasks.QueueSnapshot) (uint64, error) {
	return addRequeues(uint64(q.Yielded)+uint64(q.Requeued), q.TotalRequeues)
}

func addRequeues(a, b uint64) (uint64, error) {
	if a+b < a {
		return 0, overflow("requeue count", fmt.Sprintf("%d and %d", a, b), 64, "drain the queue and reset its counters")
	}
	return a + b, nil
}

// AddQueue puts the state of a queue into r: its schedulable tasks as the queue, its continuation
// pressure on top of the requeues, and its oldest age. Paused, running and ended tasks add no lanes. On
// an error r is unchanged.
//
// The requeues of a queue never decay, so that a queue with one of them counts as Saturated for ever.
// A policy that watches a running target should use AddQueueSince instead.
func (r *Request) AddQueue(q *tasks.QueueSnapshot) error {
	n, err := Schedulable(q)
	if err != nil {
		return err
	}
	back, err := ContinuationPressure(q)
	if err != nil {
		return err
	}
	if back, err = addRequeues(r.RequeueCount, back); err != nil {
		return err
	}
	r.QueueLen, r.RequeueCount, r.MaxPriorityAge = n, back, max(r.MaxPriorityAge, q.MaxPriorityAge)
	return nil
}

// AddQueueSince is AddQueue for a policy that watches a running target: what counts as requeues are
// those since an earlier look at the same queue, and neither those before nor the tasks that wait to
// continue. A total that went back, because slots were reused, counts from zero.
func (r *Request) AddQueueSince(q, earlier *tasks.QueueSnapshot) error {
	n, err := Schedulable(q)
	if err != nil {
		return err
	}
	back := q.TotalRequeues
	if back >= earlier.TotalRequeues {
		back -= earlier.TotalRequeues
	}
	if back, err = addRequeues(r.RequeueCount, back); err != nil {
		return err
	}
	r.QueueLen, r.RequeueCount, r.MaxPriorityAge = n, back, max(r.MaxPriorityAge, q.MaxPriorityAge)
	return nil
}
