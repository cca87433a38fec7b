package tasks

// QueueSnapshot summarises the tasks of a queue.
type QueueSnapshot struct {
	Ready, Paused, Yielded, Requeued, Running, Faulted uint32
	TotalRequeues                                      uint64 // sum of requeue_count
	MaxPriorityAge                                     uint32 // largest age_ticks
}

// Schedulable is the number of tasks that a worker may claim.
func (q *QueueSnapshot) Schedulable() uint32 { return q.Ready + q.Yielded + q.Requeued }

// Summarise counts the tasks in a slice of slot words (a multiple of SlotWords; a shorter rest is
// an error). Empty and Done slots are in no count of states, but the requeues and ages of every slot
// count: they tell what the queue went through. An unknown state word is ErrWord.
func Summarise(slots []uint32) (QueueSnapshot, error) {
	if len(slots)%SlotWords != 0 {
		return QueueSnapshot{}, partial(len(slots))
	}
	var a, b tally
	half := len(slots) / (2 * burst) * burst
	for at := 0; at < half; at += burst {
		first, second := (*[burst]uint32)(slots[at:]), (*[burst]uint32)(slots[half+at:])
		for i := 0; i < burst; i += SlotWords {
			a.add(first[i+WordState], first[i+WordRequeueCount], first[i+WordAgeTicks])
			b.add(second[i+WordState], second[i+WordRequeueCount], second[i+WordAgeTicks])
		}
	}
	for rest := slots[2*half:]; len(rest) > 0; rest = rest[SlotWords:] {
		a.add(rest[WordState], rest[WordRequeueCount], rest[WordAgeTicks])
	}
	if a.states[NumStates]+b.states[NumStates] > 0 {
		return QueueSnapshot{}, unknownState(slots)
	}
	count := func(s State) uint32 { return a.states[s] + b.states[s] }
	return QueueSnapshot{
		Ready: count(Ready), Paused: count(Paused), Yielded: count(Yielded), Requeued: count(Requeued), Running: count(Running), Faulted: count(Faulted),
		TotalRequeues: a.requeues + b.requeues, MaxPriorityAge: max(a.age, b.age),
	}, nil
}

// burst is how many words of a queue are read with one check of its bounds. Bursts come from both halves in turn: two
// streams of cache lines keep memory busier than one.
const burst = 16 * SlotWords

// tally counts without branches: states come in no order, and a branch guessed wrong costs more than
// all else. Each half has a tally, so that neither waits for the other.
type tally struct {
	states   [16]uint32 // NumStates counts all unknown ones; a power of two needs no bounds check
	requeues uint64     // cannot overflow: each slot adds 32 bits, and there are fewer than 2^32 of them
	age      uint32
}

func (t *tally) add(state, requeues, age uint32) {
	t.states[min(state, NumStates)&15]++
	t.requeues += uint64(requeues)
	t.age = max(t.age, age)
}

// unknownState reports the first unknown state of a queue that has one.
func unknownState(slots []uint32) error {
	for i := 0; ; i += SlotWords {
		if _, err := StateFromWord(slots[i]); err != nil {
			return err
		}
	}
}
