package filter

import (
	"errors"
	"testing"
)

// TestUnknownTextsAreRefused: a state that is misspelt would make a condition that never holds.
func TestUnknownTextsAreRefused(t *testing.T) {
	for text, at := range map[string]int{
		"state=fronk": 6, "id=1 !(state!=fronk)": 14, "state=paused or state==faulted": 23, `state="pause d"`: 6,
		"state=Paused": -1, "state=4": -1, "state~fro": -1, "state>3": -1, "fronk": -1, "id=fronk": -1, "": -1,
	} {
		e, err := Parse(text, []string{"id", "state"})
		if err != nil {
			t.Fatal(err)
		}
		err = e.Restrict(1, "state", []string{"ready", "paused"})
		if at < 0 {
			if err != nil {
				t.Errorf("%q: %v", text, err)
			}
			continue
		}
		if refused := new(SyntaxError); !errors.As(err, &refused) || refused.At != at {
			t.Errorf("%q: %v, want an error at %d", text, err, at)
		}
	}
}
