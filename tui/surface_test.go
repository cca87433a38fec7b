package tui

import (
	"bytes"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"vyretop/tui/cells"
)

// written is a surface of one row and the bytes that came through it since they were last looked at.
type written struct {
	*surface
	bytes.Buffer
	grid cells.Buffer
}

func newWritten(profile colorprofile.Profile) *written {
	x := &written{}
	x.surface = newSurface(&x.Buffer, profile)
	x.grid.Resize(20, 1)
	return x
}

func (x *written) frame(text string) string {
	x.grid.Clear()
	x.grid.Area(cells.Rect{W: 20, H: 1}).Text(0, 0, text, 1)
	x.show(&x.grid, surfacePalette)
	x.repaint()
	return x.taken()
}

func (x *written) library(text string) string {
	_, _ = x.surface.Write([]byte(text))
	return x.taken()
}

func (x *written) taken() string {
	defer x.Reset()
	return x.String()
}

var surfacePalette = &cells.Palette{1: "\x1b[0;1;38;2;255;0;0m"}

// The frame is on the screen whenever the library has turned to it or erased it, and never on the user's own.
func TestFramesAreOnTheOtherScreenOnly(t *testing.T) {
	x := newWritten(colorprofile.TrueColor)
	if got := x.frame("one"); got != "" {
		t.Errorf("%q is written before the other screen is on", got)
	}
	for _, step := range []struct {
		name, library string
		painted       bool
	}{
		{"turns to it", "\x1b[>4;1m" + ansi.SetModeAltScreenSaveCursor + ansi.CursorHomePosition, true},
		{"sets a mode", ansi.SetModeFocusEvent, false},
		{"erases it", ansi.CursorHomePosition + ansi.EraseEntireScreen, true},
		{"turns back", ansi.ResetModeAltScreenSaveCursor + ansi.SetModeTextCursorEnable, false},
		{"erases the user's", ansi.EraseEntireScreen, false},
		{"turns to it again", ansi.SetModeAltScreenSaveCursor, true},
	} {
		got := x.library(step.library)
		if rest, ok := strings.CutPrefix(got, step.library); !ok || strings.Contains(rest, "one") != step.painted || !step.painted && rest != "" {
			t.Errorf("the library %s: %q", step.name, got)
		}
	}
	x.library(ansi.ResetModeAltScreenSaveCursor)
	if got := x.frame("two"); got != "" {
		t.Errorf("%q is written behind the end", got)
	}
}

func TestNothingIsWrittenWhenNothingChanges(t *testing.T) {
	x := newWritten(colorprofile.TrueColor)
	x.library(ansi.SetModeAltScreenSaveCursor)
	x.onMode(tea.ModeReportMsg{Mode: ansi.ModeSynchronizedOutput, Value: ansi.ModeReset})
	if got := x.frame("one"); !strings.HasPrefix(got, ansi.SetModeSynchronizedOutput) || !strings.HasSuffix(got, ansi.ResetModeSynchronizedOutput) {
		t.Errorf("%q is not written as a whole", got)
	}
	if got := x.frame("one"); got != "" {
		t.Errorf("%q is written for nothing", got)
	}
}

// A terminal gets no colours that it does not have.
func TestFramesHaveTheColoursOfTheTerminal(t *testing.T) {
	for profile, want := range map[colorprofile.Profile]string{
		colorprofile.TrueColor: "\x1b[0;1;38;2;255;0;0mx", colorprofile.ANSI256: "\x1b[;1;38;5;196mx",
		colorprofile.ANSI: "\x1b[;1;91mx", colorprofile.ASCII: "\x1b[;1mx",
	} {
		x := newWritten(profile)
		x.library(ansi.SetModeAltScreenSaveCursor)
		if got := x.frame("x"); !strings.Contains(got, want) {
			t.Errorf("%v: %q, want %q", profile, got, want)
		}
	}
}

// brokenWriter has a bug.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { panic("a bug in the writer") }

// What goes wrong while a frame is painted ends the dashboard where the terminal is restored, not the process.
func TestPanicsOfThePainterAreRaisedInTheDashboard(t *testing.T) {
	x := newWritten(colorprofile.TrueColor)
	x.enter()
	x.out = brokenWriter{}
	x.grid.Area(cells.Rect{W: 20, H: 1}).Text(0, 0, "one", 1)
	x.show(&x.grid, surfacePalette)
	sent := make(chan tea.Msg, 1)
	x.run(t.Context(), func(msg tea.Msg) { sent <- msg })
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	defer func() {
		if what, _ := recover().(string); !strings.Contains(what, "a bug in the writer") || !strings.Contains(what, "brokenWriter") {
			t.Errorf("the dashboard panics with %q", what)
		}
	}()
	d.m.Update(<-sent)
}
