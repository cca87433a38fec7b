package taskcheck

import (
	"strings"
	"testing"

	"vyretop/megakernel/run"
)

// TestProfileIsOfHandlers: what the kernel does around handlers and for them is in no line of its own, and each activation is counted.
func TestProfileIsOfHandlers(t *testing.T) {
	d, err := run.OpenWorkload("collatz")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Profile(t.Context(), Config{Definition: d, Values: map[string]string{"count": "100"}})
	if err != nil || !r.Ended || !r.Verified {
		t.Fatalf("%+v, %v", r.Result, err)
	}
	if r.Profile.Kernel.Steps == 0 {
		t.Error("the kernel itself took no steps")
	}
	handlers := r.Profile.Handlers()
	if len(handlers) != 1 || handlers[0].Func != "collatz" || handlers[0].Words != 100 {
		t.Errorf("handlers %+v", handlers)
	}
	text := r.Sources[0].Text
	for _, l := range r.Profile.Lines() {
		if l.File != r.Sources[0].Name {
			t.Errorf("%s:%d is of no handler", l.File, l.Line)
		}
		if line := strings.Split(text, "\n")[l.Line-1]; strings.Contains(line, "collatz_steps[t.input_handle] =") && (l.Lanes == 0 || l.Words != 100) {
			t.Errorf("%s: %+v", line, l.Counts)
		}
	}
}
