package main

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// On 80 columns "vyretop --help" had 8 columns for descriptions, and the terminal broke them within words.
func TestHelpFitsTheTerminal(t *testing.T) {
	entries := []string{
		"    \x1b[91mcapture TASK FILE\x1b[90m [--flags]\x1b[m" + strings.Repeat(" ", 45) + "\x1b[97mCapture a task with all that its next activation reads\x1b[m",
		"    \x1b[91mwhat-if FILE --task ID\x1b[90m [--set PLACE=VALUE] [--handlers FILE]\x1b[m\x1b[90m [--flags]\x1b[m  \x1b[97mExecute a recorded run with other values or handlers, and compare how it continues\x1b[m",
		"    -h --help         Help for vyretop, with a description that is so long that it does not fit the line",
	}
	for _, width := range []int{20, 80, 100, 200} {
		for _, entry := range entries {
			fitted := fitEntry(entry, width)
			words := strings.Fields(ansi.Strip(fitted))
			if want := strings.Fields(ansi.Strip(entry)); strings.Join(words, " ") != strings.Join(want, " ") {
				t.Errorf("%d columns: words are %q, want %q", width, words, want)
			}
			for i, line := range strings.Split(fitted, "\n") {
				if n := ansi.StringWidth(line); width >= 80 && n > width {
					t.Errorf("%d columns: line %d has %d cells: %q", width, i, n, ansi.Strip(line))
				}
			}
		}
	}
	for _, line := range []string{"", "  USAGE", "    vyretop run scan --path /usr/share/doc", "  vyretop [command]  [--flags]"} {
		if got := fitEntry(line, 80); got != line {
			t.Errorf("%q became %q", line, got)
		}
	}
}

// Lines of a topic were broken within words where the terminal has less than 120 columns.
func TestTopicsFitTheTerminal(t *testing.T) {
	for _, topic := range topics {
		text := topic.text()
		fitted := hang(text, 80)
		if got, want := strings.Fields(fitted), strings.Fields(text); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: the words differ", topic.name)
		}
		for line := range strings.Lines(fitted) {
			if n := ansi.StringWidth(strings.TrimRight(line, "\n")); n > 80 {
				t.Errorf("%s: %d cells: %q", topic.name, n, line)
			}
		}
	}
}
