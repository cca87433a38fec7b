package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vyretop/tui/config"
)

// TestCommandsDocument keeps docs/commands.md as the commands say it; -rewrite writes it.
func TestCommandsDocument(t *testing.T) {
	const path = "../../docs/commands.md"
	a := &app{}
	want := commandsDocument(a.newRoot(nil))
	if *rewrite {
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("docs/commands.md is stale: run go test ./cmd/vyretop -run TestCommandsDocument -rewrite (-want +got):\n%s", diff)
	}
}

func commandsDocument(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("# Commands\n\nThis page is made from the program: `vyretop --help`, `vyretop help COMMAND` and `vyretop help TOPIC` say the same, `vyretop man` prints a manual page, `vyretop completion SHELL` the completion of bash, zsh, fish and powershell.\n")
	for _, g := range root.Groups() {
		fmt.Fprintf(&b, "\n## %s%s\n", strings.ToUpper(g.Title[:1]), g.Title[1:])
		for _, c := range root.Commands() {
			if c.GroupID == g.ID && c.Runnable() {
				writeCommand(&b, c)
			}
		}
	}
	b.WriteString("\n## Topics\n")
	for _, t := range topics {
		fmt.Fprintf(&b, "\n### %s: %s\n\n```text\n%s\n```\n", t.name, t.short, strings.TrimSpace(hang(t.text(), helpWidth)))
	}
	fmt.Fprintf(&b, "\n## The default configuration\n\n```toml\n%s```\n", config.Default())
	return b.String()
}

func writeCommand(b *strings.Builder, c *cobra.Command) {
	defer func() {
		for _, sub := range c.Commands() {
			writeCommand(b, sub)
		}
	}()
	long := c.Long
	if long == "" {
		long = c.Short + "."
	}
	long, _, _ = strings.Cut(long, lookUsage)
	fmt.Fprintf(b, "\n### %s\n\n%s\n", c.CommandPath(), strings.TrimSpace(long))
	fmt.Fprintf(b, "\n    %s\n", strings.TrimSuffix(c.UseLine(), " [flags]"))
	if c.Example != "" {
		fmt.Fprintf(b, "\nFor example:\n\n    %s\n", strings.ReplaceAll(c.Example, "\n", "\n    "))
	}
	var rows []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" {
			rows = append(rows, flagRow(f))
		}
	})
	if len(rows) > 0 {
		fmt.Fprintf(b, "\n| flag | default | |\n|---|---|---|\n%s", strings.Join(rows, ""))
	}
}

func flagRow(f *pflag.Flag) string {
	name := "`--" + f.Name + "`"
	if f.Shorthand != "" {
		name = "`-" + f.Shorthand + "`, " + name
	}
	value := f.DefValue
	if slices.Contains([]string{"", "0", "false", "[]", "0s"}, value) {
		value = ""
	}
	return fmt.Sprintf("| %s | %s | %s |\n", name, value, strings.ReplaceAll(f.Usage, "|", `\|`))
}

// TestTopicsAreThere: every topic has a text that fits a terminal.
func TestTopicsAreThere(t *testing.T) {
	for _, topic := range topics {
		text := hang(topic.text(), helpWidth)
		if len(text) < 100 {
			t.Errorf("%s says only %q", topic.name, text)
		}
		for line := range strings.Lines(text) {
			if len([]rune(line)) > 160 {
				t.Errorf("%s has a line of %d characters: %s", topic.name, len([]rune(line)), line)
			}
		}
	}
}
