package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// What a configuration says again is told, unless a flag or the environment says otherwise.
func TestReload(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "vyretop", "config.toml")
	write := func(text string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	write("theme = \"light\"\nfps = 10\n")
	a := &app{env: []string{"XDG_CONFIG_HOME=" + dir, "VYRETOP_FPS=7"}}
	c := &cobra.Command{}
	var f viewFlags
	f.register(c.Flags())
	if err := errors.Join(c.ParseFlags(nil), a.configure(c)); err != nil {
		t.Fatal(err)
	}
	if now, err := a.reload(); err != nil || now.Theme != "" || now.FPS != 0 || now.Alerts != nil || len(now.Keys.Bindings) == 0 {
		t.Errorf("nothing has changed, but %+v, %v", now, err)
	}
	write("theme = \"mono\"\nfps = 20\n[keys]\nfreeze = [\"ctrl+g\"]\n[[alert]]\nname = \"x\"\nwhen = \"faulted>0\"\ndo = [\"badge\"]\n")
	if now, err := a.reload(); err != nil || now.Theme != "mono" || now.FPS != 0 || now.Alerts == nil {
		t.Errorf("%+v, %v", now, err)
	}
	for _, bad := range []string{"theme = \"plaid\"", "fps = [1]", "[keys]\nfreeze = [\"q\"]"} {
		write(bad)
		if _, err := a.reload(); err == nil || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	write("")
	if now, err := a.reload(); err != nil || now.Theme != "default" {
		t.Errorf("without a theme: %+v, %v", now, err)
	}
}
