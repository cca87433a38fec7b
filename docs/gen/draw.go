package main

// A frame of the dashboard goes through a terminal emulator, and each of its cells is drawn as a terminal would: in a
// monospaced font, lines and blocks edge to edge, in the sixteen colors of a dark terminal.

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"

	"github.com/go-fonts/dejavu/dejavusansmono"
	"github.com/go-fonts/dejavu/dejavusansmonobold"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// The size of a cell and of the font in it, in pixels, and the margin around the screen.
const (
	cellWidth  = 9
	cellHeight = 19
	fontSize   = 15
	baseline   = 15
	margin     = 12
)

// Painter draws frames. It is not safe for concurrent use.
type Painter struct{ regular, bold font.Face }

// NewPainter loads the fonts, which are part of the program.
func NewPainter() (*Painter, error) {
	regular, err := load(dejavusansmono.TTF)
	if err != nil {
		return nil, err
	}
	bold, err := load(dejavusansmonobold.TTF)
	if err != nil {
		return nil, err
	}
	return &Painter{regular: regular, bold: bold}, nil
}

func load(ttf []byte) (font.Face, error) {
	f, err := opentype.Parse(ttf)
	if err != nil {
		return nil, fmt.Errorf("font of the screenshots: %w. Fix: build with the modules that go.sum names", err)
	}
	return opentype.NewFace(f, &opentype.FaceOptions{Size: fontSize, DPI: 72, Hinting: font.HintingFull})
}

// WritePNG draws a frame of w columns and h rows.
func (p *Painter) WritePNG(out io.Writer, frame string, w, h int) error {
	img := image.NewRGBA(image.Rect(0, 0, w*cellWidth+2*margin, h*cellHeight+2*margin))
	draw.Draw(img, img.Bounds(), image.NewUniform(background), image.Point{}, draw.Src)
	for i, c := range emulate(frame, w, h) {
		at := image.Pt(margin+i%w*cellWidth, margin+i/w*cellHeight)
		p.drawCell(img, image.Rectangle{Min: at, Max: at.Add(image.Pt(cellWidth, cellHeight))}, c)
	}
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	return encoder.Encode(out, quantize(img))
}

func (p *Painter) drawCell(img *image.RGBA, box image.Rectangle, c cell) {
	fill(img, box, c.bg)
	if !drawShape(img, box, c) {
		face := p.regular
		if c.bold {
			face = p.bold
		}
		d := font.Drawer{Dst: img, Src: image.NewUniform(c.fg), Face: face, Dot: fixed.P(box.Min.X, box.Min.Y+baseline)}
		d.DrawString(string(c.r))
	}
	if c.underline {
		fill(img, image.Rect(box.Min.X, box.Max.Y-2, box.Max.X, box.Max.Y-1), c.fg)
	}
}

func fill(img *image.RGBA, r image.Rectangle, c color.RGBA) {
	draw.Draw(img, r, image.NewUniform(c), image.Point{}, draw.Src)
}

// quantize keeps the picture small: it makes do with 256 colors, at the cost of the lowest bits of
// the soft edges of glyphs.
func quantize(img *image.RGBA) image.Image {
	for _, mask := range []uint8{0xff, 0xfc, 0xf8, 0xf0} {
		if out := paletted(img, mask); out != nil {
			return out
		}
	}
	return img
}

// paletted is the picture with the bits of mask of each channel, or nil when that is more than 256
// colors. The terminal's own colors stay exact.
func paletted(img *image.RGBA, mask uint8) image.Image {
	index := map[color.RGBA]uint8{}
	exact := map[color.RGBA]bool{background: true, foreground: true}
	for _, c := range palette {
		exact[c] = true
	}
	out := image.NewPaletted(img.Bounds(), nil)
	for i := range out.Pix {
		c := color.RGBA{img.Pix[4*i], img.Pix[4*i+1], img.Pix[4*i+2], 0xff}
		if !exact[c] {
			c = color.RGBA{c.R & mask, c.G & mask, c.B & mask, 0xff}
		}
		n, ok := index[c]
		if !ok {
			if len(index) == 256 {
				return nil
			}
			n = uint8(len(index))
			index[c] = n
			out.Palette = append(out.Palette, c)
		}
		out.Pix[i] = n
	}
	return out
}
