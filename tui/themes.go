package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/theme"
)

// themes is what the dashboard can look like.
type themes struct {
	*shared

	find   func(name string) (*theme.Looks, error)
	names  []string
	fresh  func() (*theme.Theme, error) // as the terminal has it, in the default looks
	follow bool                         // the looks follow the background of the terminal
}

func newThemes(s *shared, o *Options) *themes {
	t := &themes{shared: s, find: o.Themes, names: o.ThemeNames, follow: o.FollowBackground}
	if t.find == nil {
		t.find, t.names = theme.Named, theme.Names()
	}
	plain := Options{Environ: o.Environ, Color: o.Color, ASCII: o.ASCII}
	t.fresh = plain.theme
	return t
}

// with is a copy for another dashboard on the same terminal.
func (ts *themes) with(s *shared) themes {
	out := *ts
	out.shared = s
	return out
}

// typedTheme changes the looks: "theme light".
func (ts *themes) typedTheme(args []string) (tea.Cmd, error) {
	if len(args) != 1 {
		return nil, misuse("theme", "say which one of "+strings.Join(ts.names, ", "))
	}
	if err := ts.use(args[0]); err != nil {
		return nil, err
	}
	ts.follow = false
	return nil, nil
}

func (ts *themes) use(name string) error {
	looks, err := ts.find(name)
	if err != nil {
		return err
	}
	th, err := ts.fresh()
	if err != nil {
		return err
	}
	if th.Mode == theme.Color {
		th.Apply(looks)
	} else {
		ts.say(theme.Plain, fmt.Sprintf("%s: this terminal shows no colors, see vyretop help themes", name))
	}
	ts.look.Theme = th
	return nil
}

// askBackground asks the terminal what stands behind its text. One that does not answer is dark.
func (ts *themes) askBackground() tea.Cmd {
	if !ts.follow || ts.look.Theme.Mode != theme.Color {
		return nil
	}
	return tea.RequestBackgroundColor
}

// onBackground puts the light looks on a light background.
func (ts *themes) onBackground(msg tea.BackgroundColorMsg) {
	if ts.follow && !msg.IsDark() {
		if err := ts.use("light"); err != nil {
			ts.fail(err)
		}
	}
}
