package inspect

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// recordedTasks writes a recording of tasks, each in an epoch of its own, at another pace.
func recordedTasks(t *testing.T, pace time.Duration, list []tasks.Task, ends []megakernel.Completion) *fixtures.Recording {
	t.Helper()
	file := filepath.Join(t.TempDir(), "run.mcap")
	w, err := fixtures.Create(file, fixtures.Header{Target: megakernel.Target{Workload: "tasks", Backend: "reference", Protocol: megakernel.ProtocolVersion, Slots: 1, MaxWorkers: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for i, task := range list {
		at := time.Duration(i) * pace
		w.Submitted(at, []tasks.Task{task})
		w.Command(at, megakernel.Command{Op: megakernel.OpAdvanceEpoch, Arg: 1})
	}
	w.Completed(ends)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	rec, err := fixtures.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// TestTasksAreComparedWhereverInTime: two runs at another pace are equal; words, epochs, ends and tasks that differ are named.
func TestTasksAreComparedWhereverInTime(t *testing.T) {
	list := []tasks.Task{{TaskID: 1, Opcode: 0x100}, {TaskID: 2, Opcode: 0x100, Param: 4}, {TaskID: 3, Opcode: 0x100}}
	ends := []megakernel.Completion{{Task: 1, State: tasks.Done}, {Task: 2, State: tasks.Done, Output: 8}, {Task: 3, State: tasks.Done}}
	diff := func(x, y *fixtures.Recording) (got []string) {
		rows, err := DiffTasks(x, y)
		if err != nil {
			t.Fatal(err)
		}
		if err := rows(func(d *TaskDifference) bool {
			got = append(got, fmt.Sprintf("%d@%d %s: %v %v", d.Task, d.Epoch, d.Word, d.A, d.B))
			return true
		}); err != nil {
			t.Fatal(err)
		}
		return got
	}
	slow := recordedTasks(t, time.Second, list, ends)
	if got := diff(slow, recordedTasks(t, time.Millisecond, list, []megakernel.Completion{ends[2], ends[0], ends[1]})); len(got) > 0 {
		t.Errorf("%q", got)
	}
	other := []tasks.Task{{TaskID: 2, Opcode: 0x100, Param: 5}, list[0], {TaskID: 4, Opcode: 0x100}}
	got := diff(slow, recordedTasks(t, 0, other, []megakernel.Completion{{Task: 1, State: tasks.Faulted, Code: 7}, {Task: 2, State: tasks.Done, Output: 9}}))
	want := []string{
		"1@0 published in epoch: 0 1", "1@0 ended state: done faulted", "1@0 ended continuation_data: 0 7",
		"2@1 published in epoch: 1 0", "2@1 published param: 4 5", "2@1 ended output_handle: 8 9",
		"3@2 published: yes <nil>", "4@2 published: <nil> yes",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
