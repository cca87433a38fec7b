package main

import (
	"github.com/spf13/cobra"

	"vyretop/fixtures"
)

// newRecover makes the command that rescues what is left of a damaged recording.
func newRecover(a *app, _ []string) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "recover FILE [OUT]",
		Short: "Recover the undamaged parts of a recording, and list what is missing",
		Long: "Write a new recording with all messages of FILE outside damaged chunks, and print what is missing by channel and time. FILE is not changed. OUT must not exist " +
			"(default: FILE with -recovered before its extension).\n\nThe exit status is 1 if something is missing.",
		Example: "vyretop recover run.mcap\nvyretop recover run.mcap whole.mcap --json",
		Args:    arguments(1, 2, "FILE"),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	c.RunE = func(_ *cobra.Command, args []string) error {
		out := fixtures.RecoveredName(args[0])
		if len(args) == 2 {
			out = args[1]
		}
		r, err := fixtures.RecoverFile(args[0], out)
		if err != nil {
			return err
		}
		return a.printFinding(r, r.Whole(), asJSON)
	}
	return c
}
