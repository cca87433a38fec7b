package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vyretop/engine/fault"
	"vyretop/megakernel/workload"
)

// commandNames are the commands of a command that a user may type.
func commandNames(c *cobra.Command) (names []string) {
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			names = append(names, sub.Name())
		}
	}
	return names
}

// flagWords are words that the screen and other tools use for what flags set.
var flagWords = map[string]string{
	"lanes": "workgroup-size", "groups": "workers", "workgroups": "workers", "duration": "for", "output": "out",
}

// flagFix says what to do about a flag that cannot be read.
func flagFix(c *cobra.Command, err error) string {
	otherwise := c.CommandPath() + " --help lists the flags"
	var unknown *pflag.NotExistError
	var wrong *pflag.InvalidValueError
	switch {
	case errors.As(err, &wrong):
		if words, ok := wrong.GetFlag().Value.(*choice); ok {
			return fault.Suggest(wrong.GetValue(), words.words, otherwise)
		}
		if errors.Is(err, errNoBuffer) {
			return "write --out NAME=" + wrong.GetValue() + " with the name of a buffer, such as vyretop check lists"
		}
		return otherwise
	case !errors.As(err, &unknown):
		return otherwise
	}
	if other := flagWords[unknown.GetSpecifiedName()]; c.Flags().Lookup(other) != nil {
		return "use --" + other + "; " + otherwise
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	return fault.Suggest("--"+unknown.GetSpecifiedName(), names, otherwise)
}

// completeHelp completes commands and topics.
func completeHelp(root *cobra.Command, topics []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		found, _, err := root.Find(args)
		if err != nil || len(args) > 0 && found == root {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		names := commandNames(found)
		if found == root {
			names = append(names, topics...)
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// examplesOf are the command lines that the help of a workload shows.
func examplesOf(name string, d workload.Definition) string {
	list := d.Examples()
	if len(list) == 0 {
		list = []string{"", "--headless --json"}
	}
	lines := make([]string, len(list))
	for i, flags := range list {
		lines[i] = strings.TrimSpace("vyretop run " + name + " " + flags)
	}
	return strings.Join(lines, "\n")
}
