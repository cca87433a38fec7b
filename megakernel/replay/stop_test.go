package replay

import (
	"testing"

	"vyretop/tasks"
)

// TestInputsBehindADifferenceAreLeftOut: what follows where a run stopped does not matter to what wrote the word that differs.
func TestInputsBehindADifferenceAreLeftOut(t *testing.T) {
	batch := func(ids ...uint32) (in input) {
		for _, id := range ids {
			in.tasks = append(in.tasks, tasks.Task{TaskID: id})
		}
		return in
	}
	inputs := []input{batch(1, 2), {epochs: 2}, batch(3, 4), {epochs: 1}, batch(5)}
	for _, tc := range []struct {
		stop Stop
		task uint32
		want int
	}{
		{Stop{State: true, Epoch: 0}, 0, 1}, {Stop{State: true, Epoch: 1}, 0, 1}, {Stop{State: true, Epoch: 2}, 0, 3}, {Stop{State: true, Epoch: 9}, 0, 5},
		{Stop{}, 2, 1}, {Stop{}, 3, 3}, {Stop{}, 5, 5}, {Stop{}, 99, 5},
	} {
		p := plan{inputs: inputs}
		tc.stop.before(&p, []place{{task: tc.task}})
		if len(p.inputs) != tc.want {
			t.Errorf("%+v, task %d: %d inputs, want %d", tc.stop, tc.task, len(p.inputs), tc.want)
		}
	}
	if out := only(inputs, 4); len(out) != 3 || out[1].tasks[0].TaskID != 4 || len(out[1].tasks) != 1 || out[0].epochs != 2 || len(inputs[2].tasks) != 2 {
		t.Errorf("%+v", out)
	}
}
