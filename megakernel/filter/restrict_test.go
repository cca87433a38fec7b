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

// TestTextsAreNoNumbers: a column of numbers that is compared with a text made a condition that never holds.
func TestTextsAreNoNumbers(t *testing.T) {
	fields := []string{"id", "task", "pc", "epoch", "state", "acts"}
	for text, at := range map[string]int{
		"task=x": 5, "pc=1 !(task!=fronk)": 13, "pc=x": 3, `epoch="soon"`: 6, "task=i": 5, "task=++3": 5, "pc=+3": 3, "acts=many": 5,
		"task=17": -1, "task=#17": -1, "task=+3": -1, "id=i3": -1, "task=none": -1, "epoch=none": -1, "pc=0x1f": -1, "task~x": -1, "state=x": -1, "x": -1, "": -1,
	} {
		e, err := Parse(text, fields)
		if err != nil {
			t.Fatal(err)
		}
		err = e.CheckNumbers(fields)
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

// TestANameHasOneType: filters of all tables of a target go by the name of a column.
func TestANameHasOneType(t *testing.T) {
	for _, table := range []Table{WorkerColumns, TaskColumns, LogColumns, EventColumns} {
		for _, c := range table {
			if types[c.Name] != c.Type {
				t.Errorf("%s has the types %d and %d", c.Name, c.Type, types[c.Name])
			}
		}
	}
}
