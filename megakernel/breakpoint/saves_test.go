package breakpoint

import "testing"

// A snapshot is saved for hits that act, once for each look, and only of breakpoints that ask for it.
func TestSavesAreDueForHitsThatAct(t *testing.T) {
	var s Saves
	save := Status{ID: 1, Breakpoint: Breakpoint{Condition: "op=7", Action: Snapshot, After: 5, Every: 2}}
	other := Status{ID: 2, Breakpoint: Breakpoint{Condition: "op=8", Action: Count}}
	for i, step := range []struct {
		hits uint64
		want string
	}{
		{0, ""}, {4, ""}, {6, "breakpoint 1 was hit: op=7 hit>5 hit%2 snapshot"}, {7, ""}, {7, ""}, {12, "breakpoint 1 was hit: op=7 hit>5 hit%2 snapshot"},
		{1, ""}, // another one of that number
		{12, "breakpoint 1 was hit: op=7 hit>5 hit%2 snapshot"}, {8, "breakpoint 1 was hit: op=7 hit>5 hit%2 snapshot"},
	} {
		save.Hits, other.Hits = step.hits, other.Hits+3
		if got := s.Due([]Status{save, other}); got != step.want {
			t.Errorf("look %d, %d hits: %q, want %q", i, step.hits, got, step.want)
		}
	}
}
