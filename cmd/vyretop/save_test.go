package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vyretop/engine/device"
	"vyretop/fixtures"
	"vyretop/megakernel"
)

// TestSavedMomentsCanBeReplayed: what is saved is a recording like any other, and saving twice changes nothing.
func TestSavedMomentsCanBeReplayed(t *testing.T) {
	rec, err := fixtures.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	s, _, err := rec.SnapshotNumber(1)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	a := &app{env: []string{"XDG_STATE_HOME=" + dir}}
	save := a.saver(rec.Header())
	file, err := save(s, []megakernel.LogRecord{{Number: 7}}, "a test")
	if err != nil || !strings.HasPrefix(file, dir) {
		t.Fatal(file, err)
	}
	if again, err := save(s, nil, "again"); err != nil || again != file {
		t.Errorf("saved again as %s, %v", again, err)
	}
	got, err := fixtures.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	one, _, err := got.SnapshotNumber(0)
	if diff := cmp.Diff(s, one); diff != "" || err != nil {
		t.Errorf("snapshot (-want +got):\n%s%v", diff, err)
	}
	if log, events := got.Log(0, s.Taken, 9), got.Events(0, s.Taken, 9); len(log) != 1 || len(events) != 1 || events[0].Text != "a test" {
		t.Errorf("log %v, events %v", log, events)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	blocked := &app{env: []string{"XDG_STATE_HOME=" + filepath.Join(dir, "file")}}
	if _, err := blocked.saver(rec.Header())(s, nil, ""); err == nil || !strings.Contains(err.Error(), "Fix: ") {
		t.Errorf("where nothing can be written: %v", err)
	}
	if (&app{}).saver(rec.Header()) != nil {
		t.Error("without a home snapshots are saved somewhere")
	}
}

// TestTheFirstHintIsShownOnce, and never where it cannot be remembered.
func TestTheFirstHintIsShownOnce(t *testing.T) {
	a := &app{env: []string{"XDG_STATE_HOME=" + t.TempDir()}}
	if first, second := a.hint(), a.hint(); first != firstHint || second != "" {
		t.Errorf("hints are %q, %q", first, second)
	}
	if got := (&app{}).hint(); got != "" {
		t.Errorf("without a home the hint is %q", got)
	}
}

// TestAnAlertIsShownAndItsMomentSaved: from the configuration to the badge and the file.
func TestAnAlertIsShownAndItsMomentSaved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := filepath.Join(dir, "c.toml")
	rule := "[[alert]]\nname = \"rounds\"\nwhen = \"yields>100\"\ndo = [\"badge\", \"bell\", \"snapshot\"]\n[keys]\npause = [\"ctrl+p\"]\n"
	if err := os.WriteFile(config, []byte(rule), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newScreen(t, gateCommand(t, device.Reference, ""), "VYRETOP_CONFIG="+config, "XDG_RUNTIME_DIR="+dir)
	s.until(`(?i)rounds`, `saved as .*snapshots/gate-.*mcap|q quit`)
	s.press("a")
	s.until(`Alerts`, `warning .*rounds +yields>100`)
	s.press("Enter") // acknowledges
	s.press("q")
	s.until(`Ctrl-P pause`)
	s.press("2")
	s.until(`Ctrl-P pause`)
	s.press("q")
	s.until(`the run is not finished`)
	s.press("e")
	s.until(`^status=1$`)
	saved, err := filepath.Glob(filepath.Join(filepath.Dir(s.socket), "home", "vyretop", "snapshots", "gate-*.mcap"))
	if err != nil || len(saved) != 1 {
		t.Errorf("saved snapshots are %v, %v", saved, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "vyretop", "gate.sock")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the socket is left behind: %v", err)
	}
}
