package inspect

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"vyretop/fixtures"
)

// recordDemo records the embedded recording in files of 20 s and returns what stays.
func recordDemo(t *testing.T, in fixtures.Segments) (files []string, snapshots int) {
	t.Helper()
	s, err := Open(t.Context(), Embedded, Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	dir := t.TempDir()
	if err := RecordTo(t.Context(), s, 0, filepath.Join(dir, "run.mcap"), in, func(text string) { t.Log(text) }); err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	last := time.Duration(-1)
	for _, e := range list {
		rec, err := fixtures.Open(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		first, _, err := rec.SnapshotAt(0)
		if err == nil && first == nil {
			from, _ := rec.Span()
			first, _, err = rec.SnapshotAt(from + 20*time.Second)
		}
		if err != nil || first == nil || rec.Truncated() || first.Taken <= last {
			t.Errorf("%s: first snapshot %v, %v", e.Name(), first, err)
		}
		_, last = rec.Span()
		files, snapshots = append(files, e.Name()), snapshots+rec.Snapshots()
		if err := rec.Close(); err != nil {
			t.Error(err)
		}
	}
	return files, snapshots
}

// TestRecordingInFilesLosesNothing: each file is a whole recording, and together they have every snapshot.
func TestRecordingInFilesLosesNothing(t *testing.T) {
	one, all := recordDemo(t, fixtures.Segments{})
	if len(one) != 1 || one[0] != "run.mcap" || all == 0 {
		t.Fatalf("%v, %d snapshots", one, all)
	}
	if files, n := recordDemo(t, fixtures.Segments{Every: 20 * time.Second}); len(files) != 4 || files[0] != "run-1.mcap" || n != all {
		t.Errorf("%v, %d snapshots of %d", files, n, all)
	}
}

// TestOldestFilesAreRemoved, by number and by size.
func TestOldestFilesAreRemoved(t *testing.T) {
	if files, _ := recordDemo(t, fixtures.Segments{Every: 20 * time.Second, Keep: 2}); len(files) != 2 || files[0] != "run-3.mcap" || files[1] != "run-4.mcap" {
		t.Errorf("%v", files)
	}
	if files, _ := recordDemo(t, fixtures.Segments{Every: 20 * time.Second, Bytes: 1}); len(files) != 2 || files[1] != "run-4.mcap" {
		t.Errorf("%v", files)
	}
}

// TestOldFilesAreThinned: but for the newest two, files have fewer snapshots and no log, and events stay.
func TestOldFilesAreThinned(t *testing.T) {
	_, all := recordDemo(t, fixtures.Segments{Every: 20 * time.Second})
	files, n := recordDemo(t, fixtures.Segments{Every: 20 * time.Second, Thin: 5 * time.Second})
	if len(files) != 4 || n >= all || n < 8 {
		t.Errorf("%v, %d snapshots of %d", files, n, all)
	}
}
