package plainfile

import (
	"path/filepath"
	"strings"
)

// Lookup returns the value of a variable of an environment as os.Environ gives it, "" where it is not set. The last one counts.
func Lookup(environ []string, name string) string {
	for i := len(environ) - 1; i >= 0; i-- {
		if k, v, ok := strings.Cut(environ[i], "="); ok && k == name {
			return v
		}
	}
	return ""
}

// ConfigDir is the folder of the user's configuration, "" where neither XDG_CONFIG_HOME nor HOME is set.
func ConfigDir(environ []string) string { return xdg(environ, "XDG_CONFIG_HOME", ".config") }

// StateDir is the folder of what the program keeps by itself, "" where neither XDG_STATE_HOME nor HOME is set.
func StateDir(environ []string) string { return xdg(environ, "XDG_STATE_HOME", ".local/state") }

// xdg follows the XDG base directory specification.
func xdg(environ []string, variable, below string) string {
	if base := Lookup(environ, variable); filepath.IsAbs(base) {
		return filepath.Join(base, "vyretop")
	}
	if home := Lookup(environ, "HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, below, "vyretop")
	}
	return ""
}
