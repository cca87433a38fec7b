package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var (
	codeBlock    = regexp.MustCompile("(?s)```(\\w*)\n(.*?)```")
	scriptPrefix = regexp.MustCompile(`^(!? ?exec|(status|until) \d+) `)
	jobSuffix    = regexp.MustCompile(`&\w+&$`)
)

// TestTutorialIsRun: the commands and files of docs/tutorial.md are those of the script tutorial, in the same order,
// so that TestScripts runs what a reader types.
func TestTutorialIsRun(t *testing.T) {
	page, err := os.ReadFile("../../docs/tutorial.md")
	if err != nil {
		t.Fatal(err)
	}
	script, err := txtar.ParseFile("testdata/script/tutorial.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var typed strings.Builder
	for _, f := range script.Files {
		typed.WriteString(string(f.Data))
	}
	var commands, run []string
	for _, block := range codeBlock.FindAllStringSubmatch(string(page), -1) {
		switch kind, text := block[1], block[2]; {
		case strings.HasPrefix(text, "$ "):
			commands = append(commands, strings.Split(strings.TrimSpace(strings.TrimPrefix(text, "$ ")), "\n$ ")...)
		case kind != "" && !strings.Contains(typed.String(), text):
			t.Errorf("the script has no file with the text\n%s", text)
		}
	}
	for line := range strings.Lines(string(script.Comment)) {
		if _, command, ok := strings.Cut(scriptPrefix.ReplaceAllString(line, "\x00"), "\x00"); ok {
			run = append(run, jobSuffix.ReplaceAllString(strings.TrimSpace(command), "&"))
		}
	}
	if got, want := strings.Join(run, "\n"), strings.Join(commands, "\n"); got != want || want == "" {
		t.Errorf("the script runs\n%s\n\nthe tutorial shows\n%s\n\nFix: change docs/tutorial.md and testdata/script/tutorial.txtar together", got, want)
	}
}
