package pane

import (
	"image"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/cells"
	"vyretop/tui/keymap"
	"vyretop/tui/layout"
)

// The actions of the image view.
const (
	imageIn  = "image-in"
	imageOut = "image-out"
	imageAt  = "image-word"
)

var imageView = Kind{
	Spec: keymap.Spec{
		View: keymap.Image, Short: "img", Digit: "#", Traits: keymap.Cells | keymap.HasModes | keymap.OwnZoom | keymap.OwnEnter,
		Keys: []keymap.OwnKey{
			{After: keymap.Details, Binding: keymap.Binding{
				ID: imageIn, Keys: []string{"+", "="}, Source: keymap.Any, Section: keymap.TableSection, Short: "zoom in", Help: "enlarge the picture around the cursor",
			}},
			{Binding: keymap.Binding{
				ID: imageOut, Keys: []string{"-"}, Source: keymap.Any, Section: keymap.TableSection, Short: "out", Help: "show more of the picture, in the end all",
			}},
			{Binding: keymap.Binding{
				ID: imageAt, Keys: []string{"enter", "e"}, Source: keymap.Any, Section: keymap.TableSection, Short: "words", Help: "show the words of the pixel under the cursor",
			}},
		},
	},
	New: newImagePane, Want: layout.Want{Detail: true}, Head: 1, Flat: true, Text: true, Command: "words",
}

// imagePane shows buffers that are pictures.
type imagePane struct {
	*Env

	table *Table
	spec  Spec
	list  []Buffer // that are pictures
	shown int      // of list
	x, y  int      // pixel under the cursor
	zoom  int      // how often the picture that fits was enlarged

	sample  *imageSample // what was read last
	problem error        // why that is not the newest
	reading bool
	next    time.Time // no reading before that
}

func newImagePane(e *Env, k *Kind) Pane {
	p := &imagePane{Env: e, table: rowless(e, keymap.Image)}
	for _, b := range Buffers(e.Names) {
		if own := b.Other(); own != nil && own.Picture != nil {
			p.list = append(p.list, b)
		}
	}
	p.center()
	p.spec = Spec{
		Kind: k, Absent: len(p.list) == 0, Detail: p.detail, Vary: func() { p.choose((p.shown + 1) % max(len(p.list), 1)) }, Back: p.whole, Wheel: p.wheel,
		Page:    func(place cells.Rect) int { return place.H - 1 },
		Options: p.options, Idle: func() bool { return len(p.list) == 0 },
		Keys:  map[string]func(){imageIn: func() { p.enlarge(1) }, imageOut: func() { p.enlarge(-1) }, imageAt: func() { p.Enter() }},
		Verbs: []Verb{{Name: "image", Usage: "image BUFFER", Words: p.names(), Run: p.typed}},
		Hooks: Hooks{Picture: p.picture, Work: p.work, Working: func() bool { return p.reading }, Forget: func() { p.sample, p.next = nil, time.Time{} }},
	}
	return p
}

// Spec implements Pane.
func (p *imagePane) Spec() *Spec { return &p.spec }

// Table implements Pane.
func (p *imagePane) Table() *Table { return p.table }

// buffer is the picture that is shown.
func (p *imagePane) buffer() (b Buffer, ok bool) {
	if len(p.list) == 0 {
		return Buffer{}, false
	}
	return p.list[p.shown], true
}

func (p *imagePane) names() (names []string) {
	for _, b := range p.list {
		names = append(names, b.String())
	}
	return names
}

func (p *imagePane) options() []string {
	if b, ok := p.buffer(); ok {
		return []string{"--buffer", b.String()}
	}
	return nil
}

// choose shows another picture.
func (p *imagePane) choose(i int) {
	p.shown, p.zoom, p.sample, p.problem, p.next = i, 0, nil, nil, time.Time{}
	p.center()
}

