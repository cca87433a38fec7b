package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vyretop/engine/device"
	"vyretop/megakernel/inspect"
	"vyretop/megakernel/remote"
	"vyretop/megakernel/run"
	"vyretop/megakernel/words"
	"vyretop/tui/config"
)

// complete gives every command what shells complete its arguments and flags with.
func (a *app) complete(root *cobra.Command) {
	words := map[string]func() []string{
		"theme":   func() []string { return config.ThemeNames(config.ThemeDir(a.env)) },
		"color":   func() []string { return colorModes },
		"backend": func() []string { return device.Names },
		"buffer":  func() []string { return words.Buffers },
		"mode":    func() []string { return run.Modes },
		"form":    func() []string { return inspect.Forms },
		"live":    func() []string { live, _ := remote.Targets(remote.Dir(a.env)); return live },
	}
	for _, c := range root.Commands() {
		switch {
		case c.Name() == "run":
			c.ValidArgsFunction = offering(run.Workloads)
		case c.GroupID == groupLook && c.ValidArgsFunction == nil:
			c.ValidArgsFunction = offering(words["live"])
		}
		words["target"] = words["live"]
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if offer, ok := words[f.Name]; ok {
				_ = c.RegisterFlagCompletionFunc(f.Name, offering(offer)) // fails for unknown flags only
			}
		})
	}
}

// offering completes with words, and with files where none fits.
func offering(words func() []string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return words(), cobra.ShellCompDirectiveDefault
	}
}
