package tui

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"vyretop/megakernel"
)

// Tables are sorted as they were in the dashboard before; a column that has been removed is ignored.
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
	d.keys("3", "T", ">") // equal operations by priority
	d.wantOnScreen("by op down, then priority down")
	d = newDriver(t, 120, 40, Options{Source: f, Sink: f, Sorting: kept})
	d.keys("3")
	d.wantOnScreen("by op down, then priority down")
	d.typed(":sort state -yields")
	d.keys("enter")
	d.wantOnScreen("by state, then yields down")
	d.typed(":sort color")
	d.keys("enter")
	d.wantOnScreen("name one or two of id, state,")
	d.keys("esc")
	if kept["tasks"] != "state,-yields" {
		t.Errorf("remembered %v", kept)
	}
	d.keys("1", "I", "I") // the overview has the workers' table
	if len(kept) != 3 {
		t.Errorf("remembered %v", kept)
	}
}

// While a question is open the rows that it is about stay where they are, however long it takes to answer.
func TestOrderStaysWhileAQuestionIsOpen(t *testing.T) {
	f := newFake()
	d := newDriver(t, 120, 40, Options{Source: f, Sink: f})
	d.keys("2", ">", ">", ">", ">", ">", ">", ">") // by activations
	d.wantOnScreen("by acts")
	order := func() (ids []uint64) {
		a := d.m.table().Arrange()
		for _, row := range a.Order.Rows {
			ids = append(ids, a.Rows.Key(int(row)))
		}
		return ids
	}
	d.keys("P")
	was := order()
	f.mu.Lock()
	f.worker(int(was[0]))[megakernel.WkCounts+megakernel.CountActivations] += 1_000_000
	f.mu.Unlock()
	f.run(d, 30)
	if diff := cmp.Diff(was, order()); diff != "" {
		t.Errorf("rows moved below the question: %s", diff)
	}
	d.keys("n")
	f.run(d, 11)
	if diff := cmp.Diff(was, order()); diff == "" {
		t.Error("rows do not move afterwards either")
	}
}

// TestHealthyShapeIsNotReplacedByOneWorker: the launch policy sizes a queue of one task to one worker of one lane. What is
// recommended for a running target is never below its vectors, and is shown with the gain that is expected.
func TestHealthyShapeIsNotReplacedByOneWorker(t *testing.T) {
	f := newFake()
	for _, tt := range []struct{ lanes, want int }{{8, 0}, {1, 8}} {
		d := newDriver(t, 120, 40, Options{Source: f, Sink: f})
		d.m.target.Device, d.m.target.WorkgroupSize = megakernel.DeviceFacts{VectorWidth: 8, AtOnce: 1, Software: true}, 8
		f.snap.Lanes = tt.lanes
		f.run(d, 12)
		a, text := d.m.latest.Advice, d.m.latest.Advised
		if tt.want == 0 && text != "" || tt.want > 0 && (a.Shape.Workers < 2 || a.Shape.Lanes != tt.want || a.Gain < 2) {
			t.Fatalf("of 4×%d: %+v", tt.lanes, a)
		}
		if text != "" {
			d.wantOnScreen("rec " + text)
		} else {
			d.wantNotOnScreen("rec ")
		}
	}
}
