package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"vyretop/engine/plainfile"
	"vyretop/gl"
	"vyretop/megakernel/remote"
	"vyretop/tui/config"
)

// infoSchema names the document of info.
const infoSchema = "vyretop.info/1"

// info is what the program uses of the machine. A path without a folder is absent.
type info struct {
	Schema      string   `json:"schema"`
	Version     string   `json:"version"`
	OpenGL      bool     `json:"opengl"`
	Config      string   `json:"config,omitempty"`
	ConfigFound bool     `json:"config_found"`
	ConfigError string   `json:"config_error,omitempty"`
	ThemeDir    string   `json:"theme_dir,omitempty"`
	Themes      []string `json:"themes"`
	StateDir    string   `json:"state_dir,omitempty"`
	RuntimeDir  string   `json:"runtime_dir"`
	Runs        []string `json:"runs"` // that can be reached

	RuntimeError string `json:"runtime_error,omitempty"` // why RuntimeDir is not used
	CacheDir     string `json:"program_cache_dir,omitempty"`
}

func newInfo(a *app, _ []string) *cobra.Command {
	asJSON, schema := false, false
	c := &cobra.Command{
		Use: "info", Short: "Print the version, every path in use, and the live runs",
		Args: arguments(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			switch i := a.info(); {
			case schema:
				return writeJSON(a.stdout, config.Schema())
			case asJSON:
				return writeJSON(a.stdout, i)
			default:
				return a.writeInfo(i)
			}
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, with a schema member")
	c.Flags().BoolVar(&schema, "schema", false, "print the JSON schema of the configuration file")
	return c
}

func (a *app) info() *info {
	i := &info{
		Schema: infoSchema, Version: version, OpenGL: openGLBuilt,
		ThemeDir: config.ThemeDir(a.env), StateDir: plainfile.StateDir(a.env), RuntimeDir: remote.Dir(a.env), CacheDir: gl.ProgramCacheDir(""),
	}
	path, must := config.Path(a.env)
	i.Config = path
	if c, err := config.Load(path, must); err != nil {
		i.ConfigError = err.Error()
	} else {
		i.ConfigFound = c.Found
	}
	i.Themes = config.ThemeNames(i.ThemeDir)
	runs, err := remote.Targets(i.RuntimeDir)
	if err != nil {
		i.RuntimeError = err.Error()
	}
	i.Runs = append([]string{}, runs...)
	return i
}

func (a *app) writeInfo(i *info) error {
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "version\t%s, OpenGL %s\n", i.Version, openGL())
	found := "not there, all defaults"
	switch {
	case i.ConfigError != "":
		found = "UNUSABLE: " + i.ConfigError
	case i.ConfigFound:
		found = "in use"
	}
	fmt.Fprintf(t, "configuration\t%s (%s)\n", orNone(i.Config), found)
	fmt.Fprintf(t, "themes\t%s (%s)\n", orNone(i.ThemeDir), strings.Join(i.Themes, ", "))
	fmt.Fprintf(t, "state\t%s\n", orNone(i.StateDir))
	fmt.Fprintf(t, "program cache\t%s\n", orNone(i.CacheDir))
	if i.RuntimeError != "" {
		fmt.Fprintf(t, "sockets\tUNUSABLE: %s\n", i.RuntimeError)
	} else {
		fmt.Fprintf(t, "sockets\t%s\n", i.RuntimeDir)
	}
	runs := strings.Join(i.Runs, ", ")
	fmt.Fprintf(t, "runs\t%s\n", orNone(runs))
	return t.Flush()
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// firstHint is shown in the first dashboard that a user opens.
const firstHint = "? lists the keys, : takes commands, Enter shows details, q leaves"

// hint returns firstHint once for each user, and "" where that cannot be remembered.
func (a *app) hint() string {
	dir := plainfile.StateDir(a.env)
	if dir == "" {
		return ""
	}
	seen := filepath.Join(dir, "hint-shown")
	if _, err := os.Stat(seen); !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	if os.MkdirAll(dir, 0o700) != nil || os.WriteFile(seen, nil, 0o600) != nil {
		return ""
	}
	return firstHint
}
