package keymap

import "testing"

// views are those of the tests.
var views = []Spec{
	{View: Workers, Digit: "1", Traits: Table | WorkerRows},
	{View: Tasks, Digit: "2", Traits: Table | TaskRows},
	{View: Log, Digit: "3", Traits: Table | OwnEnter, Keys: []OwnKey{
		{After: Details, Binding: Binding{ID: Follow, Keys: []string{"enter"}, Source: Any}},
		{Binding: Binding{ID: "wide", Keys: []string{"e"}, Source: Any}},
	}},
}

func TestConflictsAreFound(t *testing.T) {
	a := Binding{ID: "a", Keys: []string{"x", "y"}, On: TaskRows | OwnEnter, Source: Any}
	for name, tc := range map[string]struct {
		b    Binding
		want int
	}{
		"same place":     {Binding{ID: "b", Keys: []string{"y"}, View: Tasks, Source: Live}, 1},
		"other view":     {Binding{ID: "b", Keys: []string{"y"}, View: Workers, Source: Live}, 0},
		"other views":    {Binding{ID: "b", Keys: []string{"y"}, On: WorkerRows, Source: Live}, 0},
		"left out":       {Binding{ID: "b", Keys: []string{"y"}, Off: TaskRows | OwnEnter, Source: Live}, 0},
		"one of the two": {Binding{ID: "b", Keys: []string{"y"}, Off: OwnEnter, Source: Live}, 1},
		"other key":      {Binding{ID: "b", Keys: []string{"z"}, View: Tasks, Source: Live}, 0},
		"two at once":    {Binding{ID: "b", Keys: []string{"x", "y"}, Source: Replay}, 2},
		"other source":   {Binding{ID: "b", Keys: []string{"x"}, Source: 0}, 0},
	} {
		m := &Map{Views: views, Bindings: []Binding{a, tc.b}}
		if got := len(m.Conflicts()); got != tc.want {
			t.Errorf("%s: %d conflicts, want %d", name, got, tc.want)
		}
	}
}

// The keys of a view are active there only, and listed where the view wants them.
func TestKeysOfAView(t *testing.T) {
	m := New(views)
	for _, tc := range []struct {
		view      View
		key, want string
	}{
		{Log, "enter", Follow},
		{Log, "e", "wide"},
		{Tasks, "enter", Details},
		{Tasks, "e", Details},
	} {
		if b := m.Find(tc.key, Context{View: tc.view, Source: Now}); b == nil || b.ID != tc.want {
			t.Errorf("%s in %s starts %+v, want %s", tc.key, tc.view, b, tc.want)
		}
	}
	var order []string
	for _, b := range m.Bindings {
		if b.ID == Details || b.View == Log {
			order = append(order, b.ID)
		}
	}
	if len(order) != 3 || order[0] != Details || order[1] != Follow || order[2] != "wide" {
		t.Errorf("the order is %v", order)
	}
}
