package tui

import (
	"testing"

	"vyretop/megakernel"
)

// TestARequestThatChangesNothingIsNamed: the footer said "log : in force" after :log every=auto where sampling was automatic.
func TestARequestThatChangesNothingIsNamed(t *testing.T) {
	sampling := megakernel.Change{Setting: megakernel.Setting{ID: megakernel.LogEverySetting, Value: 64}, Old: 2}
	workers := megakernel.Change{Setting: megakernel.Setting{ID: megakernel.WorkersSetting, Value: 2}, Old: 4}
	for _, c := range []struct {
		changes []megakernel.Change
		want    string
	}{
		{nil, "log"},
		{[]megakernel.Change{workers}, "log workers=2, was 4"},
		{[]megakernel.Change{sampling}, "log-every=64, was 2"}, // it was "log log-every=64, was 2"
		{[]megakernel.Change{workers, workers}, "log workers=2, was 4; workers=2, was 4"},
	} {
		if got := changeText("log", c.changes); got != c.want {
			t.Errorf("%v: %q, want %q", c.changes, got, c.want)
		}
	}
}
