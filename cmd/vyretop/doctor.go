package main

import (
	"github.com/spf13/cobra"

	"vyretop/cmd/vyretop/internal/report"
	"vyretop/engine/reference"
	"vyretop/engine/vitals"
	"vyretop/gl"
	"vyretop/gl/nvml"
)

func newDoctor(a *app, _ []string) *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:   "doctor",
		Short: "List every device, its abilities, and why it cannot be used",
		Args:  arguments(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			found, glErr := gl.Doctor(c.Context())
			if err := c.Context().Err(); err != nil {
				return err
			}
			cpu, err := reference.Open(reference.Options{})
			if err != nil {
				return err
			}
			defer cpu.Close()
			d := report.NewDoctor(version, found, glErr, cpu.Profile(), readVitals())
			if asJSON {
				return report.WriteJSON(a.stdout, d)
			}
			return report.WriteDoctor(a.stdout, d)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

// readVitals reads the devices of the host once; nil where nothing can.
func readVitals() []vitals.Device {
	source, ok := nvml.Open()
	if !ok {
		return nil
	}
	defer source.Close()
	return source.Read()
}
