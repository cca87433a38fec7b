package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/theme"
)

// wardrobe is what the dashboard can look like.
type wardrobe struct {
	find   func(name string) (*theme.Looks, error)
	names  []string
	fresh  func() (*theme.Theme, error) // as the terminal has it, in the default looks
	follow bool                         // the looks follow the background of the terminal
}

func newWardrobe(o *Options) wardrobe {
	w := wardrobe{find: o.Themes, names: o.ThemeNames, follow: o.FollowBackground}
	if w.find == nil {
		w.find, w.names = theme.Named, theme.Names()
	}
	plain := Options{Environ: o.Environ, Color: o.Color, ASCII: o.ASCII}
	w.fresh = plain.theme
	return w
}

// typedTheme changes the looks: "theme light".
func (m *model) typedTheme(args []string) (tea.Cmd, error) {
	if len(args) != 1 {
		return nil, misuse("theme", "say which one of "+strings.Join(m.wardrobe.names, ", "))
	}
	if err := m.wear(args[0]); err != nil {
		return nil, err
	}
	m.wardrobe.follow = false
	return nil, nil
}

func (m *model) wear(name string) error {
	looks, err := m.wardrobe.find(name)
	if err != nil {
		return err
	}
	th, err := m.wardrobe.fresh()
	if err != nil {
		return err
	}
	if th.Mode == theme.Colour {
		th.Wear(looks)
	} else {
		m.say(theme.Plain, fmt.Sprintf("%s: this terminal shows no colours, see vyretop help themes", name))
	}
	m.look.Theme = th
	return nil
}

// askBackground asks the terminal what stands behind its text. One that does not answer is dark.
func (m *model) askBackground() tea.Cmd {
	if !m.wardrobe.follow || m.look.Theme.Mode != theme.Colour {
		return nil
	}
	return tea.RequestBackgroundColor
}

// onBackground puts the light looks on a light background.
func (m *model) onBackground(msg tea.BackgroundColorMsg) {
	if m.wardrobe.follow && !msg.IsDark() {
		if err := m.wear("light"); err != nil {
			m.fail(err)
		}
	}
}
