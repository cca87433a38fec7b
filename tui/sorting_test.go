package tui

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Tables are sorted as they were in the dashboard before; a column that there is no more counts for nothing.
func TestSortingIsRemembered(t *testing.T) {
	f := newFake()
	kept := map[string]string{"workers": "gone", "events": "-took"}
	d := newDriver(t, 120, 40, Options{Source: f, Sink: f, Sorting: kept})
	d.keys("3", ">", ">", "I")
	d.keys("2", ">", "<")
	d.keys("5", "I")
	if diff := cmp.Diff(map[string]string{"tasks": "-priority", "events": "-took", "log": "-number"}, kept); diff != "" {
		t.Errorf("remembered (-want +got):\n%s", diff)
	}
	d = newDriver(t, 120, 40, Options{Source: f, Sink: f, Sorting: kept})
	d.keys("3")
	d.wantOnScreen("by priority down")
	d.keys("2")
	d.wantOnScreen("by id")
	d.keys("1", "I", "I") // the overview has the workers' table
	if len(kept) != 3 {
		t.Errorf("remembered %v", kept)
	}
}
