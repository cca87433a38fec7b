package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"vyretop/engine/fault"
	"vyretop/megakernel/alert"
	"vyretop/megakernel/inspect"
	"vyretop/tui"
	"vyretop/tui/config"
	"vyretop/tui/theme"
)

// viewFlags say how a target is shown: in a dashboard, line by line, or at its end.
type viewFlags struct {
	color    string
	fps      int
	theme    string
	ascii    bool
	noMouse  bool
	noPixels bool
	linear   bool
	headless bool
	json     bool
	readOnly bool
	exec     script
}

// register adds the flags of the dashboard itself.
func (f *viewFlags) register(s *pflag.FlagSet) {
	s.StringVar(&f.color, "color", "auto", "colors of the dashboard: "+strings.Join(colorModes, ", "))
	s.IntVar(&f.fps, "fps", defaultFPS, "maximum frame rate of the dashboard")
	s.StringVar(&f.theme, "theme", theme.DefaultName, "theme of the dashboard: "+strings.Join(theme.Names(), ", ")+", or a file of your own")
	s.BoolVar(&f.ascii, "ascii", false, "draw with ASCII characters only")
	s.BoolVar(&f.noMouse, "no-mouse", false, "leave the mouse to the terminal, to select text")
	s.BoolVar(&f.noPixels, "no-pixels", false, "draw pictures as half blocks only, not by kitty's graphics protocol or as sixels")
	s.BoolVar(&f.linear, "linear", false, "print changes line by line, for screen readers and logs")
}

func checkFPS(fps int) error {
	if fps < 1 || fps > maxFPS {
		return usage(fmt.Sprintf("invalid --fps %d: out of range", fps), fmt.Sprintf("use 1 to %d", maxFPS))
	}
	return nil
}

// The values of --color, and the range of --fps.
var colorModes = []string{"auto", "always", "never"}

const (
	defaultFPS = 15
	maxFPS     = 60
)

func (f *viewFlags) check() error {
	if !slices.Contains(colorModes, f.color) {
		return usage(fmt.Sprintf("unknown --color %q", f.color), fault.Suggest(f.color, colorModes, "use "+strings.Join(colorModes, ", ")))
	}
	return checkFPS(f.fps)
}

// dashboard shows a source until the user leaves, ctx ends, or the process is asked to end.
func (f *viewFlags) dashboard(ctx context.Context, a *app, o tui.Options) (err error) {
	themes := config.ThemeDir(a.env)
	if o.Looks, err = config.Looks(themes, f.theme); err != nil {
		return err
	}
	o.Themes = func(name string) (*theme.Looks, error) { return config.Looks(themes, name) }
	o.ThemeNames, o.FollowBackground = config.ThemeNames(themes), f.theme == theme.DefaultName
	o.Explain, o.Open = inspect.StallText, a.opener()
	var keepSorting func()
	o.Sorting, keepSorting = a.sorting()
	defer keepSorting()
	o.Version, o.Color, o.FPS, o.ASCII = version, f.color, f.fps, f.ascii
	o.Without = tui.Without{Mouse: f.noMouse, Pixels: f.noPixels}
	o.Keys, o.Hint = a.config.Keys, a.hint()
	if o.Alerts, err = alert.New(a.config.Alerts); err != nil {
		return err
	}
	o.Reload = a.reload
	o.Script, o.ScriptName = f.exec.lines, f.exec.file
	o.Input, o.Output, o.Environ = a.stdin, drawing(a.stdout), a.env
	return tui.Run(ctx, o)
}

// interactive reports whether there is a terminal to show the dashboard on, and it is wanted.
func (f *viewFlags) interactive(a *app) bool {
	_, out := terminal(a.stdout)
	_, in := terminal(a.stdin)
	return in && out && !a.background && !f.headless && !f.json && !f.linear
}
