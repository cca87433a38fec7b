// Package graphics draws pictures with the pixels of terminals that have them: by kitty's graphics protocol, or as sixels.
//
// A terminal is asked, when a picture is wanted for the first time, and its answers decide; one that does not answer gets none. What is
// written goes beside the frames of the terminal library, which first draws blank cells where the picture will be. Each picture, and
// each new place of one, is followed by a question that every terminal answers. Nothing more is written before the answer: so the frame
// with the blank cells is on the screen before the picture, and a slow terminal gets no more pictures than it draws.
package graphics

import (
	"fmt"
	"image"
	"slices"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"

	"vyretop/tui/cells"
)

// Blank is what cells below a picture hold. No other part of the dashboard uses it, so the terminal library writes over
// these cells, and with that over sixels, when anything else is to be there.
const Blank = '\u00a0'

// Drawing is a picture on the screen.
type Drawing struct {
	Place cells.Rect         // on the screen
	Key   any                // comparable: what is drawn; a drawing with another key replaces it
	Draw  func() *image.RGBA // of any size: it is scaled to the place; called from another goroutine
}

// stage is how much is known of a terminal.
type stage uint8

const (
	unknown stage = iota
	asked
	known
)

// Terminal is what is known of a terminal and what was drawn on it. The zero value was not asked. Only one goroutine uses it.
type Terminal struct {
	Never bool // it is not asked

	stage  stage
	kitty  bool // it has answered for kitty's protocol
	sixels bool
	cell   image.Point // pixels of a cell
	colors int         // of sixels, as the terminal says

	columns, rows int // of the screen

	waiting bool       // for the answer to what was written last
	picture bool       // that is a picture
	late    bool       // which is drawn when something else is to be there already
	ready   cells.Rect // whose blank cells are on the screen
	drawn   any        // key of what is drawn
	id      int        // of kitty's image that is drawn, 0 for none
}

// hasAPC reports whether an application program command can be sent without harm: multiplexers make it the title of a window, and
// the console of Linux shows it.
func hasAPC(environ []string) bool {
	env := uv.Environ(environ)
	return env.Getenv("TMUX") == "" && env.Getenv("STY") == "" && env.Getenv("TERM") != "linux"
}

// Ask is what is written to find out what the terminal has, "" if that was done. The answers are given to Take.
func (t *Terminal) Ask(environ []string) string {
	if t.stage != unknown || t.Never {
		return ""
	}
	t.stage = asked
	ask := askCell + askColors
	if hasAPC(environ) {
		ask = askKitty + ask
	}
	return ask + ansi.RequestPrimaryDeviceAttributes
}

// Questions. The last of a series is one for the primary attributes, which every terminal answers.
const (
	askCell   = "\x1b[16t\x1b[14t"                           // pixels of a cell, and of all
	askColors = "\x1b[?1;1;0S"                               // color registers
	askKitty  = "\x1b_Ga=q,i=31,f=24,s=1,v=1,t=d;AAAA\x1b\\" // one pixel, which is not kept
	queryID   = 31
	firstID   = 0x76790 // of images; others may have theirs
)

// sixelAttribute is among the primary attributes of a terminal with sixels.
const sixelAttribute = 4

// Take takes in an answer of the terminal, and reports whether it is one.
func (t *Terminal) Take(msg any) bool {
	switch msg := msg.(type) {
	case uv.KittyGraphicsEvent:
		t.answered(msg)
	case uv.CellSizeEvent:
		t.cell = image.Pt(msg.Width, msg.Height)
	case uv.PixelSizeEvent:
		t.pixels(image.Pt(msg.Width, msg.Height))
	case uv.UnknownCsiEvent:
		var item, status int
		if n, _ := fmt.Sscanf(string(msg), "\x1b[?%d;%d;%dS", &item, &status, &t.colors); n < 2 || item != 1 {
			return false
		}
	case uv.PrimaryDeviceAttributesEvent:
		t.waiting = false
		if t.stage == asked {
			t.stage, t.sixels = known, slices.Contains(msg, sixelAttribute)
		}
	default:
		return false
	}
	return true
}

// pixels takes in the size of the screen in pixels, where that of a cell is unknown.
func (t *Terminal) pixels(size image.Point) {
	if t.cell == (image.Point{}) && t.columns > 0 && t.rows > 0 {
		t.cell = image.Pt(size.X/t.columns, size.Y/t.rows)
	}
}

