package recordings

import (
	"bytes"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"vyretop/megakernel/fleet"
	"vyretop/megakernel/fleet/broker"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func connect(t *testing.T, store string) *fleet.Hub {
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
	h, dir := connect(t, t.TempDir()), t.TempDir()
	if list, err := List(t.Context(), h); err != nil || len(list) != 0 {
		t.Errorf("at first: %v, %v", list, err)
	}
	file := filepath.Join(dir, "run.mcap")
	for _, size := range []int{10, 3 << 20} {
		data := make([]byte, size)
		_, _ = rand.Read(data)
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if name, err := Put(t.Context(), h, file, "node1"); err != nil || name != "run.mcap" {
			t.Fatalf("%s, %v", name, err)
		}
		copied, err := Get(t.Context(), h, "run.mcap", t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(copied); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes of %d came back, %v", len(got), size, err)
		}
	}
	if list, err := List(t.Context(), h); err != nil || len(list) != 1 || list[0].Name != "run.mcap" || list[0].From != "node1" || list[0].Bytes != 3<<20 {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestNamesThatAreNone, and hubs without recordings, say what to do.
func TestNamesThatAreNone(t *testing.T) {
	h := connect(t, t.TempDir())
	for _, name := range []string{"", "none.mcap", "../x", "a/b"} {
		if _, err := Get(t.Context(), h, name, t.TempDir()); !errors.Is(err, ErrRecordings) || !strings.Contains(err.Error(), "vyretop hub recordings") {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := Put(t.Context(), h, filepath.Join(t.TempDir(), "none"), ""); err == nil || !strings.Contains(err.Error(), "Fix:") {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := List(t.Context(), connect(t, "")); !errors.Is(err, ErrRecordings) || !strings.Contains(err.Error(), "--store") {
		t.Errorf("a hub without streams: %v", err)
	}
}
