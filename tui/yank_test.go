package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// copiedFile is the only file in the folder for copies.
func copiedFile(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "vyretop-*.txt"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, %v", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What is longer than terminals take goes to a file, and the message says so.
func TestLongCopiesGoToAFile(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	f := newFake()
	d := newDriver(t, 200, 24, Options{Source: f})
	long := strings.Repeat("x", maxClipboard)
	d.run(d.m.copier.copyOut(long))
	if d.copy != "" || copiedFile(t, dir) != long {
		t.Error("the text is not in the file")
	}
	d.wantOnScreen("copied 99992 B to "+dir, "OSC 52 takes 74994 B at most")
	d.run(d.m.copier.copyOut(strings.Repeat("x", 74994)))
	if len(d.copy) != 74994 {
		t.Errorf("%d bytes on the clipboard", len(d.copy))
	}
	d.tick()
	d.wantOnScreen("copied 74994 B via OSC 52")
}

// A terminal that has no clipboard gets a file as well.
func TestCopiesWithoutAClipboard(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	f := newFake()
	d := newDriver(t, 160, 24, Options{Source: f, Environ: []string{"TERM=linux", "LANG=C.UTF-8"}})
	d.keys("2", "y", "r")
	if got := copiedFile(t, dir); !strings.HasPrefix(got, "0\trunning\t1001\tmerge\t") {
		t.Errorf("copied %q", got)
	}
	d.wantOnScreen("this terminal has no clipboard")
}

func TestCopyThatCannotBeWrittenSaysHow(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
	f := newFake()
	d := newDriver(t, 120, 24, Options{Source: f, Environ: []string{"TERM=dumb", "LANG=C"}})
	d.keys("2", "y", "r")
	d.wantOnScreen("Fix: set TMPDIR")
}

func TestClickChoosesFromAMenu(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f})
	d.keys("2", "y")
	d.click(d.find("row as JSON"))
	if !strings.HasPrefix(d.copy, `{"id":"0",`) {
		t.Errorf("copied %q", d.copy)
	}
	d.keys("y")
	d.click(0, 0)
	d.wantNotOnScreen("row as JSON")
}

func TestShellWords(t *testing.T) {
	for in, want := range map[string]string{
		"scan": "scan", "dir/run.mcap@2.5s": "dir/run.mcap@2.5s", "": "''", "state=paused and !op=7": "'state=paused and !op=7'",
		"it's": `'it'\''s'`, "$HOME;rm": "'$HOME;rm'",
	} {
		if got := shellWord(in); got != want {
			t.Errorf("shellWord(%q) = %s, want %s", in, got, want)
		}
	}
}
