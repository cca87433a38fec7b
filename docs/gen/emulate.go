package main

import (
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// cell is what a terminal shows in one place.
type cell struct {
	r               rune
	fg, bg          color.RGBA
	bold, underline bool
}

// emulate shows a frame on a terminal of w columns and h rows and returns its cells, row by row.
func emulate(frame string, w, h int) []cell {
	term := vt.NewEmulator(w, h)
	defer func() { _ = term.Close() }() // it holds nothing but memory
	_, _ = term.WriteString("\x1b[?7l" + strings.ReplaceAll(frame, "\n", "\r\n"))
	out := make([]cell, 0, w*h)
	for y := range h {
		for x := range w {
			out = append(out, look(term.CellAt(x, y)))
		}
	}
	return out
}

// look resolves attributes into colors, as terminals do.
func look(c *uv.Cell) cell {
	out := cell{r: ' ', fg: foreground, bg: background}
	if c == nil {
		return out
	}
	for _, r := range c.Content {
		out.r = r
		break
	}
	out.fg, out.bg = shade(c.Style.Fg, foreground), shade(c.Style.Bg, background)
	out.bold, out.underline = c.Style.Attrs&uv.AttrBold != 0, c.Style.Underline != 0
	if c.Style.Attrs&uv.AttrFaint != 0 {
		out.fg = blend(out.fg, out.bg, faint)
	}
	if c.Style.Attrs&uv.AttrReverse != 0 {
		out.fg, out.bg = out.bg, out.fg
	}
	return out
}

// The colors of the terminal.
var (
	foreground = color.RGBA{0xcd, 0xd6, 0xe0, 0xff}
	background = color.RGBA{0x10, 0x14, 0x1a, 0xff}
	palette    = [16]color.RGBA{
		{0x2a, 0x31, 0x3c, 0xff}, {0xf4, 0x70, 0x67, 0xff}, {0x7b, 0xc2, 0x75, 0xff}, {0xe3, 0xb3, 0x41, 0xff},
		{0x6c, 0xa4, 0xf8, 0xff}, {0xc5, 0x8a, 0xf9, 0xff}, {0x56, 0xc4, 0xd0, 0xff}, {0xcd, 0xd6, 0xe0, 0xff},
		{0x5b, 0x66, 0x75, 0xff}, {0xff, 0x93, 0x8a, 0xff}, {0x95, 0xd8, 0x8f, 0xff}, {0xf0, 0xc9, 0x60, 0xff},
		{0x8f, 0xbc, 0xff, 0xff}, {0xd9, 0xab, 0xff, 0xff}, {0x7d, 0xd8, 0xe2, 0xff}, {0xff, 0xff, 0xff, 0xff},
	}
)

// faint is how much of its color faint text keeps, of 256.
const faint = 135

func shade(c color.Color, otherwise color.RGBA) color.RGBA {
	switch c := c.(type) {
	case nil:
		return otherwise
	case ansi.BasicColor:
		return palette[c%16]
	case ansi.IndexedColor:
		if c < 16 {
			return palette[c]
		}
	}
	return color.RGBAModel.Convert(c).(color.RGBA)
}

func blend(a, b color.RGBA, part int) color.RGBA {
	mix := func(x, y uint8) uint8 { return uint8((int(x)*part + int(y)*(256-part)) / 256) }
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xff}
}
