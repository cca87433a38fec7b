package theme

import (
	"errors"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"

	"vyretop/megakernel"
	"vyretop/tasks"
	"vyretop/tui/cells"
)

func TestDetect(t *testing.T) {
	utf8 := "LANG=C.UTF-8"
	for name, tc := range map[string]struct {
		environ []string
		option  string
		mode    Mode
		unicode bool
	}{
		"plain":                   {[]string{"TERM=xterm", utf8}, "", Color, true},
		"NO_COLOR":                {[]string{"TERM=xterm", utf8, "NO_COLOR=1"}, "auto", Mono, true},
		"NO_COLOR empty":          {[]string{"TERM=xterm", utf8, "NO_COLOR="}, "auto", Color, true},
		"always beats NO_COLOR":   {[]string{"NO_COLOR=1", utf8}, "always", Color, true},
		"never":                   {[]string{"TERM=xterm", utf8}, "never", Mono, true},
		"dumb":                    {[]string{"TERM=dumb", utf8}, "", Bare, false},
		"no locale":               {[]string{"TERM=xterm"}, "", Color, false},
		"LC_ALL beats LANG":       {[]string{"LC_ALL=C", utf8}, "", Color, false},
		"LC_CTYPE beats LANG":     {[]string{"LC_CTYPE=de_DE.utf8", "LANG=C"}, "", Color, true},
		"last entry of a name":    {[]string{"LANG=C", utf8}, "", Color, true},
		"entry without an equals": {[]string{"LANG", utf8}, "", Color, true},
	} {
		t.Run(name, func(t *testing.T) {
			th, err := Detect(tc.environ, tc.option)
			if err != nil {
				t.Fatal(err)
			}
			if th.Mode != tc.mode || th.Glyphs.Unicode != tc.unicode {
				t.Errorf("mode %d unicode %v, want %d %v", th.Mode, th.Glyphs.Unicode, tc.mode, tc.unicode)
			}
		})
	}
	if _, err := Detect(nil, "sometimes"); !errors.Is(err, ErrColor) || !strings.Contains(err.Error(), "Fix: ") {
		t.Errorf("error for an unknown option: %v", err)
	}
}

func TestModesUseOnlyWhatTheyPromise(t *testing.T) {
	for i, sgr := range New(Mono, true).Palette {
		for _, p := range strings.Split(strings.Trim(sgr, "\x1b[m"), ";") {
			if len(p) == 2 {
				t.Errorf("mono style %d uses color %s", i, p)
			}
		}
	}
	for i, sgr := range New(Bare, false).Palette {
		if sgr != "" {
			t.Errorf("bare style %d has sequence %q", i, sgr)
		}
	}
}

func TestReversedVariantDiffers(t *testing.T) {
	for _, mode := range []Mode{Color, Mono} {
		p := New(mode, true).Palette
		for s := range numRoles {
			if p[s] == p[s|cells.Reverse] {
				t.Errorf("mode %d role %d: reversed looks the same", mode, s)
			}
		}
	}
}

func TestStatesTellApartWithoutColor(t *testing.T) {
	letters, words := map[byte]bool{}, map[string]bool{}
	for s := tasks.State(0); s <= tasks.NumStates; s++ {
		l := OfTask(s)
		if letters[l.Letter] || words[l.Word] {
			t.Errorf("state %s shares its letter %q or word", s, l.Letter)
		}
		letters[l.Letter], words[l.Word] = true, true
	}
	for s := megakernel.WorkerAbsent; s <= megakernel.WorkerPaused; s++ {
		if OfWorker(s) == unknownLegend {
			t.Errorf("worker state %s has no legend", s)
		}
	}
	if OfWorker(99) != unknownLegend {
		t.Error("unknown worker state has a legend")
	}
}

func TestGlyphsAreOneColumn(t *testing.T) {
	for _, g := range []Glyphs{unicodeGlyphs, asciiGlyphs} {
		runes := append([]rune{g.Ellipsis, g.Cursor, g.Mark, g.Ascending, g.Descending, g.Rest, g.Separator, g.Horizontal, g.Vertical, g.Arrow, g.Times, g.Played, g.Head}, g.Columns...)
		runes = append(append(runes, g.Bar...), g.corners[:]...)
		for s := range tasks.State(tasks.NumStates) {
			runes = append(runes, OfTask(s).Symbol(&g))
		}
		for _, r := range runes {
			if displaywidth.Rune(r) != 1 || (!g.Unicode && r > 0x7e) {
				t.Errorf("glyph %q (unicode=%v) is not one column", r, g.Unicode)
			}
		}
	}
}
