package tasks_test

import (
	"testing"

	"vyretop/tasks"
)

// BenchmarkQueueSnapshot65536 is the goal "queue snapshot of 65,536 tasks": 60 us, no allocation.
// BenchmarkQueueRead65536 is what this machine takes to read one word of each of these slots, which lie
// in a cache line each: no snapshot can be faster.
func BenchmarkQueueSnapshot65536(b *testing.B) {
	slots := mixedQueue(65_536)
	b.ReportAllocs()
	b.SetBytes(int64(4 * len(slots)))
	for b.Loop() {
		if _, err := tasks.Summarise(slots); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkQueueRead65536 reads the state of every slot and nothing else.
func BenchmarkQueueRead65536(b *testing.B) {
	slots := mixedQueue(65_536)
	b.SetBytes(int64(4 * len(slots)))
	sum := uint32(0)
	for b.Loop() {
		for i := 0; i < len(slots); i += tasks.SlotWords {
			sum += slots[i]
		}
	}
	if sum == 1 {
		b.Log(sum)
	}
}

// mixedQueue makes slots of tasks in all states.
func mixedQueue(n int) []uint32 {
	out := make([]uint32, 0, n*tasks.SlotWords)
	for i := range n {
		t := tasks.Task{State: tasks.State(i * 7 % tasks.NumStates), TaskID: uint32(i), RequeueCount: uint32(i % 5), AgeTicks: uint32(i % 97)}
		w := t.Words()
		out = append(out, w[:]...)
	}
	return out
}
