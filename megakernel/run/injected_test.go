package run

import (
	"errors"
	"testing"

	"vyretop/megakernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// TestWorkloadsDoNotTakeTheIDsOfAddedTasks: a task with such an id would be left out of what the workload and its verification count.
func TestWorkloadsDoNotTakeTheIDsOfAddedTasks(t *testing.T) {
	for id, refused := range map[uint32]bool{0: false, 7: false, megakernel.InjectedIDBase - 1: false, megakernel.InjectedIDBase: true, megakernel.SpawnedIDBase - 1: true} {
		err := withoutInjected([]tasks.Task{{TaskID: 1}, {TaskID: id}})
		if errors.Is(err, resident.ErrTask) != refused {
			t.Errorf("id %d: error %v", id, err)
		}
	}
}
