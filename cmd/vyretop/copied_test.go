package main

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel/filter"
	"vyretop/tui"
)

// copiedPath finds the file that a text was copied to, on a screen without a clipboard.
var copiedPath = regexp.MustCompile(`copied \d+ B to (\S+\.txt)`)

// TestCopiedCommandsRun copies the command line of every view with y and l, and of every table with a filter on each of
// its columns, and runs what was copied. A filter on a column that the command lacks was part of it once.
func TestCopiedCommandsRun(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	tests := []struct {
		view  string
		table filter.Table
	}{
		{"overview", nil}, {"ring", nil}, {"memory", nil}, {"launch", nil}, {"fairness", nil}, {"timeline", nil}, {"diff", nil},
		{"workers", filter.WorkerColumns}, {"tasks", filter.TaskColumns}, {"log", filter.LogColumns}, {"events", filter.EventColumns},
	}
	x := openCopies(t)
	for _, tt := range tests {
		commands := []string{tt.view}
		for _, name := range tt.table.Names(filter.Dashboard) {
			if name != "unit" && name != "device" { // which the dashboard has only for devices with numbered units, and several devices
				commands = append(commands, tt.view+" /"+name+"~.")
			}
		}
		if tt.view == "diff" {
			commands = []string{"diff 1s 2s"}
		}
		for _, c := range commands {
			t.Run(c, func(t *testing.T) {
				words := x.copied(t, c)
				var stdout, stderr bytes.Buffer
				if status := doMain(words[1:], strings.NewReader(""), &stdout, &stderr, os.Environ()); status != exitOK && status != exitFailed {
					t.Errorf("%q: exit status %d\n%s", words, status, stderr.String())
				}
				if _, condition, filtered := strings.Cut(c, " /"); filtered {
					name, _, _ := strings.Cut(condition, "~")
					if got, want := slices.Contains(words, "--filter"), known(tt.table, name); got != want {
						t.Errorf("%q: names the filter %v, want %v", words, got, want)
					}
				}
			})
		}
	}
}

// known reports whether a command has a column.
func known(t filter.Table, name string) bool {
	for _, c := range t {
		if c.Name == name {
			return c.Where&filter.Command != 0
		}
	}
	return false
}

// copies is a dashboard of the demo to copy from.
type copies struct{ *tui.Headless }

func openCopies(t *testing.T) copies {
	t.Helper()
	rec, err := fixtures.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	player := fixtures.NewPlayer(rec, nil)
	t.Cleanup(func() { _ = player.Close() })
	player.Seek(30 * time.Second)
	x, err := tui.NewHeadless(t.Context(), tui.Options{Source: player, Transport: player, Subject: "demo", Environ: []string{"TERM=linux", "LANG=C.UTF-8"}, Color: "never"}, 240, 60)
	if err != nil {
		t.Fatal(err)
	}
	return copies{x}
}

// copied types a command and copies the command line of what that shows.
func (x copies) copied(t *testing.T, command string) []string {
	t.Helper()
	x.Press("esc", "esc", ":")
	for _, r := range command {
		x.Press(map[bool]string{true: "space", false: string(r)}[r == ' '])
	}
	x.Press("enter", "y", "l")
	found := copiedPath.FindStringSubmatch(x.Frame())
	if found == nil {
		t.Fatalf("nothing was copied:\n%s", x.Frame())
	}
	text, err := os.ReadFile(found[1])
	if err != nil {
		t.Fatal(err)
	}
	return shellFields(string(text))
}

// shellFields splits a command line into words as a shell does, with quotes around whole words.
func shellFields(line string) (words []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}
