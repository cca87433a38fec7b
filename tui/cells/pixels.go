package cells

import (
	"strconv"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// RGB is a color of the screen.
type RGB uint32

// MakeRGB is a color of 8 bits for each channel.
func MakeRGB(r, g, b uint8) RGB { return RGB(r)<<16 | RGB(g)<<8 | RGB(b) }

// Channels are the channels of a color.
func (c RGB) Channels() (r, g, b uint8) { return uint8(c >> 16), uint8(c >> 8), uint8(c) }

// luma is about how bright a color looks, 0 to 255.
func (c RGB) luma() int {
	r, g, b := c.Channels()
	return (54*int(r) + 183*int(g) + 19*int(b)) >> 8
}

// A cell of two pixels has no rune: minus one less the color of the upper one. Under is that of the lower one.

// Pixels draws two pixels in a cell, one above the other.
func (a Area) Pixels(x, y int, upper, lower RGB) {
	if x < 0 || y < 0 || x >= a.W || y >= a.H {
		return
	}
	r, g, b := lower.Channels()
	a.buf.cells[(a.Y+y)*a.buf.w+a.X+x] = Cell{Rune: -1 - rune(upper), Under: [3]uint8{r, g, b}}
}

// pixels are the colors of a cell of two pixels.
func (c *Cell) pixels() (upper, lower RGB, ok bool) {
	return RGB(-1 - c.Rune), MakeRGB(c.Under[0], c.Under[1], c.Under[2]), c.Rune < 0
}

// Shown is the character that a cell shows where there are no colors.
func (c *Cell) Shown() rune {
	upper, lower, ok := c.pixels()
	if !ok {
		return c.Rune
	}
	return shade(blockShades, upper, lower)
}

const (
	blockShades = " ░▒▓█"
	asciiShades = " .:-=+*#%@"
)

// shade is the character of a ramp that is as bright as two pixels.
func shade(ramp string, upper, lower RGB) rune {
	runes := []rune(ramp)
	return runes[(upper.luma()+lower.luma())*len(runes)/(2*256)]
}

// upperHalf shows the upper pixel in the color of the text and the lower one in that of the ground.
const upperHalf = '▀'

// pixelCell writes a cell of two pixels. The style that is in force afterwards is that of the pixels.
func (e *pen) pixelCell(dst []byte, upper, lower RGB) []byte {
	if e.color {
		if e.style != pixelStyle || e.upper != upper || e.lower != lower {
			e.style, e.upper, e.lower, e.sgr = pixelStyle, upper, lower, pixelSGR
			dst = appendColor(append(dst, "\x1b[0;38"...), upper)
			dst = append(appendColor(append(dst, ";48"...), lower), 'm')
		}
		return utf8.AppendRune(dst, upperHalf)
	}
	if e.style != pixelStyle {
		dst, e.style = e.to(dst, ""), pixelStyle
	}
	return utf8.AppendRune(dst, shade(blockShades, upper, lower))
}

// pixelSGR stands for the sequences of pixels, which no palette has.
const pixelSGR = ansi.ResetStyle + "pixels"

// appendColor appends a color as the parameters of a sequence.
func appendColor(dst []byte, c RGB) []byte {
	r, g, b := c.Channels()
	dst = append(dst, ";2"...)
	for _, v := range [3]uint8{r, g, b} {
		dst = strconv.AppendInt(append(dst, ';'), int64(v), 10)
	}
	return dst
}
