package main

import (
	"runtime/debug"

	"github.com/spf13/cobra"

	"vyretop/engine/lsp"
	"vyretop/megakernel/workload"
)

func newLSP(a *app, _ []string) *cobra.Command {
	return &cobra.Command{
		Use:   "lsp",
		Short: "Serve the kernel language to an editor by the Language Server Protocol",
		Long: "Serve the kernel language to an editor, on standard input and output, by the Language Server Protocol: errors and warnings while a text is edited, " +
			"types and offsets in memory, definitions, references, completion, an outline, and formatting.\n\n" +
			"A file with #version is a kernel by itself. Another one is part of the open kernel that includes it, or of the workload whose " + workload.ManifestName + " is in its folder or one above it. " +
			"docs/editors.md has configurations for VS Code, Neovim and Zed.",
		Example: "vyretop lsp",
		Args:    arguments(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			debug.SetMemoryLimit(readerMargin)
			err := lsp.Serve(c.Context(), a.stdin, drawing(a.stdout), version, workload.NewProject(a.env))
			if c.Context().Err() != nil {
				return nil
			}
			return err
		},
	}
}
