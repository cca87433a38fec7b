package tui

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// recordedSink is a target that can be recorded; files is what was asked for.
type recordedSink struct {
	*fakeTarget
	files []string
	fail  error
}

func (r *recordedSink) Record(_ context.Context, file string) (string, error) {
	r.files = append(r.files, file)
	return "recording to /tmp/run.mcap", r.fail
}

// TestARunIsRecordedFromTheDashboard: with a name, to the end, and with the key, which leaves the name to the run.
func TestARunIsRecordedFromTheDashboard(t *testing.T) {
	r := &recordedSink{fakeTarget: newFake()}
	d := newDriver(t, 80, 24, Options{Source: r, Sink: r})
	d.update()
	for _, typed := range []string{"record run.mcap", "record off"} {
		d.keys(":")
		d.typed(typed)
		d.keys("enter")
		d.wantOnScreen("record: recording to /tmp/run.mcap")
	}
	d.keys("ctrl+k")
	if want := []string{"run.mcap", "off", ""}; !slices.Equal(r.files, want) {
		t.Errorf("asked for %q, want %q", r.files, want)
	}
	r.fail = errors.New("the disk is full. Fix: free some space")
	d.keys("ctrl+k")
	d.wantOnScreen("record: the disk is full. Fix: free some space")

	plain := newFake()
	d = newDriver(t, 80, 24, Options{Source: plain, Sink: plain})
	d.update()
	d.keys("ctrl+k")
	d.wantOnScreen("record: this target cannot be recorded")
}
