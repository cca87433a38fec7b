package theme

import (
	"fmt"
	"strings"

	"vyretop/engine/fault"
)

// ErrColor is matched by the error for a color option that does not exist.
const ErrColor fault.Kind = "unknown color option"

// Detect chooses the theme from the environment of the terminal's user (entries "NAME=value", the
// last one of a name counts) and the color option: "" or "auto", "always", "never".
//
// NO_COLOR with any value, as https://no-color.org has it, leaves attributes only. TERM=dumb leaves
// nothing and ASCII glyphs, as does a locale that is not UTF-8 for the glyphs. "always" and "never"
// win over NO_COLOR and TERM.
func Detect(environ []string, option string) (*Theme, error) {
	mode := Color
	dumb := lookup(environ, "TERM") == "dumb"
	switch option {
	case "", "auto":
		if lookup(environ, "NO_COLOR") != "" {
			mode = Mono
		}
		if dumb {
			mode = Bare
		}
	case "always":
	case "never":
		mode = Mono
	default:
		return nil, &fault.Error{Kind: ErrColor, Detail: fmt.Sprintf("color option %q is unknown", option), Fix: "use auto, always or never"}
	}
	return New(mode, utf8Locale(environ) && !dumb), nil
}

// utf8Locale follows the order of POSIX: LC_ALL, then LC_CTYPE, then LANG.
func utf8Locale(environ []string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToUpper(lookup(environ, name)); v != "" {
			return strings.Contains(v, "UTF-8") || strings.Contains(v, "UTF8")
		}
	}
	return false
}

func lookup(environ []string, name string) string {
	for i := len(environ) - 1; i >= 0; i-- {
		if k, v, ok := strings.Cut(environ[i], "="); ok && k == name {
			return v
		}
	}
	return ""
}
