package pane

import (
	"image"
	"slices"

	"vyretop/tui/cells"
	"vyretop/tui/graphics"
)

// halves are the pixels of a cell that is a half block.
var halves = image.Pt(1, 2)

// mostPixels bounds the pixels of a picture that are read and sent to a terminal. A larger place gets larger pixels.
const mostPixels = 1 << 19

// unit is the pixels of a cell: those of the terminal or, where these are too many, an even part of them, or those of half blocks.
func (p *imagePane) unit(within image.Point) image.Point {
	if p.Cell == nil {
		return halves
	}
	cell, ok := p.Cell()
	if !ok {
		return halves
	}
	unit := cell
	for by := 2; unit.X*unit.Y*within.X*within.Y > mostPixels && max(unit.X, unit.Y) > 1; by++ {
		unit = image.Pt(max(cell.X/by, 1), max(cell.Y/by, 1))
	}
	return unit
}

// cells are those of the grid that the picture covers.
func (g *imageGrid) cells() cells.Rect {
	return cells.Rect{
		X: g.left / g.unit.X, Y: g.top / g.unit.Y,
		W: (g.columns + g.unit.X - 1) / g.unit.X, H: (g.rows + g.unit.Y - 1) / g.unit.Y,
	}
}

// imageKey is what a drawing depends on.
type imageKey struct {
	words  *[]uint32
	grid   imageGrid
	cursor image.Point
}

// picture is what the terminal draws with its own pixels, nil where half blocks are drawn.
func (p *imagePane) picture() *graphics.Drawing {
	b, ok := p.buffer()
	if !ok || p.sample == nil {
		return nil
	}
	at := p.Place()
	g := p.grid(b, at)
	if g.unit == halves {
		return nil
	}
	place := g.cells()
	place.X, place.Y = place.X+at.X, place.Y+at.Y+p.spec.Head
	sample, cursor := p.sample, image.Pt(p.x, p.y)
	return &graphics.Drawing{Place: place, Key: imageKey{sample.shown, g, cursor}, Draw: func() *image.RGBA { return sample.draw(g, cursor) }}
}

// draw makes the pixels of a grid, and a cross around one of the picture.
func (s *imageSample) draw(g imageGrid, cursor image.Point) *image.RGBA {
	im, covered := s.buffer.Other().Picture, g.cells()
	m := image.NewRGBA(image.Rect(0, 0, covered.W*g.unit.X, covered.H*g.unit.Y))
	set := func(x, y int, c cells.RGB) {
		pixel := m.Pix[m.PixOffset(x, y):]
		pixel[0], pixel[1], pixel[2] = c.Channels()
	}
	for row := range g.rows {
		for column := range g.columns {
			c, _ := s.color(im, &g, column, row)
			set(column, row, c)
		}
	}
	x, y := g.cell(cursor.X, cursor.Y)
	near := max(int(1/g.scale), 1) // beside the pixel, which may take several of the screen
	for i := near; i < near+g.unit.X; i++ {
		for _, at := range [...]image.Point{{x - i, y}, {x + i, y}, {x, y - i}, {x, y + i}} {
			if at.In(image.Rect(0, 0, g.columns, g.rows)) {
				c, _ := s.color(im, &g, at.X, at.Y)
				set(at.X, at.Y, opposite(c))
			}
		}
	}
	return m
}

// same reports whether two samples show the same, so that the second one need not be drawn.
func (s *imageSample) same(other *imageSample) bool {
	return other != nil && s.buffer == other.buffer && s.grid == other.grid && s.low == other.low && s.high == other.high && slices.Equal(s.words, other.words)
}
