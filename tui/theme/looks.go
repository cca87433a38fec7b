package theme

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"vyretop/engine/fault"
	"vyretop/tui/cells"
)

// Looks are how the roles look on a terminal with colors.
type Looks struct {
	roles [numRoles]look
	mono  bool // attributes only
}

// roleNames are the names of the roles in themes of users.
var roleNames = [numRoles]string{
	Plain: "plain", Dim: "dim", Strong: "strong", Title: "title", Accent: "accent", Running: "running", Ready: "ready",
	Yielded: "yielded", Paused: "paused", Waiting: "waiting", Done: "done", Fault: "fault", Unknown: "unknown", Changed: "changed",
	Good: "good", Warning: "warning", Danger: "danger", Graph: "graph", GraphAlt: "graph-alt", Badge: "badge", BadgeWarn: "badge-warn",
	Key: "key", Match: "match",
}

// RoleNames lists the roles that a theme can change.
func RoleNames() []string { return slices.Clone(roleNames[:]) }

// DefaultName is the theme of who chooses none.
const DefaultName = "default"

// builtin are the themes by name, as changes of the default one.
var builtin = map[string]map[string]string{
	DefaultName: {},
	"mono":      {},
	"light": {
		"dim": "243", "done": "243", "title": "bold 25", "accent": "bold 22", "running": "28", "ready": "30", "yielded": "25",
		"paused": "130", "waiting": "90", "fault": "bold 160", "changed": "bold 130", "good": "28", "warning": "130",
		"danger": "bold 160", "graph": "28", "graph-alt": "30", "badge": "bold reverse 130", "badge-warn": "bold reverse 160",
	},
	"high-contrast": {
		"plain": "bright-white", "dim": "white", "strong": "bold bright-white", "title": "bold underline bright-cyan", "accent": "bold bright-green",
		"running": "bold bright-green", "ready": "bold bright-cyan", "yielded": "bold bright-blue", "paused": "bold bright-yellow",
		"waiting": "bold bright-magenta", "done": "white", "fault": "bold reverse bright-red", "changed": "bold underline bright-yellow",
		"good": "bold bright-green", "warning": "bold bright-yellow", "danger": "bold reverse bright-red", "graph": "bright-green",
		"graph-alt": "bright-cyan", "key": "bold bright-white", "match": "bold underline bright-white",
	},
	// Blue against orange, and light against dark: the colors differ for deuteranopes and tritanopes too
	// (Okabe and Ito, "Color Universal Design", 2008).
	"cb-safe": {
		"title": "bold #56b4e9", "accent": "bold #56b4e9", "running": "#56b4e9", "ready": "#f0f0f0", "yielded": "#0072b2",
		"paused": "#f0e442", "waiting": "#9a86a4", "fault": "bold #d55e00", "changed": "bold #f0e442", "good": "#56b4e9",
		"warning": "#f0e442", "danger": "bold #d55e00", "graph": "#56b4e9", "graph-alt": "#e69f00", "badge": "bold reverse #f0e442",
		"badge-warn": "bold reverse #d55e00",
	},
}

// Names lists the built-in themes.
func Names() []string { return slices.Sorted(maps.Keys(builtin)) }

// Named returns a built-in theme; the error is ErrLooks.
func Named(name string) (*Looks, error) {
	roles, ok := builtin[name]
	if !ok {
		return nil, &fault.Error{Kind: ErrLooks, Op: "theme", Subject: name, Detail: "unknown theme", Fix: fault.Use(name, Names()) + ", or the name of a file in the folder of themes"}
	}
	return parseLooks(name, name == "mono", colorLooks, roles)
}

// NewLooks makes a theme from a built-in one, "" being the default one, and the roles that differ. A role
// is words: bold, dim, underline, reverse, and at most one color: black, red, green, yellow, blue,
// magenta, cyan, white, each also with bright- before it, a number from 0 to 255, or #rrggbb. The error
// is ErrLooks.
func NewLooks(name, base string, roles map[string]string) (*Looks, error) {
	if base == "" {
		base = DefaultName
	}
	from, err := Named(base)
	if err != nil {
		return nil, err
	}
	return parseLooks(name, from.mono, from.roles, roles)
}

func parseLooks(name string, mono bool, roles [numRoles]look, changes map[string]string) (*Looks, error) {
	out := &Looks{roles: roles, mono: mono}
	if mono {
		out.roles = monoLooks
	}
	for _, role := range slices.Sorted(maps.Keys(changes)) {
		i := slices.Index(roleNames[:], role)
		if i < 0 {
			return nil, &fault.Error{Kind: ErrLooks, Op: "theme", Subject: name, Detail: fmt.Sprintf("unknown role %q", role), Fix: "use some of " + strings.Join(roleNames[:], ", ")}
		}
		l, err := parseLook(changes[role])
		if err != nil {
			return nil, &fault.Error{Kind: ErrLooks, Op: "theme", Subject: name, Detail: role + ": " + err.Error(), Fix: "write words such as bold red, 214 or #ff8800 underline"}
		}
		out.roles[i] = l
	}
	return out, nil
}

var baseColors = []string{"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"}

func parseLook(text string) (l look, err error) {
	for word := range strings.FieldsSeq(text) {
		switch word {
		case "bold":
			l.bold = true
		case "dim":
			l.dim = true
		case "underline":
			l.underline = true
		case "reverse":
			l.reverse = true
		default:
			sgr, ok := colorSGR(word)
			if !ok {
				return l, fmt.Errorf("%q is neither an attribute nor a color", word)
			}
			if l.color != "" {
				return l, errors.New("it has two colors")
			}
			l.color = sgr
		}
	}
	return l, nil
}

// colorSGR is the parameter of SGR for a foreground color.
func colorSGR(word string) (sgr string, ok bool) {
	if bright, isBright := strings.CutPrefix(word, "bright-"); slices.Contains(baseColors, bright) {
		base := 30
		if isBright {
			base = 90
		}
		return strconv.Itoa(base + slices.Index(baseColors, bright)), true
	}
	if n, err := strconv.ParseUint(word, 10, 8); err == nil {
		return fmt.Sprintf("38;5;%d", n), true
	}
	if hex, isHex := strings.CutPrefix(word, "#"); isHex && len(hex) == 6 {
		if n, err := strconv.ParseUint(hex, 16, 32); err == nil {
			return fmt.Sprintf("38;2;%d;%d;%d", n>>16, n>>8&255, n&255), true
		}
	}
	return "", false
}

// ErrLooks is matched by errors about themes.
const ErrLooks fault.Kind = "theme cannot be used"

// UseASCII draws with ASCII characters only.
func (t *Theme) UseASCII() { t.Glyphs = asciiGlyphs }

// Apply gives the theme other looks, as far as the terminal can show them: without color only the
// attributes of looks that are made for that.
func (t *Theme) Apply(l *Looks) {
	if t.Mode == Bare || t.Mode == Mono && !l.mono {
		return
	}
	roles := l.roles
	if l.mono {
		t.Mode = Mono
		for i := range roles {
			roles[i].color = ""
		}
	}
	t.build(&roles)
}

// build makes the palette of looks.
func (t *Theme) build(looks *[numRoles]look) {
	t.Palette = new(cells.Palette)
	for i, l := range looks {
		t.Palette[i] = l.sgr()
		l.reverse = !l.reverse
		t.Palette[cells.Style(i)|cells.Reverse] = l.sgr()
	}
}
