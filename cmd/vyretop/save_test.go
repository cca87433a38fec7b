package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"vyretop/engine/device"
)

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
