package replay_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vyretop/engine/reference"
	"vyretop/fixtures"
	"vyretop/megakernel/replay"
)

// TestRecordingsOfUnfinishedRuns opens those of fixtures/recordings/unfinished: none is executed again, each says why, and what is whole is
// rescued.
func TestRecordingsOfUnfinishedRuns(t *testing.T) {
	b, err := reference.Open(reference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for name, want := range map[string]struct {
		why     string
		open    bool
		missing bool
	}{
		"stall-llvmpipe.mcap":     {why: "the run had not ended: 4 tasks left"},
		"lost-llvmpipe.mcap":      {why: "the run had not ended: 300 tasks left"},
		"truncated-llvmpipe.mcap": {why: "it is damaged or was cut short", open: true},
		"torn-llvmpipe.mcap":      {why: "", missing: true},
	} {
		path := filepath.Join("..", "..", "fixtures", "recordings", "unfinished", name)
		rec := open(t, path)
		rec.Verify() // damage is known once it is met
		if _, err := replay.Verify(t.Context(), name, rec, b); !errors.Is(err, replay.ErrNotExecutable) || !strings.Contains(err.Error(), want.why) {
			t.Errorf("%s: %v", name, err)
		}
		found := rescue(t, path)
		if found.Open != want.open || (len(found.Missing) > 0) != want.missing || found.Chunks < 2 || found.Messages["target"] != 1 {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

func rescue(t *testing.T, path string) *fixtures.Recovered {
	t.Helper()
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		t.Fatal(err)
	}
	found, err := fixtures.Recover(in, info.Size(), path, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestRecordedFaultsAndResultsAreCompared: the recordings of fixtures that have faults and results are verified by them.
func TestRecordedFaultsAndResultsAreCompared(t *testing.T) {
	b, err := reference.Open(reference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for name, want := range map[string]struct {
		faulted  uint64
		compared int
	}{"faults-llvmpipe.mcap": {8, 64}, "results-llvmpipe.mcap": {0, 200}} {
		r := verify(t, open(t, filepath.Join("..", "..", "fixtures", "recordings", "runs", name)), b)
		if !r.Equal() || r.Tasks.Faulted != want.faulted || r.Results.Compared != want.compared {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