// answered takes in what the terminal says of an image. One that it has no room for ends all pictures.
func (t *Terminal) answered(msg uv.KittyGraphicsEvent) {
	good := string(msg.Payload) == "OK"
	if msg.Options.ID == queryID {
		t.kitty = good
	} else if !good {
		t.kitty, t.sixels, t.id, t.drawn = false, false, 0, nil
	}
}

// Waiting reports whether the terminal has not answered. Another program would take the answer for keys.
func (t *Terminal) Waiting() bool { return t.stage == asked || t.waiting }

// Bounds of cells in pixels that are believed.
const (
	leastCell = 2
	mostCell  = 128
)

// Cell is the size of a cell in pixels, and whether the terminal draws pictures with them.
func (t *Terminal) Cell() (size image.Point, ok bool) {
	sane := min(t.cell.X, t.cell.Y) >= leastCell && max(t.cell.X, t.cell.Y) <= mostCell
	return t.cell, sane && t.stage == known && (t.kitty || t.sixels)
}

// Resize says that the screen has another size, or was drawn afresh: what was drawn there is gone or at another place. It returns what is
// written to learn whether cells have another size too. The pixels of the screen are those that the operating system knows, 0 for unknown:
// xterm does not tell unless it is allowed to.
func (t *Terminal) Resize(columns, rows int, pixels image.Point) string {
	t.columns, t.rows, t.cell = columns, rows, image.Point{}
	t.pixels(pixels)
	t.Forget()
	if t.stage == unknown {
		return ""
	}
	return askCell
}

// Forget says that the screen was drawn afresh, so that nothing is where it was drawn.
func (t *Terminal) Forget() { t.ready, t.drawn = cells.Rect{}, nil }

// Next is what is written now to have a drawing on the screen, or none for nil; nil if that is nothing, or the terminal has not answered.
// The function may take long, and be called in another goroutine.
func (t *Terminal) Next(d *Drawing) func() string {
	_, ok := t.Cell()
	switch {
	case t.waiting: // what was written last may not be on its way yet, and must not come behind what removes it
		t.late = t.late || t.picture && (d == nil || d.Place != t.ready)
		return nil
	case d == nil || !ok:
		return t.remove()
	case t.drawn == d.Key && t.ready == d.Place:
		return nil
	}
	t.waiting = true
	if t.ready != d.Place { // its cells are not blank yet
		t.ready, t.drawn, t.picture = d.Place, nil, false
		return func() string { return ansi.RequestPrimaryDeviceAttributes }
	}
	t.drawn, t.picture = d.Key, true
	encode := t.encoder(*d)
	return func() string { return encode() + ansi.RequestPrimaryDeviceAttributes }
}

// Redraw reports, once, whether sixels came so late that they are over what the terminal library drew: all is to be drawn afresh.
func (t *Terminal) Redraw() bool {
	if t.waiting || !t.late {
		return false
	}
	t.late = false
	t.Forget()
	return !t.kitty
}

// encoder writes a drawing at its place, and leaves the cursor where it is.
func (t *Terminal) encoder(d Drawing) func() string {
	place := ansi.SaveCursor + ansi.CursorPosition(d.Place.X+1, d.Place.Y+1)
	if !t.kitty {
		size, colors := image.Pt(d.Place.W*t.cell.X, d.Place.H*t.cell.Y), t.colors
		return func() string { return place + sixels(d.Draw(), size, colors) + ansi.RestoreCursor }
	}
	before, id := t.id, firstID
	if before == firstID {
		id++
	}
	t.id = id
	return func() string { return place + kittyImage(d, id) + remove(before) + ansi.RestoreCursor }
}

// remove takes what is drawn off the screen. The terminal library writes over sixels.
func (t *Terminal) remove() func() string {
	t.Forget()
	gone := t.Leave()
	if gone == "" {
		return nil
	}
	return func() string { return gone }
}

// Leave is what is written before the terminal is given to another program.
func (t *Terminal) Leave() string {
	gone := remove(t.id)
	t.id = 0
	return gone
}

// remove takes an image of kitty's protocol off the screen, and out of the terminal's memory.
func remove(id int) string {
	if id == 0 {
		return ""
	}
	o := kitty.Options{Action: kitty.Delete, Delete: kitty.DeleteID, DeleteResources: true, ID: id, Quiet: 2}
	return ansi.KittyGraphics(nil, o.Options()...)
}
