package replay_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel/inspect"
	"vyretop/megakernel/replay"
)

// withoutContents is a position in a recording that has no contents of buffers.
type withoutContents struct {
	inspect.Subject

	rec *fixtures.Recording
}

func (s withoutContents) Recording() *fixtures.Recording { return s.rec }

func (s withoutContents) ReadBuffer(_ context.Context, name string, _ int, _ []uint32) error {
	return &fixtures.NoContentsError{Buffer: name, Known: -1}
}

// TestATaskOpensWhereExecutionTakesTooLong: debug of a recorded run that took the device a minute did not come back. A task
// that has faulted opens with the words that are recorded, and faults again.
func TestATaskOpensWhereExecutionTakesTooLong(t *testing.T) {
	rec := recordFolder(t, "testdata/refuse")
	s := withoutContents{inspect.NewRecorded(rec), rec}
	c, err := replay.Take(t.Context(), s, "refuse.mcap", replay.Wanted{Task: 5, Within: time.Nanosecond}, true)
	if err != nil {
		t.Fatal(err)
	}
	if c.Reached != nil || !strings.Contains(strings.Join(c.Notes, "\n"), "takes longer than 1ns: these buffers hold what they held when the run began: [total]") {
		t.Errorf("notes %q", c.Notes)
	}
	a, err := c.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if a.Finish(); a.Outcome().State != "faulted" {
		t.Errorf("the activation ends %s, want faulted", a.Outcome().State)
	}
	_, err = replay.Take(t.Context(), s, "refuse.mcap", replay.Wanted{Task: 5, Number: 1, Within: time.Nanosecond}, false)
	if !errors.Is(err, replay.ErrActivation) || !strings.Contains(err.Error(), "Fix: give it longer with --within") {
		t.Errorf("%v, want what to do", err)
	}
}
