package tasks_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vyretop/tasks"
)

func slots(list ...tasks.Task) []uint32 {
	var out []uint32
	for _, t := range list {
		w := t.Words()
		out = append(out, w[:]...)
	}
	return out
}

func TestSummarise(t *testing.T) {
	aged := func(s tasks.State, age, requeues uint32) tasks.Task {
		return tasks.Task{State: s, AgeTicks: age, RequeueCount: requeues}
	}
	tests := []struct {
		name  string
		slots []uint32
		want  tasks.QueueSnapshot
	}{
		{"nothing", nil, tasks.QueueSnapshot{}},
		{"empty and done slots count with their history only", slots(aged(tasks.Empty, 9, 9), aged(tasks.Done, 8, 7)), tasks.QueueSnapshot{TotalRequeues: 16, MaxPriorityAge: 9}},
		{"one of each", slots(aged(tasks.Ready, 1, 1), aged(tasks.Running, 2, 1), aged(tasks.Paused, 5, 1), aged(tasks.Yielded, 3, 1), aged(tasks.Requeued, 4, 1), aged(tasks.Faulted, 1, 1)),
			tasks.QueueSnapshot{Ready: 1, Running: 1, Paused: 1, Yielded: 1, Requeued: 1, Faulted: 1, TotalRequeues: 6, MaxPriorityAge: 5}},
		{"counters beyond 32 bits", slots(aged(tasks.Ready, math.MaxUint32, math.MaxUint32), aged(tasks.Ready, 0, math.MaxUint32)),
			tasks.QueueSnapshot{Ready: 2, TotalRequeues: 2 * math.MaxUint32, MaxPriorityAge: math.MaxUint32}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tasks.Summarise(tt.slots)
			if err != nil || got != tt.want {
				t.Errorf("got %+v, %v; want %+v", got, err, tt.want)
			}
		})
	}
}

func TestSummariseRefusesBrokenSlots(t *testing.T) {
	got, err := tasks.Summarise(make([]uint32, tasks.SlotWords+1))
	if !errors.Is(err, tasks.ErrLength) || !strings.HasPrefix(err.Error(), "17 words are no whole number of 16-word slots. Fix: ") || got != (tasks.QueueSnapshot{}) {
		t.Errorf("a partial slot gives %+v, %v", got, err)
	}
	got, err = tasks.Summarise(slots(full(tasks.Ready), full(8)))
	checkWordError(t, err, "state", 8, 7)
	if got != (tasks.QueueSnapshot{}) {
		t.Errorf("with an unknown state the summary is %+v, want none", got)
	}
}

// TestSummariseAddsUp: every slot that is neither empty nor done is counted exactly once, and the
// schedulable ones are those that a worker may claim.
func TestSummariseAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []tasks.Task
		var counted, schedulable uint32
		for range rapid.IntRange(0, 100).Draw(t, "slots") {
			s := tasks.State(rapid.Uint32Range(0, tasks.NumStates-1).Draw(t, "state"))
			list = append(list, full(s))
			if s != tasks.Empty && s != tasks.Done {
				counted++
			}
			if s.Schedulable() {
				schedulable++
			}
		}
		q, err := tasks.Summarise(slots(list...))
		if err != nil {
			t.Fatal(err)
		}
		if sum := q.Ready + q.Paused + q.Yielded + q.Requeued + q.Running + q.Faulted; sum != counted || q.Schedulable() != schedulable {
			t.Fatalf("counted %d of %d, schedulable %d of %d", sum, counted, q.Schedulable(), schedulable)
		}
	})
}

// TestSummariseCountsEverySlot: wherever it lies, in queues of any length.
func TestSummariseCountsEverySlot(t *testing.T) {
	for n := 1; n < 100; n++ {
		queue := slots(slices.Repeat([]tasks.Task{full(tasks.Empty)}, n)...)
		for at := range n {
			one := slices.Clone(queue)
			one[at*tasks.SlotWords+tasks.WordState] = uint32(tasks.Paused)
			one[at*tasks.SlotWords+tasks.WordRequeueCount] += 1000
			one[at*tasks.SlotWords+tasks.WordAgeTicks] += 1000
			without, err := tasks.Summarise(queue)
			with, err2 := tasks.Summarise(one)
			if err != nil || err2 != nil || with.Paused != 1 || with.TotalRequeues != without.TotalRequeues+1000 || with.MaxPriorityAge != without.MaxPriorityAge+1000 {
				t.Fatalf("slot %d of %d: %+v with it, %+v without, %v %v", at, n, with, without, err, err2)
			}
		}
	}
}

func FuzzSummarise(f *testing.F) {
	f.Add([]byte{1, 0, 0, 7})
	f.Fuzz(func(t *testing.T, b []byte) {
		words := make([]uint32, len(b))
		for i, v := range b {
			words[i] = uint32(v)
		}
		q, err := tasks.Summarise(words)
		if err == nil && int(q.Schedulable()) > len(words)/tasks.SlotWords {
			t.Errorf("%d schedulable tasks in %d words", q.Schedulable(), len(words))
		}
	})
}
