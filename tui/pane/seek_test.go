package pane

import (
	"testing"

	"pgregory.net/rapid"

	"vyretop/megakernel/filter"
	"vyretop/tasks"
)

// Nearest never passes over a row that is closer.
func TestNearestIsTheClosestRow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		states := rapid.SliceOfN(rapid.SampledFrom([]tasks.State{tasks.Ready, tasks.Paused}), 1, 40).Draw(t, "states")
		v := newTasks(frameWithTasks(states...), look(), nil)
		paused, err := filter.Parse("state=paused", FieldNames(v.Columns()))
		if err != nil {
			t.Fatal(err)
		}
		all, o := Arrange(v, &TableState{}, nil), Arrange(v, &TableState{Filter: paused}, nil)
		from := rapid.IntRange(0, len(states)-1).Draw(t, "from")
		row, ok := o.Nearest(v, &all, v.Key(from))
		if ok != (len(o.Rows) > 0) {
			t.Fatalf("found %v among %d rows", ok, len(o.Rows))
		}
		for _, other := range o.Rows {
			if distance(int(other), from) < distance(row, from) {
				t.Fatalf("row %d is nearer to %d than %d", other, from, row)
			}
		}
		if ok && states[row] != tasks.Paused {
			t.Fatalf("row %d is hidden", row)
		}
	})
}

func distance(a, b int) int { return max(a-b, b-a) }

func TestNearestToARowThatIsGone(t *testing.T) {
	v := newTasks(frameWithTasks(tasks.Ready), look(), nil)
	all := Arrange(v, &TableState{}, nil)
	if row, ok := all.Nearest(v, &all, TaskKey(7, 0)); ok {
		t.Errorf("row %d is near a task that does not exist", row)
	}
}
