package inspect

import (
	"slices"
	"testing"

	"vyretop/megakernel/filter"
)

// The columns of commands are those that megakernel/filter lists for them, in its order.
func TestColumnsAreThoseOfTheRegistry(t *testing.T) {
	for name, tt := range map[string]struct {
		columns []string
		want    filter.Table
	}{
		"workers": {WorkerTable.Fields(), filter.WorkerColumns}, "tasks": {TaskTable.Fields(), filter.TaskColumns},
		"log": {LogTable.Fields(), filter.LogColumns}, "events": {EventTable.Fields(), filter.EventColumns},
	} {
		if want := tt.want.Names(filter.Command); !slices.Equal(tt.columns, want) {
			t.Errorf("%s: columns %q, listed are %q", name, tt.columns, want)
		}
	}
}
