package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"vyretop/megakernel"
)

// linked is set by the linker: make build.
var linked string

// version is that of this program: what make build said, else what the go command noted of the module or the working tree.
var version = cmp.Or(linked, versionOf(debug.ReadBuildInfo()), "devel")

// revisionLen is how much of a commit's hash names it, as git describe does.
const revisionLen = 7

// versionOf is the version that the go command noted, "" where it noted none.
func versionOf(info *debug.BuildInfo, ok bool) string {
	if !ok {
		return ""
	}
	var revision, changed string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(len(s.Value), revisionLen)]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "-dirty"
		}
	}
	if revision != "" {
		return revision + changed
	}
	if v := info.Main.Version; v != "(devel)" { // go install MODULE@VERSION
		return v
	}
	return ""
}

func newVersion(a *app, _ []string) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version and the build's features",
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
