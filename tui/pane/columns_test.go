package pane

import (
	"slices"
	"testing"

	"vyretop/megakernel/table"
)

// The columns of the dashboard are those that megakernel/table lists for it: commands that are copied name no other.
func TestColumnsAreThoseOfTheRegistry(t *testing.T) {
	for name, tt := range map[string]struct {
		columns []Column
		want    table.Table
	}{
		"workers": {workerColumns, table.Workers}, "tasks": {taskColumns, table.Tasks}, "log": {logColumns, table.Log}, "events": {eventColumns, table.Events},
	} {
		got, want := FieldNames(tt.columns), tt.want.Names(table.Dashboard)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: columns %q, listed are %q", name, got, want)
		}
	}
}
