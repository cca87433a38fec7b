package graphics

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"image"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"
	"pgregory.net/rapid"

	"vyretop/tui/cells"
)

// attributes is the answer that ends each series of questions.
func attributes(list ...int) uv.PrimaryDeviceAttributesEvent {
	return append(uv.PrimaryDeviceAttributesEvent{62}, list...)
}

// ready is a terminal that has answered.
func ready(t *testing.T, answers ...any) *Terminal {
	t.Helper()
	x := new(Terminal)
	x.Resize(80, 24, image.Point{})
	if x.Ask(nil) == "" || x.Ask(nil) != "" {
		t.Fatal("it is not asked, or twice")
	}
	for _, a := range answers {
		if !x.Take(a) {
			t.Errorf("%#v is not taken for an answer", a)
		}
	}
	return x
}

func good(id int) uv.KittyGraphicsEvent {
	return uv.KittyGraphicsEvent{Options: kitty.Options{ID: id}, Payload: []byte("OK")}
}

// A terminal draws pictures only if its answers say so, and how large its cells are.
func TestAnswersDecide(t *testing.T) {
	cell := uv.CellSizeEvent{Width: 7, Height: 15}
	for name, c := range map[string]struct {
		answers []any
		want    bool
	}{
		"kitty":                {[]any{good(queryID), cell, attributes()}, true},
		"sixels":               {[]any{cell, attributes(sixelAttribute)}, true},
		"pixels of the screen": {[]any{uv.PixelSizeEvent{Width: 800, Height: 456}, attributes(sixelAttribute)}, true},
		"no size":              {[]any{good(queryID), attributes(sixelAttribute)}, false},
		"mad size":             {[]any{uv.CellSizeEvent{Width: 1 << 30, Height: 1}, attributes(sixelAttribute)}, false},
		"neither":              {[]any{cell, attributes(1, 2, 22)}, false},
		"refused":              {[]any{uv.KittyGraphicsEvent{Options: kitty.Options{ID: queryID}, Payload: []byte("ENOTSUPPORTED:no")}, cell, attributes()}, false},
		"no answer":            {[]any{good(queryID), cell}, false},
	} {
		if _, ok := ready(t, c.answers...).Cell(); ok != c.want {
			t.Errorf("%s: %v, want %v", name, ok, c.want)
		}
	}
}

// Multiplexers and the console of Linux show what they do not understand.
func TestKittyIsNotAskedThroughMultiplexers(t *testing.T) {
	for env, want := range map[string]bool{"TMUX=/tmp/x": false, "STY=1": false, "TERM=linux": false, "TERM=xterm-256color": true} {
		if got := strings.Contains(new(Terminal).Ask([]string{env}), "_G"); got != want {
			t.Errorf("%s: %v", env, got)
		}
	}
}

func drawing(place cells.Rect, key any) *Drawing {
	return &Drawing{Place: place, Key: key, Draw: func() *image.RGBA { return image.NewRGBA(image.Rect(0, 0, 4, 6)) }}
}

// write has the terminal show what it is given, and answer.
func write(t *testing.T, x *Terminal, d *Drawing) string {
	t.Helper()
	next := x.Next(d)
	if next == nil {
		return ""
	}
	text := next()
	if strings.HasSuffix(text, ansi.RequestPrimaryDeviceAttributes) {
		if x.Next(d) != nil {
			t.Error("more is written before the answer")
		}
		x.Take(attributes(sixelAttribute))
	}
	return text
}

// A picture comes once its cells are blank, is not written twice, and goes with the one that follows it.
func TestKittyPicturesFollowEachOther(t *testing.T) {
	x := ready(t, good(queryID), uv.CellSizeEvent{Width: 7, Height: 15}, attributes())
	place := cells.Rect{X: 2, Y: 3, W: 10, H: 5}
	if got := write(t, x, drawing(place, 1)); got != ansi.RequestPrimaryDeviceAttributes {
		t.Errorf("%q before the cells are blank", got)
	}
	first := write(t, x, drawing(place, 1))
	if !strings.Contains(first, "\x1b[4;3H") || !strings.Contains(first, "c=10,r=5") || strings.Contains(first, "a=d") {
		t.Errorf("first picture %q", first)
	}
	if got := write(t, x, drawing(place, 1)); got != "" {
		t.Errorf("the same again: %q", got)
	}
	if second := write(t, x, drawing(place, 2)); !strings.Contains(second, "a=T") || !strings.Contains(second, "d=I,a=d") {
		t.Errorf("second picture %q", second)
	}
	if got := write(t, x, nil); !strings.Contains(got, "d=I,a=d") {
		t.Errorf("taken away by %q", got)
	}
	if got := write(t, x, nil) + x.Leave(); got != "" {
		t.Errorf("taken away again by %q", got)
	}
	write(t, x, drawing(place, 3))
	write(t, x, drawing(place, 3))
	x.Take(uv.KittyGraphicsEvent{Options: kitty.Options{ID: x.id}, Payload: []byte("ENOSPC:no room")})
	if _, ok := x.Cell(); ok {
		t.Error("a terminal without room gets more pictures")
	}
}

