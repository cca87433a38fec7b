package graphics

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"image"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"
)

// kittyImage transmits an image and draws it at the cursor, scaled to its place. The library's encoder calls two interfaces and makes
// garbage for each pixel, twenty times a second.
func kittyImage(d Drawing, id int) string {
	m := d.Draw()
	payload := base64.StdEncoding.AppendEncode(nil, deflated(m))
	o := kitty.Options{
		Action: kitty.TransmitAndPut, Transmission: kitty.Direct, Format: kitty.RGB, Compression: kitty.Zlib, Quiet: 1,
		ImageWidth: m.Rect.Dx(), ImageHeight: m.Rect.Dy(), ID: id, PlacementID: 1, Columns: d.Place.W, Rows: d.Place.H, DoNotMoveCursor: true,
	}
	var b bytes.Buffer
	for keys := o.Options(); ; keys = []string{"q=1"} {
		part := payload[:min(len(payload), kitty.MaxChunkSize)]
		payload = payload[len(part):]
		more := "m=1"
		if len(payload) == 0 {
			more = "m=0"
		}
		b.WriteString(ansi.KittyGraphics(part, append(keys, more)...))
		if len(payload) == 0 {
			return b.String()
		}
	}
}

// deflated is the red, green and blue of each pixel.
func deflated(m *image.RGBA) []byte {
	var b bytes.Buffer
	w, _ := zlib.NewWriterLevel(&b, zlib.BestSpeed) // it knows the level
	line := make([]byte, 0, 3*m.Rect.Dx())
	for y := range m.Rect.Dy() {
		pixels := m.Pix[y*m.Stride:]
		line = line[:0]
		for x := range m.Rect.Dx() {
			line = append(line, pixels[4*x:4*x+3]...)
		}
		_, _ = w.Write(line) // a buffer takes all
	}
	_ = w.Close()
	return b.Bytes()
}