// center puts the cursor into the middle of the picture.
func (p *imagePane) center() {
	if b, ok := p.buffer(); ok {
		p.x, p.y = b.Other().Picture.Width/2, b.Other().Picture.Height/2
	}
}

// typed shows the picture of a buffer.
func (p *imagePane) typed(args []string) error {
	p.Show(keymap.Image)
	if len(args) == 0 {
		return nil
	}
	i := slices.Index(p.names(), args[0])
	switch {
	case len(args) > 1:
		return usage("say which buffer")
	case i < 0 && len(p.list) == 0:
		return usage("no buffer of this target is a picture")
	case i < 0:
		return usage("the buffers that are pictures are " + strings.Join(p.names(), ", "))
	}
	p.choose(i)
	return nil
}

// grid is where the picture is on the screen now.
func (p *imagePane) grid(b Buffer, place cells.Rect) imageGrid {
	within := image.Pt(place.W, place.H-p.spec.Head)
	return layImage(b.Other().Picture, within, p.unit(within), p.zoom, p.x, p.y)
}

// maxZoom is how often a picture can be enlarged: a pixel of it is at least one of the screen then, whatever its size.
const maxZoom = 20

// enlarge halves or doubles how much of the picture is in sight.
func (p *imagePane) enlarge(by int) {
	b, ok := p.buffer()
	if !ok || by > 0 && p.grid(b, p.Place()).scale <= leastScale {
		return
	}
	p.zoom = min(max(p.zoom+by, 0), maxZoom)
	p.next = time.Time{}
}

// whole shows all of the picture, and reports whether that is more than before.
func (p *imagePane) whole() bool {
	was := p.zoom
	p.zoom, p.next = 0, time.Time{}
	return was > 0
}

func (p *imagePane) wheel(at tea.Mouse) bool {
	switch at.Button {
	case tea.MouseWheelUp:
		p.enlarge(1)
	case tea.MouseWheelDown:
		p.enlarge(-1)
	default:
		return false
	}
	return true
}

// point moves the cursor to a pixel, or to the nearest one inside the picture.
func (p *imagePane) point(x, y int) {
	if b, ok := p.buffer(); ok {
		im := b.Other().Picture
		p.x, p.y, p.next = min(max(x, 0), im.Width-1), min(max(y, 0), im.Height-1), time.Time{}
	}
}

// Move implements Pane: by cells of the screen, at least by pixels of the picture.
func (p *imagePane) Move(columns, rows int) {
	if b, ok := p.buffer(); ok {
		g := p.grid(b, p.Place())
		unit, s := g.unit, g.scale
		p.point(p.x+columns*max(int(float64(unit.X)*s+0.5), 1), p.y+rows*max(int(float64(unit.Y)*s+0.5), 1))
	}
}

// Jump implements Pane.
func (p *imagePane) Jump(last bool) {
	if b, ok := p.buffer(); ok && last {
		p.point(b.Other().Picture.Width-1, b.Other().Picture.Height-1)
		return
	}
	p.point(0, 0)
}

// Enter implements Pane: it shows the words of the pixel under the cursor.
func (p *imagePane) Enter() bool {
	b, ok := p.buffer()
	if memory, is := p.Show(keymap.Memory).(*MemoryPane); ok && is {
		memory.ShowWord(b, b.Other().Picture.At(p.x, p.y))
	}
	return true
}

// Click implements Pane: it points at the pixel under the pointer.
func (p *imagePane) Click(place cells.Rect, at tea.Mouse) (key uint64, ok bool) {
	b, ok := p.buffer()
	if !ok {
		return 0, false
	}
	g := p.grid(b, place)
	x, y, ok := g.at((at.X-place.X)*g.unit.X+(g.unit.X-1)/2, (at.Y-place.Y-p.spec.Head)*g.unit.Y+(g.unit.Y-1)/2)
	if ok {
		p.point(x, y)
	}
	return uint64(y)<<32 | uint64(x), ok
}
