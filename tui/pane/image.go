package pane

import (
	"fmt"
	"image"
	"math"
	"strconv"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/tui/cells"
	"vyretop/tui/graphics"
	"vyretop/tui/theme"
)

// leastScale is how small a part of a picture's pixel a pixel of the screen is at least.
const leastScale = 1.0 / 16

// imageGrid says which pixels of a picture those of the screen show: each shows the one in its middle.
type imageGrid struct {
	left, top     int         // pixels of the screen beside the picture
	columns, rows int         // of the screen
	x, y          float64     // of the picture, at the left and the upper edge
	unit          image.Point // pixels of the screen in a cell
	scale         float64     // pixels of the picture in one of the screen, along each edge
}

// layImage fits a picture into a number of cells, enlarged around one of its own pixels.
func layImage(im *megakernel.Picture, cells, unit image.Point, zoom, x, y int) imageGrid {
	columns, rows := max(cells.X*unit.X, 1), max(cells.Y*unit.Y, 1)
	w, h := float64(im.Width), float64(im.Height)
	fit := max(w/float64(columns), h/float64(rows))
	g := imageGrid{unit: unit, scale: max(math.Ldexp(fit, -zoom), min(fit, leastScale))}
	along := func(size float64, n, at int) (from float64, used, before int) {
		seen := float64(n) * g.scale
		if seen >= size {
			used = max(min(int(size/g.scale+0.5), n), 1)
			return 0, used, (n - used) / 2
		}
		return min(max(float64(at)+0.5-seen/2, 0), size-seen), n, 0
	}
	g.x, g.columns, g.left = along(w, columns, x)
	g.y, g.rows, g.top = along(h, rows, y)
	g.left, g.top = g.left-g.left%unit.X, g.top-g.top%unit.Y // whole cells
	return g
}

// pixel is the one of the picture that a column and a row of the grid show.
func (g *imageGrid) pixel(im *megakernel.Picture, column, row int) (x, y int) {
	return min(int(g.x+(float64(column)+0.5)*g.scale), im.Width-1), min(int(g.y+(float64(row)+0.5)*g.scale), im.Height-1)
}

// cell is the column and the row that show a pixel of the picture; they may be outside of the grid.
func (g *imageGrid) cell(x, y int) (column, row int) {
	return int(math.Floor((float64(x) + 0.5 - g.x) / g.scale)), int(math.Floor((float64(y) + 0.5 - g.y) / g.scale))
}

// at is the pixel of the picture at a place of the screen.
func (g imageGrid) at(column, row int) (x, y int, ok bool) {
	column, row = column-g.left, row-g.top
	if column < 0 || row < 0 || column >= g.columns || row >= g.rows {
		return 0, 0, false
	}
	return int(g.x + (float64(column)+0.5)*g.scale), int(g.y + (float64(row)+0.5)*g.scale), true
}

// noPictures says how there are pictures.
const noPictures = `No buffer of this target is a picture. In workload.toml, picture = { width = 640, height = 480, format = "rgba8" } in a [[buffer]] makes it one.`

// Draw implements Pane.
func (p *imagePane) Draw(a cells.Area) {
	b, ok := p.buffer()
	if !ok {
		p.Look.empty(p.Look.title(a, "Image", ""), noPictures)
		return
	}
	im := b.Other().Picture
	rest := p.Look.title(a, "Image: "+b.String(), fmt.Sprintf("%d x %d %s", im.Width, im.Height, im.Format)+p.note())
	if p.sample == nil {
		p.Look.empty(rest, p.missing())
		return
	}
	g := p.grid(b, a.Rect)
	if g.unit != halves {
		place := g.cells()
		rest.Sub(place).Fill(graphics.Blank, theme.Plain)
		return
	}
	p.drawPixels(rest, im, g)
}

// note says beside the name how large the picture is, and why it is not the newest.
func (p *imagePane) note() (text string) {
	if p.zoom > 0 {
		text = fmt.Sprintf(", enlarged %d times", 1<<p.zoom)
	}
	if len(p.list) > 1 {
		text += fmt.Sprintf(", %d of %d", p.shown+1, len(p.list))
	}
	if p.sample != nil && p.problem != nil {
		text += ", as it was: " + p.problem.Error()
	}
	return text
}

// missing says why there are no pixels.
func (p *imagePane) missing() string {
	switch {
	case p.Position.Past():
		return notKept
	case p.problem != nil:
		return p.problem.Error()
	default:
		return "The picture has not been read yet."
	}
}

// drawPixels draws what was read, which may be of another grid: the next reading has the missing pixels.
func (p *imagePane) drawPixels(a cells.Area, im *megakernel.Picture, g imageGrid) {
	const ground = cells.RGB(0)
	color := func(column, row int) cells.RGB {
		if row >= g.rows {
			return ground
		}
		c, _ := p.sample.color(im, &g, column, row)
		return c
	}
	cursorX, cursorY := g.cell(p.x, p.y)
	for row := 0; row < g.rows; row += 2 {
		for column := range g.columns {
			pair := [2]cells.RGB{color(column, row), color(column, row+1)}
			if column == cursorX && cursorY&^1 == row {
				pair[cursorY&1] = opposite(pair[cursorY&1])
			}
			a.Pixels(g.left+column, (g.top+row)/2, pair[0], pair[1])
		}
	}
}

// opposite is black or white, whichever can be seen better on a color.
func opposite(c cells.RGB) cells.RGB {
	if r, g, b := c.Channels(); 2*int(r)+5*int(g)+int(b) < 8*128 {
		return cells.MakeRGB(255, 255, 255)
	}
	return 0
}

// detail draws what is known of the pixel under the cursor.
func (p *imagePane) detail(a cells.Area) int {
	b, ok := p.buffer()
	if !ok {
		return 1 + p.Look.empty(p.Look.title(a, "Pixel", ""), "No picture.")
	}
	im := b.Other().Picture
	rest := p.Look.title(a, "Pixel", fmt.Sprintf("%d, %d", p.x, p.y))
	at := im.At(p.x, p.y)
	y := 0
	line := func(name string, value []byte) {
		p.Look.field(rest.Line(y), name, value, theme.Plain)
		y++
	}
	words := p.sample.under(b, p.x, p.y)
	for i, w := range words {
		text := append(units.AppendHex(nil, w), "  "...)
		if im.Format == megakernel.RGBA32F || im.Format == megakernel.R32F {
			text = append(text, FormatWord(w, FloatFormat)...)
		} else {
			text = strconv.AppendUint(text, uint64(w), 10)
		}
		line(fmt.Sprintf("%s[%d]", b, at+i), text)
	}
	if words != nil {
		r, g, bl := im.Color(words, p.sample.low, p.sample.high)
		line("color", fmt.Appendf(nil, "#%02x%02x%02x", r, g, bl))
		rest.Pixels(24, y-1, cells.MakeRGB(r, g, bl), cells.MakeRGB(r, g, bl))
		rest.Pixels(25, y-1, cells.MakeRGB(r, g, bl), cells.MakeRGB(r, g, bl))
	} else {
		line("value", []byte("not read"))
	}
	if im.Format.Scalar() && p.sample != nil {
		line("black, white", fmt.Appendf(nil, "%g, %g", p.sample.low, p.sample.high))
	}
	return y + 1
}
