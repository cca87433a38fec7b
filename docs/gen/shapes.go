package main

import (
	"image"
)

// drawShape draws what must reach the edges of its cell exactly: blocks, shades, lines and the dots
// of braille. It reports whether the rune is one of these.
func drawShape(img *image.RGBA, box image.Rectangle, c cell) bool {
	switch r := c.r; {
	case r >= 0x2800 && r <= 0x28ff:
		drawBraille(img, box, c, uint8(r-0x2800))
	case r >= 0x2581 && r <= 0x2588: // lower eighths
		h := box.Dy() * int(r-0x2580) / 8
		fill(img, image.Rect(box.Min.X, box.Max.Y-max(h, 1), box.Max.X, box.Max.Y), c.fg)
	case r >= 0x2589 && r <= 0x258f: // left eighths
		w := box.Dx() * int(0x2590-r) / 8
		fill(img, image.Rect(box.Min.X, box.Min.Y, box.Min.X+max(w, 1), box.Max.Y), c.fg)
	case r >= 0x2591 && r <= 0x2593: // shades
		shaded := c.fg
		fill(img, box, blend(shaded, c.bg, []int{70, 130, 190}[r-0x2591]))
	default:
		lines, ok := lineShapes[r]
		if !ok {
			return false
		}
		drawLines(img, box, c, lines)
	}
	return true
}

// The arms of a line, from the middle of its cell.
const (
	left = 1 << iota
	right
	up
	down
	thick
)

var lineShapes = map[rune]int{
	'─': left | right, '━': left | right | thick, '│': up | down, '╭': right | down, '╮': left | down, '╰': right | up, '╯': left | up,
	'├': up | down | right, '┤': up | down | left, '┬': left | right | down, '┴': left | right | up, '┼': left | right | up | down,
	'┌': right | down, '┐': left | down, '└': right | up, '┘': left | up,
}

func drawLines(img *image.RGBA, box image.Rectangle, c cell, arms int) {
	x, y, w := box.Min.X+box.Dx()/2, box.Min.Y+box.Dy()/2, 1
	if arms&thick != 0 {
		w = 3
		y--
	}
	if arms&left != 0 {
		fill(img, image.Rect(box.Min.X, y, x+1, y+w), c.fg)
	}
	if arms&right != 0 {
		fill(img, image.Rect(x, y, box.Max.X, y+w), c.fg)
	}
	if arms&up != 0 {
		fill(img, image.Rect(x, box.Min.Y, x+w, y+1), c.fg)
	}
	if arms&down != 0 {
		fill(img, image.Rect(x, y, x+w, box.Max.Y), c.fg)
	}
}

// brailleDots is the place of each bit of a braille pattern: column and row.
//
// Source: The Unicode Standard, chapter 21.1, Braille Patterns.
var brailleDots = [8]image.Point{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}}

func drawBraille(img *image.RGBA, box image.Rectangle, c cell, bits uint8) {
	for i, p := range brailleDots {
		if bits>>i&1 == 0 {
			continue
		}
		x := box.Min.X + (2*p.X+1)*box.Dx()/4
		y := box.Min.Y + (2*p.Y+1)*box.Dy()/8
		fill(img, image.Rect(x-1, y-1, x+1, y+1), c.fg)
	}
}
