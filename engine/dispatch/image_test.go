package dispatch

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
)

// mirror swaps red and blue of one image and writes it mirrored to another, and what lies outside where the images differ in
// size.
const mirror = `layout(local_size_x = 1) in;
layout(rgba8, binding = 0) uniform readonly image2D from;
layout(rgba8, binding = 3) uniform image2D to;
void main() {
	ivec2 p = ivec2(gl_WorkGroupID.xy);
	imageStore(to, ivec2(imageSize(from).x - 1 - p.x, p.y), imageLoad(from, p).bgra);
}
`

// TestPicturesPassThroughImages: what a kernel reads from a PNG file and writes to another has the same eight bits, with
// rows and opacity as they were.
func TestPicturesPassThroughImages(t *testing.T) {
	b, p, dir := backendtest.Reference(t, reference.Options{}), compiled(t, mirror), t.TempDir()
	picture := image.NewNRGBA(image.Rect(0, 0, 5, 3))
	for i := range picture.Pix {
		picture.Pix[i] = uint8(i*37 + 11)
	}
	in, out := filepath.Join(dir, "in.png"), filepath.Join(dir, "out.png")
	f, err := os.Create(in)
	check(t, err)
	check(t, png.Encode(f, picture))
	check(t, f.Close())
	r := &Request{Images: map[string]string{"0": in, "to": "5x3"}, Saves: map[string]string{"3": out}, Repeat: 2,
		Config: engine.DispatchConfig{Grid: [3]uint32{5, 3, 1}}}
	_, err = Run(t.Context(), b, p, r)
	check(t, err)
	f, err = os.Open(out)
	check(t, err)
	defer f.Close()
	got, err := png.Decode(f)
	check(t, err)
	for y := range 3 {
		for x := range 5 {
			c := picture.NRGBAAt(x, y)
			want := color.NRGBA{R: c.B, G: c.G, B: c.R, A: c.A}
			if have := color.NRGBAModel.Convert(got.At(4-x, y)); have != want {
				t.Errorf("at %d, %d: %v, want %v", x, y, have, want)
			}
		}
	}
}
