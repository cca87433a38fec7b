package pane

import (
	"slices"
	"testing"

	"vyretop/megakernel/filter"
)

// The columns of the dashboard are those that megakernel/filter lists for it: commands that are copied name no other.
func TestColumnsAreThoseOfTheRegistry(t *testing.T) {
	for name, tt := range map[string]struct {
		columns []Column
		want    filter.Table
	}{
		"workers": {workerColumns, filter.WorkerColumns}, "tasks": {taskColumns, filter.TaskColumns}, "log": {logColumns, filter.LogColumns}, "events": {eventColumns, filter.EventColumns},
	} {
		got, want := FieldNames(tt.columns), tt.want.Names(filter.Dashboard)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: columns %q, listed are %q", name, got, want)
		}
	}
}
