package cells

import (
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func grid(w, h int) *Buffer {
	b := new(Buffer)
	b.Resize(w, h)
	return b
}

func TestAreaClips(t *testing.T) {
	b := grid(8, 3)
	a := b.Area(Rect{X: 2, Y: 1, W: 4, H: 1})
	a.Text(-1, 0, "abcdefgh", 1)
	a.Text(0, 1, "below", 1)
	a.Set(0, -1, 'x', 1)
	want := "        \n  bcde  \n        "
	if got := b.String(); got != want {
		t.Errorf("drawn\n%q, want\n%q", got, want)
	}
}

func TestAreaOfZeroValueSwallowsDrawing(t *testing.T) {
	var a Area
	a.Fill('x', 1)
	a.Text(0, 0, "text", 1)
	a.Columns([]float64{1}, 1, BlockRamp, 1)
	a.Gauge(1, BarRamp, '-', 1, 2)
	if sub := a.Sub(Rect{W: 5, H: 5}); !sub.Empty() {
		t.Errorf("sub area of an empty area is %+v", sub.Rect)
	}
}

func TestTextFromOutsideKeepsColumns(t *testing.T) {
	for name, tc := range map[string]struct{ in, want string }{
		"escape sequence": {"a\x1b[31mb", "a?[31mb"},
		"newline and tab": {"a\nb\tc", "a b c"},
		"wide":            {"日本x", "??x"},
		"emoji":           {"🚀x", "?x"},
		"combining":       {"e\u0301x", "e?x"},
		"invalid UTF-8":   {"a\xffb", "a\uFFFDb"},
		"C1 control":      {"a\u009bb", "a?b"},
		"zero width":      {"a\u200bb", "a?b"},
		"soft hyphen":     {"a\u00adb", "a?b"},
		"reordering":      {"a\u202eb", "a?b"},
		"private use":     {"a\ue000b", "a?b"},
	} {
		t.Run(name, func(t *testing.T) {
			b := grid(utf8.RuneCountInString(tc.want), 1)
			end := b.Area(Rect{W: 20, H: 1}).Text(0, 0, tc.in, 0)
			if got := b.String(); got != tc.want {
				t.Errorf("%q drawn as %q, want %q", tc.in, got, tc.want)
			}
			if w, _ := b.Size(); end != w {
				t.Errorf("next column %d, want %d", end, w)
			}
		})
	}
}

// TestCharactersOfOneColumnOnly: points of Hebrew and Thai vowel signs take no column of their own, ideographs two.
func TestCharactersOfOneColumnOnly(t *testing.T) {
	for r, want := range map[rune]rune{'é': 'é', '━': '━', '⣿': '⣿', 'א': 'א', '\u05b0': Replacement, '\u0e31': Replacement, '漢': Replacement} {
		if got := clean(r); got != want {
			t.Errorf("%U is shown as %q, want %q", r, got, want)
		}
	}
}

func TestFit(t *testing.T) {
	for _, tc := range []struct {
		in    string
		right bool
		want  string
	}{
		{"ab", false, "|ab   |"},
		{"ab", true, "|   ab|"},
		{"abcde", true, "|abcde|"},
		{"abcdef", false, "|abcd…|"},
		{"", true, "|     |"},
	} {
		b := grid(7, 1)
		a := b.Area(Rect{W: 7, H: 1})
		a.Text(0, 0, "|", 0)
		a.Text(6, 0, "|", 0)
		a.Fit(1, 0, 5, []byte(tc.in), tc.right, '…', 0)
		if got := b.String(); got != tc.want {
			t.Errorf("Fit(%q, right=%v) = %q, want %q", tc.in, tc.right, got, tc.want)
		}
	}
}

func TestColumns(t *testing.T) {
	b := grid(6, 2)
	b.Area(Rect{W: 6, H: 2}).Columns([]float64{0, Absent, 0.01, 4, 8}, 8, BlockRamp, 0)
	if diff := cmp.Diff("     █\n   ▁██", b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestGauge(t *testing.T) {
	for _, tc := range []struct {
		part float64
		want string
	}{{-1, "····"}, {0, "····"}, {0.5, "██··"}, {0.28, "█▏··"}, {1, "████"}, {7, "████"}} {
		b := grid(4, 1)
		b.Area(Rect{W: 4, H: 1}).Gauge(tc.part, BarRamp, '·', 0, 0)
		if got := b.String(); got != tc.want {
			t.Errorf("Gauge(%v) = %q, want %q", tc.part, got, tc.want)
		}
	}
}

func testPalette() *Palette {
	p := new(Palette)
	for i := 1; i < len(p); i++ {
		p[i] = "\x1b[0;3" + string(rune('0'+i%8)) + "m"
	}
	return p
}

func TestTextOfTheGridHasStylesAndReset(t *testing.T) {
	b := grid(4, 2)
	b.Area(Rect{W: 4, H: 2}).Text(1, 0, "ab", 1)
	got := string(b.Append(nil, testPalette(), true))
	if want := " \x1b[0;31mab\x1b[m \n    "; got != want {
		t.Errorf("encoded %q, want %q", got, want)
	}
}

// Pixels are two colors in a cell, or else a character as bright as both.
func TestPixels(t *testing.T) {
	for color, want := range map[bool]string{true: "\x1b[0;38;2;255;128;0;48;2;1;2;3m▀▀\x1b[m ", false: "░░ "} {
		b := grid(3, 1)
		a := b.Area(Rect{W: 3, H: 1})
		a.Pixels(0, 0, MakeRGB(255, 128, 0), MakeRGB(1, 2, 3))
		a.Pixels(1, 0, MakeRGB(255, 128, 0), MakeRGB(1, 2, 3))
		a.Pixels(3, 0, 0, 0) // outside
		if got := string(b.Append(nil, &Palette{}, color)); got != want {
			t.Errorf("in color %v: %q, want %q", color, got, want)
		}
		if text := b.String(); text != "░░ " {
			t.Errorf("as text: %q", text)
		}
		if b.ToASCII(); b.String() != ":: " {
			t.Errorf("in ASCII: %q", b.String())
		}
	}
}

// Braille shows two values a column, each from the bottom up, and the least value as a dot.
func TestBraille(t *testing.T) {
	for name, tc := range map[string]struct {
		values []float64
		want   string
	}{
		"empty":          {nil, "  \n  "},
		"right edge":     {[]float64{8}, " ⢸\n ⢸"},
		"two a column":   {[]float64{4, 8}, " ⢸\n ⣿"},
		"little and 0":   {[]float64{0.001, 0}, "  \n ⡀"},
		"absent":         {[]float64{8, Absent, 8}, "⢸⢸\n⢸⢸"},
		"above the top":  {[]float64{99, 2}, " ⡇\n ⣧"},
		"more than fits": {[]float64{8, 8, 0, 0, 0, 8}, " ⢸\n ⢸"},
	} {
		var b Buffer
		b.Resize(2, 2)
		b.Area(Rect{W: 2, H: 2}).Braille(tc.values, 8, 1)
		if got := b.String(); got != tc.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, tc.want)
		}
	}
}
