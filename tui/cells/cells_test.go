package cells

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
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
	} {
		t.Run(name, func(t *testing.T) {
			b := grid(utf8.RuneCountInString(tc.want), 1)
			end := b.Area(Rect{W: 20, H: 1}).Text(0, 0, tc.in, 0)
			if got := Clean(tc.in); got != tc.want {
				t.Errorf("Clean(%q) = %q, want %q", tc.in, got, tc.want)
			}
			if got := b.String(); got != tc.want {
				t.Errorf("%q drawn as %q, want %q", tc.in, got, tc.want)
			}
			if w, _ := b.Size(); end != w {
				t.Errorf("next column %d, want %d", end, w)
			}
		})
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

func TestEncodeStylesAndReset(t *testing.T) {
	b := grid(4, 2)
	b.Area(Rect{W: 4, H: 2}).Text(1, 0, "ab", 1)
	var e Encoder
	got := e.Encode(b, testPalette())
	if want := " \x1b[0;31mab\x1b[m \n    "; got != want {
		t.Errorf("encoded %q, want %q", got, want)
	}
}

func TestEncodeUnchangedDoesNotAllocate(t *testing.T) {
	b, p := grid(80, 24), testPalette()
	var e Encoder
	first := e.Encode(b, p)
	if n := testing.AllocsPerRun(10, func() {
		if e.Encode(b, p) != first {
			t.Fatal("text changed")
		}
	}); n != 0 {
		t.Errorf("%v allocations for an unchanged grid", n)
	}
}

// An encoder that reuses rows must give the same text as a fresh one.
func TestEncodeIncrementalEqualsFresh(t *testing.T) {
	p := testPalette()
	rapid.Check(t, func(t *rapid.T) {
		var e Encoder
		b := new(Buffer)
		b.Resize(5, 4)
		for range rapid.IntRange(1, 12).Draw(t, "frames") {
			if rapid.IntRange(0, 9).Draw(t, "resize") == 0 {
				b.Resize(rapid.IntRange(0, 7).Draw(t, "w"), rapid.IntRange(0, 5).Draw(t, "h"))
			}
			w, h := b.Size()
			a := b.Area(Rect{W: w, H: h})
			a.Set(rapid.IntRange(0, 6).Draw(t, "x"), rapid.IntRange(0, 4).Draw(t, "y"),
				rapid.RuneFrom([]rune("ab▁ ")).Draw(t, "rune"), Style(rapid.Byte().Draw(t, "style")))
			var fresh Encoder
			if got, want := e.Encode(b, p), fresh.Encode(b, p); got != want {
				t.Fatalf("incremental %q, fresh %q", got, want)
			}
			if got := strings.Count(e.Encode(b, p), "\n"); got != max(h-1, 0) {
				t.Fatalf("%d newlines for %d rows", got, h)
			}
		}
	})
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

// What a terminal shows after AppendFirst is the grid.
func TestAppendFirstDrawsTheGrid(t *testing.T) {
	var b Buffer
	b.Resize(40, 3)
	a := b.Area(Rect{W: 40, H: 3})
	a.Text(3, 0, "left", 1)
	a.Text(9, 0, "near", 0)
	a.Text(36, 0, "edge", 0)
	a.Text(0, 2, "last", 1)
	p := &Palette{1: "\x1b[0;1m"}
	got := string(AppendFirst(nil, &b, p))
	want := "\x1b[m\x1b[2J\x1b[1;4H\x1b[0;1mleft\x1b[m  near\x1b[1;37Hedge\x1b[3;1H\x1b[0;1mlast\x1b[m"
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
