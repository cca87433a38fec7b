package inspect

import (
	"slices"
	"testing"

	"vyretop/megakernel/table"
)

// The columns of commands are those that megakernel/table lists for them, in its order.
func TestColumnsAreThoseOfTheRegistry(t *testing.T) {
	for name, tt := range map[string]struct {
		columns []string
		want    table.Table
	}{
		"workers": {WorkerTable.Fields(), table.Workers}, "tasks": {TaskTable.Fields(), table.Tasks},
		"log": {LogTable.Fields(), table.Log}, "events": {EventTable.Fields(), table.Events},
	} {
		if want := tt.want.Names(table.Command); !slices.Equal(tt.columns, want) {
			t.Errorf("%s: columns %q, listed are %q", name, tt.columns, want)
		}
	}
}
