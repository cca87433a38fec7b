package dap

import (
	"encoding/json"
	"testing"
)

// A task was refused that was written as a number, which is how editors' settings and JSON of vyretop tasks have it.
func TestATaskMayBeANumber(t *testing.T) {
	for text, want := range map[string]Scalar{`5`: "5", `"5"`: "5", `"+3"`: "+3", `null`: ""} {
		l, err := parseLaunch(json.RawMessage(`{"program": "run.mcap", "task": ` + text + `}`))
		if err != nil || l.Task != want {
			t.Errorf("task %s is %v, %v", text, l, err)
		}
	}
	for _, text := range []string{`[1, 2]`, `true`, `{}`} {
		if l, err := parseLaunch(json.RawMessage(`{"program": "run.mcap", "task": ` + text + `}`)); err == nil && l.Task != "" {
			t.Errorf("task %s is %q", text, l.Task)
		}
	}
}
