package replay_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vyretop/engine/reference"
	"vyretop/fixtures"
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

// TestARaceIsFoundInItsRecording: additions that tasks lose to each other end otherwise, and the line is named, in a recording of each device.
func TestARaceIsFoundInItsRecording(t *testing.T) {
	b, err := reference.Open(reference.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	files, err := filepath.Glob(filepath.Join(recordings, "unequal", "*.mcap"))
	if err != nil || len(files) < 2 {
		t.Fatalf("%d recordings, %v", len(files), err)
	}
	for _, file := range files {
		rec := open(t, file)
		r := verify(t, rec, b)
		if r.Equal() || len(r.Buffers) != 1 || r.Buffers[0].First == nil || !strings.HasPrefix(r.Buffers[0].First.Name, "race_sum") {
			t.Fatalf("%s: %+v", file, r)
		}
		if err := replay.Locate(t.Context(), "race", rec, r, 1); err != nil {
			t.Fatal(err)
		}
		if d := r.Divergence; d == nil || d.Writer == nil || d.Writer.Handler != "add" || !addsToSum(rec, d.Writer) {
			t.Errorf("%s: %+v", file, d)
		}
	}
}

// addsToSum reports whether the line that is named writes the sum.
func addsToSum(rec *fixtures.Recording, w *replay.Writer) bool {
	for _, f := range rec.Header().Kernel {
		if lines := strings.Split(f.Text, "\n"); f.Name == w.File && w.Line > 0 && w.Line <= len(lines) {
			return strings.Contains(lines[w.Line-1], "race_sum")
		}
	}
	return false
}
