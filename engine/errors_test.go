package engine

import (
	"fmt"
	"testing"
)

// TestACauseDoesNotRepeatTheFix: an error says what to do once: what the outermost error advises, else its cause.
func TestACauseDoesNotRepeatTheFix(t *testing.T) {
	lost := &Error{Code: CodeDeviceLost, Op: "dispatch", Fix: "recover the backend"}
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&Error{Op: "read", Err: lost, Fix: "start again"}, "read: " + what(lost) + ". Fix: start again"},
		{&Error{Op: "read", Err: lost}, "read: " + what(lost) + ". Fix: recover the backend"},
		{&Error{Op: "read", Err: fmt.Errorf("slice 3: %w", lost)}, "read: slice 3: " + lost.Error()},
		{lost, what(lost) + ". Fix: recover the backend"},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

func what(e *Error) string {
	s, _ := e.Parts()
	return s
}
