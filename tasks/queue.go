package tasks

import "math"

// QueueSnapshot summarises the tasks of a queue.
type QueueSnapshot struct {
	Ready, Paused, Yielded, Requeued, Running, Faulted uint32
	TotalRequeues                                      uint64 // sum of requeue_count, saturating
	MaxPriorityAge                                     uint32 // largest age_ticks
}

// Schedulable is the number of tasks that a worker may claim.
func (q *QueueSnapshot) Schedulable() uint32 { return q.Ready + q.Yielded + q.Requeued }

// Summarise counts the tasks in a slice of slot words (a multiple of SlotWords; a shorter rest is
// an error). Empty and Done slots are in no count of states, but the requeues and ages of every slot
// count: they tell what the queue went through. An unknown state word is a *WordError.
func Summarise(slots []uint32) (QueueSnapshot, error) {
	var q QueueSnapshot
	if len(slots)%SlotWords != 0 {
		return q, &LengthError{Words: len(slots)}
	}
	for i := 0; i < len(slots); i += SlotWords {
		w := (*[SlotWords]uint32)(slots[i : i+SlotWords])
		if err := q.count(w); err != nil {
			return QueueSnapshot{}, err
		}
	}
	return q, nil
}

func (q *QueueSnapshot) count(w *[SlotWords]uint32) error {
	switch State(w[WordState]) {
	case Empty, Done:
	case Ready:
		q.Ready++
	case Running:
		q.Running++
	case Paused:
		q.Paused++
	case Yielded:
		q.Yielded++
	case Requeued:
		q.Requeued++
	case Faulted:
		q.Faulted++
	default:
		return &WordError{Word: "state", Value: w[WordState], Max: NumStates - 1}
	}
	if sum := q.TotalRequeues + uint64(w[WordRequeueCount]); sum >= q.TotalRequeues {
		q.TotalRequeues = sum
	} else {
		q.TotalRequeues = math.MaxUint64
	}
	q.MaxPriorityAge = max(q.MaxPriorityAge, w[WordAgeTicks])
	return nil
}
