package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"vyretop/megakernel"
)

// version is set by the linker: make build.
var version = "unknown"

func (a *app) newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version and what this build can do",
		Args:  arguments(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(a.stdout, "vyretop %s\n%s %s/%s\nOpenGL %s\nprotocol %d\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH, openGL(), megakernel.ProtocolVersion)
			return err
		},
	}
}

func openGL() string {
	if openGLBuilt {
		return "built in"
	}
	return "not built in; make build gives a program that has it"
}
