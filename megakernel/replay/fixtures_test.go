package replay_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vyretop/engine/reference"
	"vyretop/megakernel/replay"
	"vyretop/megakernel/run"
)

// recordings are the folder of recordings.
const recordings = "../../fixtures/recordings"

// TestThereIsARecordingOfEachKind: each shipped workload has one that can be executed again, as has each thing that goes wrong, and all
// together they are small.
func TestThereIsARecordingOfEachKind(t *testing.T) {
	want := []string{"runs/faults-", "runs/results-", "unfinished/stall-", "unfinished/lost-", "unfinished/torn-", "unfinished/truncated-", "unequal/race-"}
	for _, name := range run.Workloads() {
		want = append(want, "runs/"+name+"-")
	}
	var names []string
	size := int64(0)
	err := filepath.WalkDir(recordings, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".mcap" {
			return err
		}
		info, err := d.Info()
		size += info.Size()
		name, _ := filepath.Rel(recordings, path)
		names = append(names, filepath.ToSlash(name))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range want {
		found := false
		for _, n := range names {
			found = found || strings.HasPrefix(n, w)
		}
		if !found {
			t.Errorf("no recording %s*.mcap", w)
		}
	}
	if size > 8_000_000 {
		t.Errorf("the recordings have %d bytes", size)
	}
}

// TestARaceIsFoundInItsRecording: additions that tasks lose to each other end otherwise, and the line is named.
func TestARaceIsFoundInItsRecording(t *testing.T) {
	b, err := reference.Open(reference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	rec := open(t, filepath.Join(recordings, "unequal", "race-llvmpipe.mcap"))
	r := verify(t, rec, b)
	if r.Equal() || len(r.Buffers) != 1 || r.Buffers[0].First == nil || r.Buffers[0].First.Name != "race_sum" {
		t.Fatalf("%+v", r)
	}
	if err := replay.Locate(t.Context(), "race", rec, r, 1); err != nil {
		t.Fatal(err)
	}
	if d := r.Divergence; d == nil || d.Writer == nil || d.Writer.Line != 6 || d.Writer.Handler != "add" {
		t.Errorf("%+v", d)
	}
}
