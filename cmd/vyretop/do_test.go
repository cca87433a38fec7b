package main

import (
	"strings"
	"testing"
)

// TestWordsOfACommandMayBeginWithADash: the count of "step worker 0 -5" and the kinds of "log -yield" were read as flags.
func TestWordsOfACommandMayBeginWithADash(t *testing.T) {
	root := (&app{}).newRoot(nil)
	for line, want := range map[string]string{
		"do step worker 0 -5":                     "do -- step worker 0 -5",
		"do log -yield --target scan --json":      "do --target scan --json -- log -yield",
		"do --timeout -5s edit rays.x -1.5":       "do --timeout -5s -- edit rays.x -1.5",
		"do --control --wait=1s edit rays.x -1.5": "do --control --wait=1s -- edit rays.x -1.5",
		"do -h log -yield":                        "do -h -- log -yield",
		"do --json -- log -yield --json":          "do --json -- log -yield --json",
		"do pause all --json":                     "do pause all --json",
		"tasks -5":                                "tasks -5",
	} {
		if got := strings.Join(wordsBehindFlags(root, strings.Fields(line)), " "); got != want {
			t.Errorf("%q became %q, want %q", line, got, want)
		}
	}
}
