// Package theme owns how the dashboard looks: the roles that text can have, the SGR sequences they
// become in each color mode, the glyph sets, and the legend of task and worker states.
//
// The base palette is the terminal's own 16 colors. Nothing is said by color alone: every state
// has a letter and a glyph, and without color the roles differ by bold, underline and reverse.
package theme

import "vyretop/tui/cells"

// The roles of text.
const (
	Plain cells.Style = iota
	Dim
	Strong
	Title   // heading of a panel
	Accent  // numbers worth finding first
	Running // the hues of the state legend …
	Ready
	Yielded
	Paused
	Waiting
	Done
	Fault
	Unknown // … up to here
	Changed // a word that differs from what it was
	Good
	Warning
	Danger
	Graph
	GraphAlt
	Badge     // says that the view differs from the target
	BadgeWarn // says that something is wrong
	Key
	Match // found by a search
	numRoles
)

// Mode says what a terminal can show.
type Mode uint8

// The color modes.
const (
	Color Mode = iota // 16 colors and attributes
	Mono              // bold, underline and reverse only
	Bare              // no escape sequence for styling at all
)

// look is a style in the terms of SGR. Without a color it has the terminal's default.
type look struct {
	color                         string // SGR parameter of the foreground, such as 31 or 38;5;214
	bold, dim, underline, reverse bool
}

const (
	red     = "31"
	green   = "32"
	yellow  = "33"
	blue    = "34"
	magenta = "35"
	cyan    = "36"
)

var colorLooks = [numRoles]look{
	Dim:       {dim: true},
	Strong:    {bold: true},
	Title:     {bold: true, color: cyan},
	Accent:    {bold: true, color: green},
	Running:   {color: green},
	Ready:     {color: cyan},
	Yielded:   {color: blue},
	Paused:    {color: yellow},
	Waiting:   {color: magenta},
	Done:      {dim: true},
	Fault:     {bold: true, color: red},
	Unknown:   {reverse: true},
	Changed:   {bold: true, color: yellow},
	Good:      {color: green},
	Warning:   {color: yellow},
	Danger:    {bold: true, color: red},
	Graph:     {color: green},
	GraphAlt:  {color: cyan},
	Badge:     {bold: true, color: yellow, reverse: true},
	BadgeWarn: {bold: true, color: red, reverse: true},
	Key:       {bold: true},
	Match:     {bold: true, underline: true},
}

var monoLooks = [numRoles]look{
	Strong:    {bold: true},
	Title:     {bold: true},
	Accent:    {bold: true},
	Running:   {bold: true},
	Paused:    {underline: true},
	Fault:     {bold: true, underline: true},
	Unknown:   {reverse: true},
	Changed:   {bold: true, underline: true},
	Warning:   {underline: true},
	Danger:    {bold: true, underline: true},
	Badge:     {bold: true, reverse: true},
	BadgeWarn: {bold: true, reverse: true},
	Key:       {bold: true},
	Match:     {bold: true, underline: true},
}

// Theme is everything a view needs to know about looks.
type Theme struct {
	Mode    Mode
	Palette *cells.Palette
	Glyphs  Glyphs
}

// New makes the theme for a color mode; unicode chooses the glyph set.
func New(mode Mode, unicode bool) *Theme {
	t := &Theme{Mode: mode, Palette: new(cells.Palette), Glyphs: asciiGlyphs}
	if unicode {
		t.Glyphs = unicodeGlyphs
	}
	if mode == Bare {
		return t
	}
	if mode == Mono {
		t.build(&monoLooks)
	} else {
		t.build(&colorLooks)
	}
	return t
}

func (l look) sgr() string {
	if l == (look{}) {
		return ""
	}
	s := "\x1b[0"
	for _, a := range []struct {
		on   bool
		code string
	}{{l.bold, "1"}, {l.dim, "2"}, {l.underline, "4"}, {l.reverse, "7"}, {l.color != "", l.color}} {
		if a.on {
			s += ";" + a.code
		}
	}
	return s + "m"
}
