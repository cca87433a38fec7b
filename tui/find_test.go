package tui

import (
	"testing"

	"vyretop/megakernel"
	"vyretop/tui/pane"
)

// selected is the id of the selected task, or 0.
func (d *driver) selected() uint32 {
	key, _, ok := d.m.table().Selection()
	if !ok {
		return 0
	}
	id, _ := pane.SplitTaskKey(key)
	return id
}

// filterBy types a filter in place of the one that is there, and keeps it.
func (d *driver) filterBy(text string) {
	d.keys("/", "ctrl+u")
	d.typed(text)
	d.keys("enter")
}

// A filter that hid the selected task left nothing selected: R and p did nothing.
func TestFilterThatHidesTheSelectionSelectsTheNearest(t *testing.T) {
	for name, tc := range map[string]struct {
		down   int // rows below the first one
		filter string
		want   uint32
	}{
		"below":                  {down: 2, filter: "state=paused", want: 1005},
		"above":                  {down: 10, filter: "state=paused", want: 1005},
		"as close, so below":     {down: 25, filter: "id=1022 or id=1028", want: 1028},
		"itself, when it passes": {down: 5, filter: "state=paused", want: 1005},
		"nothing passes":         {down: 5, filter: "id=7", want: 0},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDriver(t, 80, 24, Options{Source: newFake()})
			d.keys("3", "g")
			d.m.table().Move(tc.down)
			if from := d.selected(); from != uint32(1000+tc.down) {
				t.Fatalf("task %d is selected at first", from)
			}
			d.filterBy(tc.filter)
			if got := d.selected(); got != tc.want {
				t.Errorf("task %d is selected, want %d", got, tc.want)
			}
		})
	}
}

func TestCommandsWorkAfterAFilterHidTheSelection(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.keys("3", "g")
	d.filterBy("state=paused")
	d.keys("R", "1")
	if got := f.sent(); len(got) != 1 || got[0].Op != megakernel.OpRequeueTask || got[0].Task != 1005 {
		t.Errorf("sent %+v", got)
	}
}

func TestFilterOfTasksSelectsWhenNothingWas(t *testing.T) {
	d := newDriver(t, 80, 24, Options{Source: newFake()})
	d.keys("3")
	d.filterBy("state=paused")
	if got := d.selected(); got != 1005 {
		t.Errorf("task %d is selected", got)
	}
	d.keys("esc")
	if got := d.selected(); got != 1005 {
		t.Errorf("task %d is selected after the filter was cleared", got)
	}
}

// What is typed on the way to a filter, or given up, does not move the selection.
func TestTypingAFilterKeepsTheSelection(t *testing.T) {
	for _, last := range []string{"enter", "esc"} {
		d := newDriver(t, 80, 24, Options{Source: newFake()})
		d.keys("3", "g", "j", "j", "/", "ctrl+u")
		d.typed("state=paused")
		d.keys("ctrl+u")
		d.typed("state=yielded")
		d.keys(last)
		if got := d.selected(); got != 1002 {
			t.Errorf("%s: task %d is selected, want 1002", last, got)
		}
	}
}

// A task that leaves the filter by what becomes of it must not hand the next command to another.
func TestTaskThatLeavesTheFilterLeavesTheSelectionEmpty(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.keys("3", "g")
	d.filterBy("state=paused")
	d.keys("R", "1")
	d.update()
	d.keys("p")
	if got := f.sent(); len(got) != 1 {
		t.Errorf("sent %+v", got)
	}
	d.wantOnScreen("nothing to pause is selected")
}

// Enter on a log or on events in which nothing is selected takes the newest row; it said that nothing is selected.
func TestEnterTakesTheNewestRowWhereNoneIsSelected(t *testing.T) {
	for _, view := range []string{"5", "0"} {
		d := newDriver(t, 80, 24, Options{Source: newFake()})
		d.keys(view)
		if len(d.m.table().Arrange().Order.Rows) == 0 {
			t.Fatalf("view %s has no rows", view)
		}
		d.keys("enter")
		d.wantNotOnScreen("Nothing is selected")
	}
}

// n and N go from match to match of the last filter, with the rows between them on screen.
func TestMatchKeysOfTheLog(t *testing.T) {
	d := newDriver(t, 80, 24, Options{Source: newFake()})
	at := func() uint64 {
		key, _, ok := d.m.table().Selection()
		if !ok {
			t.Fatal("nothing is selected")
		}
		return key
	}
	d.keys("5", "n")
	d.wantOnScreen("nothing to look for")
	d.filterBy("fault")
	d.keys("esc", "n")
	d.wantOnScreen("yield at pc")
	for _, step := range []struct {
		key  string
		want uint64
	}{{"n", 8}, {"n", 13}, {"N", 8}, {"j", 9}, {"n", 13}, {"N", 8}, {"N", 3}, {"N", 3}} {
		d.keys(step.key)
		if got := at(); got != step.want {
			t.Errorf("%s: record %d, want %d", step.key, got, step.want)
		}
	}
	d.wantOnScreen("no further row matches fault")
	d.keys("G", "N")
	if got := at(); got != 38 {
		t.Errorf("N from the end: record %d, want 38", got)
	}
}

// TestAnUnknownOperationIsNoFilter: a filter of an operation that the target does not have hid all rows, and did not say why.
func TestAnUnknownOperationIsNoFilter(t *testing.T) {
	f := newFake()
	d := newDriver(t, 120, 40, Options{Source: f, Sink: f})
	d.keys("3")
	d.typed("/op=scam")
	d.wantOnScreen(`"scam" is not an op. Fix: did you mean "scan"?`)
	d.keys("ctrl+u")
	d.typed("op=scan")
	d.wantNotOnScreen("is not an op")
	d.keys("ctrl+u")
	d.typed("op=printf")
	d.wantNotOnScreen("is not an op")
	d.keys("ctrl+u")
	d.typed("op=99")
	d.wantNotOnScreen("is not an op")
}

// TestAnUnknownStateIsNoFilter: a state that is misspelt is said to be one, and the last good filter stays.
func TestAnUnknownStateIsNoFilter(t *testing.T) {
	f := newFake()
	d := newDriver(t, 120, 40, Options{Source: f, Sink: f})
	d.keys("3")
	d.typed("/state=fronk")
	d.wantOnScreen(`"fronk" is not a state. Fix: use one of ready, running`, "/!state=done")
	d.keys("ctrl+u")
	d.typed("state=paused")
	d.wantNotOnScreen("is not a state")
}
