package tui

import (
	"image/color"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/theme"
)

// A theme can be put on while the dashboard runs, mono included, and taken off again.
func TestThemesAreChangedWhileItRuns(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	was := d.m.View().Content
	for _, name := range theme.Names() {
		d.typed(":theme " + name)
		d.keys("enter")
		is := d.m.View().Content
		if colors := strings.Contains(is, "\x1b[0;3") || strings.Contains(is, ";38;"); colors == (name == "mono") {
			t.Errorf("%s: colors are %v", name, colors)
		}
		if (is == was) != (name == theme.DefaultName) {
			t.Errorf("%s looks like the default theme: %v", name, is == was)
		}
	}
	if _, err := d.m.commands.execute("theme plaid"); err == nil || !strings.Contains(err.Error(), "Fix: use one of cb-safe, default") {
		t.Errorf("an unknown theme: %v", err)
	}
}

// The default looks follow the background of the terminal; looks that were chosen do not.
func TestLooksFollowTheBackground(t *testing.T) {
	f := newFake()
	light := tea.BackgroundColorMsg{Color: color.White}
	d := newDriver(t, 80, 24, Options{Source: f, FollowBackground: true})
	was := d.m.View().Content
	d.send(tea.BackgroundColorMsg{Color: color.Black})
	if d.m.View().Content != was {
		t.Error("a dark background changes the looks")
	}
	d.send(light)
	if d.m.View().Content == was {
		t.Error("a light background changes nothing")
	}
	d = newDriver(t, 80, 24, Options{Source: f})
	d.send(light)
	if d.m.View().Content != was || d.m.themes.askBackground() != nil {
		t.Error("chosen looks follow the background")
	}
}

// Esc twice in a hurry, which terminals send as one key with Alt, goes two levels back.
func TestEscTwiceInAHurry(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f})
	d.keys("3", "/")
	d.typed("1001")
	d.send(tea.KeyPressMsg{Code: tea.KeyEscape, Mod: tea.ModAlt})
	if d.m.modal != nil || d.m.table().FilterText != "" {
		t.Errorf("still open: %v, filter %q", d.m.modal, d.m.table().FilterText)
	}
}
