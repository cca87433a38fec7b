package tui_test

import (
	"fmt"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
	"github.com/cockroachdb/datadriven"

	"vyretop/fixtures"
	"vyretop/tui"
)

// TestViews compares every view of the embedded recording, as a terminal emulator shows it, at three
// sizes: the text, the styles in color, the styles without color, and the text in ASCII. Rewrite with
//
//	go test ./tui -run TestViews -rewrite
//
// Commands: text, styles, each with size, look (color, mono, ascii) and the keys to press as input.
func TestViews(t *testing.T) {
	datadriven.Walk(t, "testdata/views", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var size, look string
			d.ScanArgs(t, "size", &size)
			d.ScanArgs(t, "look", &look)
			var w, h int
			if _, err := fmt.Sscanf(size, "%dx%d", &w, &h); err != nil {
				d.Fatalf(t, "size %q: %v", size, err)
			}
			term := show(t, w, h, look, strings.Fields(d.Input))
			switch d.Cmd {
			case "text":
				return text(term, w, h)
			case "styles":
				return styles(term, w, h)
			}
			d.Fatalf(t, "unknown command %s", d.Cmd)
			return ""
		})
	})
}

var looks = map[string][]string{
	"color": {"TERM=xterm-256color", "LANG=C.UTF-8"},
	"mono":  {"TERM=xterm-256color", "LANG=C.UTF-8", "NO_COLOR=1"},
	"ascii": {"TERM=dumb", "LANG=C"},
}

// samples is how far into the recording the views are looked at: tasks have run, all workers are
// paused, one has been stepped.
const samples = 14

// show is a terminal with the dashboard on it, after keys.
func show(t *testing.T, w, h int, look string, keys []string) *vt.Emulator {
	t.Helper()
	rec, err := fixtures.Open(scanRecording)
	if err != nil {
		t.Fatal(err)
	}
	player := fixtures.NewPlayer(rec, nil)
	t.Cleanup(func() { _ = player.Close() })
	x, err := tui.NewHeadless(t.Context(), tui.Options{Source: player, Transport: player, Version: "test", Environ: looks[look]}, w, h)
	if err != nil {
		t.Fatal(err)
	}
	for range samples {
		x.Press("ctrl+right")
	}
	x.Press(keys...)
	term := vt.NewEmulator(w, h)
	if _, err := term.WriteString("\x1b[?7l" + strings.ReplaceAll(x.Frame(), "\n", "\r\n")); err != nil {
		t.Fatal(err)
	}
	return term
}

// rows calls f for every cell and joins what it returns row by row, without trailing spaces.
func rows(w, h int, f func(x, y int) string) string {
	var out strings.Builder
	for y := range h {
		var row strings.Builder
		for x := range w {
			row.WriteString(f(x, y))
		}
		out.WriteString(strings.TrimRight(row.String(), " ") + "\n")
	}
	return out.String()
}

func text(term *vt.Emulator, w, h int) string {
	return rows(w, h, func(x, y int) string {
		if c := term.CellAt(x, y); c != nil && c.Content != "" {
			return c.Content
		}
		return " "
	})
}

// styles writes one letter for each cell's style, nothing for the terminal's own, and what the letters
// stand for.
func styles(term *vt.Emulator, w, h int) string {
	letters, legend := map[string]string{}, ""
	grid := rows(w, h, func(x, y int) string {
		c := term.CellAt(x, y)
		if c == nil || c.Style.IsZero() {
			return " "
		}
		name := describe(&c.Style)
		if _, ok := letters[name]; !ok {
			letters[name] = string(rune('a' + len(letters)))
			legend += letters[name] + " " + name + "\n"
		}
		return letters[name]
	})
	return legend + grid
}

func describe(s *uv.Style) string {
	out := ""
	if s.Fg != nil {
		out += fmt.Sprintf(" color %v", s.Fg)
	}
	for _, a := range []struct {
		on   bool
		name string
	}{{s.Attrs&uv.AttrBold != 0, "bold"}, {s.Attrs&uv.AttrFaint != 0, "dim"}, {s.Attrs&uv.AttrReverse != 0, "reverse"}, {s.Underline != 0, "underline"}} {
		if a.on {
			out += " " + a.name
		}
	}
	return strings.TrimSpace(out)
}