// Sixels that are drawn after something else was to be there are drawn over.
func TestLateSixelsAreDrawnOver(t *testing.T) {
	x := ready(t, uv.CellSizeEvent{Width: 7, Height: 15}, attributes(sixelAttribute))
	place := cells.Rect{X: 2, Y: 3, W: 10, H: 5}
	write(t, x, drawing(place, 1))
	if x.Next(drawing(place, 1)) == nil || x.Next(nil) != nil || x.Redraw() {
		t.Error("a picture that is on its way is overtaken")
	}
	if !x.Waiting() {
		t.Error("no answer is waited for")
	}
	x.Take(attributes(sixelAttribute))
	if !x.Redraw() || x.Redraw() || x.Waiting() {
		t.Error("the screen is not drawn afresh once")
	}
}

// payload joins the parts of a transmission.
var payload = regexp.MustCompile(`\x1b_G([^;]*);([^\x1b]*)\x1b\\`)

// TestKittyImageIsWhole: the parts of an image, of any size, are its pixels.
func TestKittyImageIsWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := noise(t)
		var data []byte
		for _, part := range payload.FindAllStringSubmatch(kittyImage(Drawing{Draw: func() *image.RGBA { return m }}, 7), -1) {
			if len(part[2]) > kitty.MaxChunkSize {
				t.Fatal("a part is too long")
			}
			data = append(data, part[2]...)
		}
		packed, err := base64.StdEncoding.DecodeString(string(data))
		if err != nil {
			t.Fatal(err)
		}
		z, err := zlib.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		for i := range len(m.Pix) / 4 {
			if !bytes.Equal(got[3*i:3*i+3], m.Pix[4*i:4*i+3]) {
				t.Fatalf("pixel %d: %v, want %v", i, got[3*i:3*i+3], m.Pix[4*i:4*i+3])
			}
		}
	})
}

func noise(t *rapid.T) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, rapid.IntRange(1, 90).Draw(t, "width"), rapid.IntRange(1, 40).Draw(t, "height")))
	seed := rapid.Uint32().Draw(t, "seed") | 1
	for i := range m.Pix {
		seed = seed*1664525 + 1013904223
		m.Pix[i] = uint8(seed >> 24)
	}
	return m
}

// TestSixelsAreTheImage: each pixel is drawn once, in a color that is at most a step of the palette away.
func TestSixelsAreTheImage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := noise(t)
		size := image.Pt(m.Rect.Dx()*rapid.IntRange(1, 3).Draw(t, "x"), m.Rect.Dy()*rapid.IntRange(1, 3).Draw(t, "y"))
		colors := rapid.SampledFrom([]int{0, 8, 16, 64, 256, 1024}).Draw(t, "colors")
		got := decodeSixels(t, sixels(m, size, colors), size)
		steps := paletteFor(colors)
		for y := range size.Y {
			for x := range size.X {
				want := m.RGBAAt(x*m.Rect.Dx()/size.X, y*m.Rect.Dy()/size.Y)
				for i, v := range [3]uint8{want.R, want.G, want.B} {
					if off := got[y*size.X+x][i] - int(v)*100/255; max(off, -off) > 100/(steps[i]-1)+1 {
						t.Fatalf("%d, %d: %v, want about %v", x, y, got[y*size.X+x], want)
					}
				}
			}
		}
	})
}

// decodeSixels draws sixels as a terminal does. It fails where a pixel is drawn twice, or never.
func decodeSixels(t *rapid.T, text string, size image.Point) [][3]int {
	body, begins := strings.CutPrefix(text, "\x1bP0;1q\"1;1;"+strconv.Itoa(size.X)+";"+strconv.Itoa(size.Y))
	body, ends := strings.CutSuffix(body, "\x1b\\")
	if !begins || !ends {
		t.Fatalf("sixels %.40q", text)
	}
	palette, pixels, drawn := map[int][3]int{}, make([][3]int, size.X*size.Y), make([]bool, size.X*size.Y)
	var color [3]int
	x, y, repeat := 0, 0, 1
	for _, w := range regexp.MustCompile(`#\d+(;2;\d+;\d+;\d+)?|!\d+|.`).FindAllString(body, -1) {
		switch c := w[0]; {
		case c == '#':
			var n [5]int
			for i, f := range strings.Split(w[1:], ";") {
				n[i], _ = strconv.Atoi(f)
			}
			if strings.Contains(w, ";") {
				palette[n[0]] = [3]int(n[2:])
			}
			color = palette[n[0]]
		case c == '!':
			repeat, _ = strconv.Atoi(w[1:])
		case c == '$':
			x = 0
		case c == '-':
			x, y = 0, y+band
		default:
			for ; repeat > 0; repeat, x = repeat-1, x+1 {
				for bit := range band {
					if (c-'?')>>bit&1 != 0 {
						at := (y+bit)*size.X + x
						if drawn[at] {
							t.Fatalf("%d, %d is drawn twice", x, y+bit)
						}
						drawn[at], pixels[at] = true, color
					}
				}
			}
			repeat = 1
		}
	}
	for at, ok := range drawn {
		if !ok {
			t.Fatalf("pixel %d is not drawn", at)
		}
	}
	return pixels
}
