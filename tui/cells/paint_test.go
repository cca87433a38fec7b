package cells

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"pgregory.net/rapid"
)

// terminal is what a terminal shows after some bytes, and in which styles.
func terminal(w, h int, written string) string {
	term := vt.NewEmulator(max(w, 1), max(h, 1))
	_, _ = term.WriteString(written)
	var b strings.Builder
	for y := range h {
		for x := range w {
			c := term.CellAt(x, y)
			fmt.Fprintf(&b, "%s%s", c.Style.String(), c.Content)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// scribble draws something on a grid at random: mostly little, as it is from frame to frame.
func scribble(t *rapid.T, b *Buffer) {
	w, h := b.Size()
	a := b.Area(Rect{W: w, H: h})
	for range rapid.IntRange(0, 4).Draw(t, "strokes") {
		x, y := rapid.IntRange(0, w).Draw(t, "x"), rapid.IntRange(0, h).Draw(t, "y")
		r := rapid.RuneFrom([]rune("ab▁  ")).Draw(t, "rune")
		style := Style(rapid.SampledFrom([]byte{0, 0, 1, 2}).Draw(t, "style"))
		for n := range rapid.IntRange(1, w+1).Draw(t, "length") {
			a.Set(x+n, y, r, style)
		}
	}
}

// A terminal that is given what changed from grid to grid shows what one does that is given the whole last one.
func TestPaintingWhatChangedShowsTheGrid(t *testing.T) {
	palettes := []*Palette{{1: "\x1b[0;31m", 2: "\x1b[0;7;32m"}, {0: "\x1b[0;44m", 1: "\x1b[0;1m", 2: "\x1b[0;1m"}}
	rapid.Check(t, func(t *rapid.T) {
		const w, h = 24, 4
		var written []byte
		var painter Painter
		var b Buffer
		b.Resize(w, h)
		p := palettes[0]
		for range rapid.IntRange(1, 8).Draw(t, "frames") {
			switch rapid.IntRange(0, 9).Draw(t, "event") {
			case 0:
				p = rapid.SampledFrom(palettes).Draw(t, "palette")
			case 1: // somebody else writes
				written = append(written, "\x1b[2;3Hxx"...)
				painter.Forget()
			}
			scribble(t, &b)
			written = painter.Append(written, &b, p)
		}
		if again := painter.Append(nil, &b, p); len(again) > 0 {
			t.Fatalf("%q is written though nothing changed", again)
		}
		whole := new(Painter).Append(nil, &b, p)
		if got, want := terminal(w, h, string(written)), terminal(w, h, string(whole)); got != want {
			t.Fatalf("after %q\n%q\nwant\n%q", written, got, want)
		}
		if text := ansi.Strip(terminal(w, h, string(whole))); text != b.String()+"\n" {
			t.Fatalf("after %q\n%q\nwant\n%q", whole, text, b.String())
		}
	})
}

// What is written for a change is little more than the change.
func TestPaintingWritesWhatChanged(t *testing.T) {
	p := &Palette{1: "\x1b[0;1m"}
	for name, tc := range map[string]struct{ before, now, want string }{
		"nothing":                {"same", "same", ""},
		"a letter":               {"a letter", "a better", "\x1b[1;3Hb"},
		"little between":         {"one two ", "One Two ", "\x1b[1;1HOne T"},
		"much between":           {"1 of the things 1", "2 of the things 2", "\x1b[1;1H2\x1b[15C2"},
		"less":                   {"what was there", "what", "\x1b[1;6H\x1b[K"},
		"less, and another word": {"what was there", "whom", "\x1b[1;3Hom\x1b[K"},
		"the end of a row":       {"", "                    edge", "\x1b[1;21Hedge"},
	} {
		b := grid(24, 2)
		a := b.Area(Rect{W: 24, H: 2})
		a.Text(0, 0, tc.before, 0)
		var painter Painter
		painter.Append(nil, b, p)
		b.Clear()
		a.Text(0, 0, tc.now, 0)
		if got := string(painter.Append(nil, b, p)); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}

// The last cell of the terminal is written so that nothing scrolls, and no style is left in force.
func TestPaintingTheLastCell(t *testing.T) {
	b := grid(4, 1)
	b.Area(Rect{W: 4, H: 1}).Text(2, 0, "ab", 1)
	got := string(new(Painter).Append(nil, b, &Palette{1: "\x1b[0;1m"}))
	if want := "\x1b[m\x1b[2J\x1b[1;3H" + ansi.ResetModeAutoWrap + "\x1b[0;1mab" + ansi.SetModeAutoWrap + "\x1b[m"; got != want {
		t.Errorf("painted %q, want %q", got, want)
	}
}

// Pixels are two colors in a cell, as far as the terminal has them, and else a character as bright as both.
func TestPixels(t *testing.T) {
	for _, tc := range []struct {
		colors Colors
		want   string
	}{
		{AllColors, "\x1b[0;38;2;255;128;0;48;2;1;2;3m▀▀\x1b[m"},
		{Colors256, "\x1b[0;38;5;208;48;5;16m▀▀\x1b[m"},
		{Shades, "░░"},
	} {
		var b Buffer
		b.Resize(3, 1)
		a := b.Area(Rect{W: 3, H: 1})
		a.Pixels(0, 0, MakeRGB(255, 128, 0), MakeRGB(1, 2, 3))
		a.Pixels(1, 0, MakeRGB(255, 128, 0), MakeRGB(1, 2, 3))
		a.Pixels(3, 0, 0, 0) // outside
		e := newPen(&Palette{})
		e.colors = tc.colors
		got := string(e.end(e.text(nil, b.Row(0)[:2])))
		if got != tc.want {
			t.Errorf("colors %d: %q, want %q", tc.colors, got, tc.want)
		}
		if text := b.String(); text != "░░ " {
			t.Errorf("as text: %q", text)
		}
		if b.ToASCII(); b.String() != ":: " {
			t.Errorf("in ASCII: %q", b.String())
		}
	}
}

// Each of the 256 colors is the nearest of its own value.
func TestIndex256(t *testing.T) {
	for level := range 6 {
		v := uint8(cubeValue(level))
		if got, want := index256(MakeRGB(v, 0, v)), 16+37*level; got != want && level > 0 {
			t.Errorf("level %d is color %d, want %d", level, got, want)
		}
	}
	for gray := range 24 {
		v := uint8(8 + 10*gray)
		if got := index256(MakeRGB(v, v, v)); got != 232+gray {
			t.Errorf("gray %d is color %d, want %d", v, got, 232+gray)
		}
	}
}
