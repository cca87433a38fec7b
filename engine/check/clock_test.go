package check

import (
	"testing"

	"pgregory.net/rapid"
)

// TestClocksKnowWhatTheyWereTold: clocks that are extended and joined in any order know the same as maps do.
func TestClocksKnowWhatTheyWereTold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clocks, models := make([]clock, 4), make([]map[uint32]uint32, 4)
		for i := range models {
			models[i] = map[uint32]uint32{}
		}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			i, k := rapid.IntRange(0, 3).Draw(t, "clock"), rapid.IntRange(0, 3).Draw(t, "other")
			if rapid.Bool().Draw(t, "join") {
				clocks[i] = clocks[i].join(clocks[k])
				for actor, time := range models[k] {
					models[i][actor] = max(models[i][actor], time)
				}
				continue
			}
			actor, time := rapid.Uint32Range(0, mostClocks-1).Draw(t, "actor"), rapid.Uint32Range(1, 9).Draw(t, "time")
			clocks[i] = clocks[i].with(actor, time)
			models[i][actor] = max(models[i][actor], time)
		}
		for i, model := range models {
			for actor, time := range model {
				if !clocks[i].knows(actor, time) || clocks[i].knows(actor, time+1) || clocks[i].knows(actor^1, 10) {
					t.Fatalf("clock %d does not know %d up to %d exactly", i, actor, time)
				}
			}
		}
	})
}
