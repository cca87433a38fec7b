package words

import (
	"slices"
	"testing"

	"vyretop/megakernel"
	"vyretop/tasks"
)

func snapshot(slots, workers int) *megakernel.Snapshot {
	return &megakernel.Snapshot{
		Control: make([]uint32, 200), Slots: make([]uint32, slots*tasks.SlotWords), WorkerTable: make([]uint32, workers*megakernel.WorkerWords),
	}
}

func TestDiff(t *testing.T) {
	state, beat := 3*tasks.SlotWords+tasks.WordState, megakernel.WorkerWords+megakernel.WkHeartbeat
	for _, tc := range []struct {
		name     string
		change   func(b *megakernel.Snapshot)
		all      bool
		limit    int
		want     []Difference
		total    int
		volatile int
	}{
		{name: "equal", change: func(*megakernel.Snapshot) {}},
		{name: "a word", change: func(b *megakernel.Snapshot) { b.Slots[state] = 4 }, want: []Difference{{Buffer: Ring, Index: state, B: 4}}, total: 1},
		{
			name: "in order, cut", limit: 2, total: 3,
			change: func(b *megakernel.Snapshot) { b.WorkerTable[0], b.Slots[1500], b.Control[199] = 1, 2, 3 },
			want:   []Difference{{Buffer: Control, Index: 199, B: 3}, {Buffer: Ring, Index: 1500, B: 2}},
		},
		{name: "volatile", change: func(b *megakernel.Snapshot) { b.WorkerTable[beat] = 9 }, volatile: 1},
		{name: "all", all: true, change: func(b *megakernel.Snapshot) { b.WorkerTable[beat] = 9 }, want: []Difference{{Buffer: Workers, Index: beat, B: 9}}, total: 1},
		{name: "unknown buffer", change: func(b *megakernel.Snapshot) { b.Slots = nil }},
		{name: "longer", change: func(b *megakernel.Snapshot) { b.Control = append(b.Control, 7) }, want: []Difference{{Buffer: Control, Index: 200, B: 7, OnlyB: true}}, total: 1},
		{name: "shorter", change: func(b *megakernel.Snapshot) { b.Control = b.Control[:199] }, want: []Difference{{Buffer: Control, Index: 199, OnlyA: true}}, total: 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := snapshot(100, 2)
			tc.change(b)
			limit := tc.limit
			if limit == 0 {
				limit = 10
			}
			got := Diff(nil, snapshot(100, 2), b, tc.all, limit)
			if !slices.Equal(got.List, tc.want) || got.Total != tc.total || got.Volatile != tc.volatile {
				t.Errorf("%+v, want %+v, %d in total, %d volatile", got, tc.want, tc.total, tc.volatile)
			}
		})
	}
}

func TestNames(t *testing.T) {
	for want, at := range map[string]struct {
		buffer string
		i      int
	}{
		"slot[2].state":                {Ring, 2*tasks.SlotWords + tasks.WordState},
		"worker[1].heartbeat":          {Workers, megakernel.WorkerWords + megakernel.WkHeartbeat},
		"worker[0].cursor[5]":          {Workers, megakernel.WkCursor0 + 5},
		"worker[0].step_after.task_id": {Workers, megakernel.WkStepAfter + tasks.WordTaskID},
		"worker[0].idle_ticks":         {Workers, megakernel.WkIdle},
		"worker[0].word[95]":           {Workers, 95},
		megakernel.ControlWordName(0):  {Control, 0},
	} {
		if got := Name(at.buffer, at.i); got != want {
			t.Errorf("%s[%d] is %q, want %q", at.buffer, at.i, got, want)
		}
	}
	names := map[string]bool{}
	for i := range megakernel.WorkerWords {
		if name := WorkerName(i); names[name] {
			t.Errorf("two words of a worker are called %s", name)
		} else {
			names[name] = true
		}
	}
}
