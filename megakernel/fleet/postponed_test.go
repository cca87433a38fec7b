package fleet_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"vyretop/megakernel/fleet"
	"vyretop/megakernel/fleet/broker"
)

// TestWhatAHubDidNotGetIsSentLater: once, and to that hub only.
func TestWhatAHubDidNotGetIsSentLater(t *testing.T) {
	data, err := os.ReadFile("../../fixtures/recordings/demo.mcap")
	if err != nil {
		t.Fatal(err)
	}
	b, dir := start(t, broker.Options{Store: t.TempDir()}), t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(
		os.WriteFile(file("a.mcap"), data, 0o600), fleet.Postpone(file("a.mcap"), "nats://anna:secret@"+b.URL()[len("nats://"):]),
		os.WriteFile(file("b.mcap"), data, 0o600), fleet.Postpone(file("b.mcap"), "nats://elsewhere:4222"),
		os.WriteFile(file("c.mcap"), []byte("no recording"), 0o600), fleet.Postpone(file("c.mcap"), b.URL()),
		fleet.Postpone(file("gone.mcap"), b.URL()),
	); err != nil {
		t.Fatal(err)
	}
	h, err := fleet.Connect(fleet.Address{URL: b.URL()}, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	for _, want := range [][]string{{"a.mcap"}, nil} {
		if sent := h.SendPostponed(t.Context(), dir, "node1"); !slices.Equal(sent, want) {
			t.Errorf("%v was sent, want %v", sent, want)
		}
	}
	if list, err := h.Recordings(t.Context()); err != nil || len(list) != 1 || list[0].Name != "a.mcap" || list[0].From != "node1" {
		t.Errorf("the hub has %+v, %v", list, err)
	}
	if notes, _ := filepath.Glob(file("*.hub")); !slices.Equal(notes, []string{file("b.mcap.hub"), file("c.mcap.hub")}) {
		t.Errorf("notes that are left: %v", notes)
	}
}
