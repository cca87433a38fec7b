package run

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vyretop/fixtures"
	"vyretop/megakernel"
)

// TestTheEndOfAKilledRunIsRescued: the lock of a process that is gone says so, and the files of one that lives stay.
func TestTheEndOfAKilledRunIsRescued(t *testing.T) {
	dir := t.TempDir()
	running := filepath.Join(dir, "running")
	box := fixtures.NewBlackBox(fixtures.Header{Target: megakernel.Target{Workload: "work", Protocol: megakernel.ProtocolVersion, Slots: 1, MaxWorkers: 1}}, fixtures.Span, fixtures.Bytes)
	box.Event(megakernel.HostEvent{Kind: "note", Text: "what happened"})
	killed, alive := past{BlackBox: box}, past{BlackBox: box}
	killed.begin(running, "killed [1].mcap")
	alive.begin(running, "alive.mcap")
	for _, p := range []*past{&killed, &alive} {
		if err := keepNewest(p.file, box); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p.file+".hub", []byte("nats://here"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	close(killed.stop) // as far as a process that is killed ends: its locks are gone, and its files are there
	killed.over.Wait()
	if err := killed.lock.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(killed.file+".part", []byte("cut"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := filepath.Join(dir, "killed [1].mcap")
	if kept := Rescue(running, dir); !slices.Equal(kept, []string{want}) {
		t.Fatalf("rescued %q", kept)
	}
	if got := names(t, dir); got != "killed [1].mcap killed [1].mcap.hub running" {
		t.Errorf("kept are %s", got)
	}
	if got := names(t, running); got != "alive.mcap alive.mcap.hub alive.mcap.lock" {
		t.Errorf("of runs that live there are %s", got)
	}
	rec, err := fixtures.Open(want)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	if list := rec.Events(0, fixtures.Span, 10); len(list) != 2 || list[0].Text != "what happened" || list[1].Text != killedText {
		t.Errorf("events %+v", list)
	}
	alive.close()
	if got := names(t, running); got != "" {
		t.Errorf("a run that ended by itself leaves %s", got)
	}
}

// names are the files of a folder.
func names(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range list {
		out = append(out, e.Name())
	}
	return strings.Join(out, " ")
}

// TestARunSurvivesAFolderThatCannotBeWritten: it is a precaution, and no reason to fail.
func TestARunSurvivesAFolderThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var p past
	p.begin(filepath.Join(file, "running"), "x.mcap")
	p.close()
	if p.file != "" || len(Rescue(filepath.Join(file, "running"), file)) != 0 {
		t.Errorf("it keeps %q", p.file)
	}
}
