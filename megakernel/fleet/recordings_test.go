package fleet_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vyretop/fixtures"
	"vyretop/megakernel/fleet"
	"vyretop/megakernel/fleet/broker"
)

func hubWithStore(t *testing.T, store string) *fleet.Hub {
	t.Helper()
	b, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Store: store})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	h, err := fleet.Connect(fleet.Address{URL: b.URL()}, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h
}

// TestRecordingsComeBackAsTheyWere, also large ones, and after they were replaced.
func TestRecordingsComeBackAsTheyWere(t *testing.T) {
	h, dir := hubWithStore(t, t.TempDir()), t.TempDir()
	if list, err := h.Recordings(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("at first: %v, %v", list, err)
	}
	file := filepath.Join(dir, "run.mcap")
	last := uint64(0)
	for _, of := range []string{"runs/collatz-h100.mcap", "demo.mcap"} {
		data, err := os.ReadFile("../../fixtures/recordings/" + of)
		if err == nil {
			err = os.WriteFile(file, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		last = uint64(len(data))
		if name, err := h.PutRecording(t.Context(), file, "node1"); err != nil || name != "run.mcap" {
			t.Fatalf("%s, %v", name, err)
		}
		c, err := h.FetchRecording(t.Context(), "run.mcap")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(c.File); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes of %d came back, %v", len(got), len(data), err)
		}
		c.Remove()
		if _, err := os.Stat(filepath.Dir(c.File)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the copy is left behind: %v", err)
		}
	}
	if list, err := h.Recordings(t.Context()); err != nil || len(list) != 1 || list[0].Name != "run.mcap" || list[0].From != "node1" || list[0].Bytes != last {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestOnlyRecordingsAreKept: a file of another kind, which others could then read, was kept by Put.
func TestOnlyRecordingsAreKept(t *testing.T) {
	h, file := hubWithStore(t, t.TempDir()), filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{file, os.DevNull, filepath.Dir(file)} {
		if _, err := h.PutRecording(t.Context(), f, ""); !errors.Is(err, fixtures.ErrNotRecording) {
			t.Errorf("%s: %v", f, err)
		}
	}
	if list, err := h.Recordings(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("kept: %v, %v", list, err)
	}
}

// TestNamesOfRecordingsAtAHub are told from those of runs and files.
func TestNamesOfRecordingsAtAHub(t *testing.T) {
	if hub, name, ok := fleet.RecordingNamed("nats://node1:4222/recordings/run.mcap"); !ok || hub != "nats://node1:4222" || name != "run.mcap" {
		t.Errorf("%q, %q, %v", hub, name, ok)
	}
	const several = "tls://node1:4222,tls://node2:4222,node3"
	if hub, name, ok := fleet.RecordingNamed(several + "/recordings/run.mcap"); !ok || hub != several || name != "run.mcap" {
		t.Errorf("at a cluster: %q, %q, %v", hub, name, ok)
	}
	for _, other := range []string{"recordings/run.mcap", "nats://node1:4222/scan", "nats://node1:4222", ""} {
		if _, _, ok := fleet.RecordingNamed(other); ok {
			t.Errorf("%q is one", other)
		}
	}
}

// TestNamesThatAreNone, and hubs without recordings, say what to do.
func TestNamesThatAreNone(t *testing.T) {
	h := hubWithStore(t, t.TempDir())
	for _, name := range []string{"", "none.mcap", "../x", "a/b"} {
		if _, err := h.FetchRecording(t.Context(), name); !errors.Is(err, fleet.ErrRecordings) || !strings.Contains(err.Error(), "vyretop hub recordings") {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := h.PutRecording(t.Context(), filepath.Join(t.TempDir(), "none"), ""); err == nil || !strings.Contains(err.Error(), "Fix:") {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := hubWithStore(t, "").Recordings(t.Context()); !errors.Is(err, fleet.ErrRecordings) || !strings.Contains(err.Error(), "--store") {
		t.Errorf("a hub without streams: %v", err)
	}
}
