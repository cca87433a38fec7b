package config

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
	"vyretop/tui/theme"
)

// themeFile is the form of a theme of a user: a built-in theme to start from, and the roles that differ.
type themeFile struct {
	Base  string            `toml:"base"`
	Roles map[string]string `toml:"roles"`
}

// ThemeDir is the folder of a user's themes; "" where there is no folder of the configuration.
func ThemeDir(environ []string) string {
	if dir := Dir(environ); dir != "" {
		return filepath.Join(dir, "themes")
	}
	return ""
}

// Looks finds a theme by name: NAME.toml of the folder, or a built-in one. Errors are ErrConfig and
// theme.ErrLooks.
func Looks(dir, name string) (*theme.Looks, error) {
	path := filepath.Join(dir, name+".toml")
	if dir == "" || name == "" || name != filepath.Base(name) {
		return theme.Named(name)
	}
	text, err := plainfile.Read(path, maxBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return theme.Named(name)
	}
	if err != nil {
		return nil, &fault.Error{Kind: ErrConfig, Subject: path, Detail: "it cannot be read", Cause: errors.Unwrap(err), Fix: "make it readable"}
	}
	var f themeFile
	d := toml.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, &fault.Error{Kind: ErrConfig, Subject: path, Detail: describe(err), Fix: "a theme has base and the table roles"}
	}
	return theme.NewLooks(name, f.Base, f.Roles)
}

// ThemeNames lists all themes: built-in ones and those of a folder.
func ThemeNames(dir string) []string {
	names := theme.Names()
	entries, _ := os.ReadDir(dir) // no folder, no themes
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".toml"); ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
