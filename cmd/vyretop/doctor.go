package main

import (
	"github.com/spf13/cobra"

	"vyretop/engine/device"
)

func newDoctor(a *app, _ []string) *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:   "doctor",
		Short: "List every device, its abilities, and why it cannot be used",
		Args:  arguments(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			d, err := device.Examine(c.Context(), version)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(a.stdout, d)
			}
			return device.WriteDoctor(a.stdout, d)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}
