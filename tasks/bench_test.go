package tasks_test

import (
	"testing"

	"vyretop/tasks"
)

// BenchmarkQueueSnapshot65536 is the goal "queue snapshot of 65,536 tasks": 60 us, no allocation.
// BenchmarkQueueRead65536 is what this machine takes to read one word of each of these slots, which lie
// in a cache line each: no snapshot can be faster. BenchmarkMemoryRead4MiB reads as many bytes, all of them.
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

// BenchmarkMemoryRead4MiB is the memory of BenchmarkQueueSnapshot65536 read from end to end in words of 8 bytes.
func BenchmarkMemoryRead4MiB(b *testing.B) {
	words := make([]uint64, 4<<20/8)
	for i := range words {
		words[i] = uint64(i)
	}
	b.SetBytes(int64(8 * len(words)))
	var odd, even uint64
	for b.Loop() {
		for i := 0; i+8 <= len(words); i += 8 {
			w := (*[8]uint64)(words[i:])
			even += w[0] + w[2] + w[4] + w[6]
			odd += w[1] + w[3] + w[5] + w[7]
		}
	}
	if odd == even {
		b.Log(odd)
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
