package graphics

import (
	"fmt"
	"image"
	"strconv"

	"github.com/charmbracelet/x/ansi"
)

// band is how many rows of pixels a row of sixels has.
const band = 6

// levels are the steps of red, green and blue of a palette.
type levels [3]int

func (l levels) colors() int { return l[0] * l[1] * l[2] }

// palettes are from the largest down. Registers that a terminal does not have would be other colors.
var palettes = []levels{{6, 7, 6}, {5, 5, 5}, {4, 4, 4}, {3, 3, 3}, {2, 4, 2}, {2, 2, 2}}

// paletteFor is the largest palette of at most a number of colors. A terminal that does not tell has 16, as the VT340.
func paletteFor(colors int) levels {
	if colors <= 0 {
		colors = 16
	}
	for _, l := range palettes {
		if l.colors() <= colors {
			return l
		}
	}
	return palettes[len(palettes)-1]
}

// ordered is Bayer's matrix of four by four.
var ordered = [4][4]int{{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}}

// register is the color of the palette for a pixel, which neighbors round differently.
func (l levels) register(pixel []uint8, x, y int) int {
	n := 0
	for i, steps := range l {
		n = n*steps + (int(pixel[i])*(steps-1)*16+ordered[y&3][x&3]*255+127)/(16*255)
	}
	return n
}

// sixels writes an image, scaled to a size in pixels of the screen, at the cursor.
func sixels(m *image.RGBA, size image.Point, colors int) string {
	l := paletteFor(colors)
	dst := fmt.Appendf(nil, `"1;1;%d;%d`, size.X, size.Y)
	dst = l.define(dst)
	rows, blank := make([][]byte, l.colors()), make([]byte, size.X) // of a band, by color; empty where it has none of it
	for top := 0; top < size.Y; top += band {
		for y := top; y < min(top+band, size.Y); y++ {
			line := m.Pix[m.PixOffset(m.Rect.Min.X, m.Rect.Min.Y+y*m.Rect.Dy()/size.Y):]
			for x := range size.X {
				n := l.register(line[4*(x*m.Rect.Dx()/size.X):], x, y)
				if len(rows[n]) == 0 {
					rows[n] = append(rows[n], blank...)
				}
				rows[n][x] |= 1 << (y - top)
			}
		}
		for n, row := range rows {
			if len(row) > 0 {
				dst = appendRuns(strconv.AppendInt(append(dst, '#'), int64(n), 10), row)
				dst = append(dst, '$')
				rows[n] = row[:0]
			}
		}
		dst = append(dst, '-')
	}
	return ansi.SixelGraphics(0, 1, 0, dst)
}

// define sets the registers of the palette, in percent.
func (l levels) define(dst []byte) []byte {
	for n := range l.colors() {
		r, g, b := n/(l[1]*l[2]), n/l[2]%l[1], n%l[2]
		dst = fmt.Appendf(dst, "#%d;2;%d;%d;%d", n, r*100/(l[0]-1), g*100/(l[1]-1), b*100/(l[2]-1))
	}
	return dst
}

// appendRuns appends a row of sixels; equal ones that follow each other are written once.
func appendRuns(dst, row []byte) []byte {
	for x := 0; x < len(row); {
		end := x + 1
		for end < len(row) && row[end] == row[x] {
			end++
		}
		char := row[x] + '?'
		switch n := end - x; {
		case row[x] == 0 && end == len(row): // nothing to the end
		case n > 3:
			dst = append(strconv.AppendInt(append(dst, '!'), int64(n), 10), char)
		default:
			for range n {
				dst = append(dst, char)
			}
		}
		x = end
	}
	return dst
}
