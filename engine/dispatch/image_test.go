package dispatch

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/glsl/tree"
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

// TestSizesThatTheTypeLacksAreRefused: a size with an axis too many or without texels is named as such, not taken for a file.
func TestSizesThatTheTypeLacksAreRefused(t *testing.T) {
	for _, c := range []struct {
		form  string
		axes  int
		size  string
		valid bool
	}{{"image2D", 2, "4x2x3", false}, {"image2D", 2, "0x2", false}, {"image2D", 2, "4x2x1", true},
		{"image1D", 1, "4x2", false}, {"image1D", 1, "4", true}, {"image3D", 3, "4x2x3", true}, {"imageCube", 2, "4x4x6", true}, {"image2DMS", 2, "4x2x3", true}, {"image2D", 2, "a:4x2x3", false}} {
		b := &tree.Buffer{Name: "i", Image: &tree.Image{Type: c.form, SizeWidth: c.axes, Components: 4}}
		_, err := pictureOf(b, c.size, sampler{})
		if c.valid != (err == nil) || err != nil && !strings.Contains(err.Error(), "invalid size") {
			t.Errorf("%s of %s: %v", c.form, c.size, err)
		}
	}
}

// TestImagesBeyondTheDeviceNameTheirTexels: an image that a device has no buffer for is told with its size, and the Fix with how many texels
// fit, which then do.
func TestImagesBeyondTheDeviceNameTheirTexels(t *testing.T) {
	p := compiled(t, mirror)
	r := &Request{Images: map[string]string{"from": "64x32", "to": "1x1"}}
	_, err := r.plan(p, engine.Known[uint64](4096))
	want := `the image "from" of 64 x 32 x 1 texels takes a buffer of 32816 bytes, a buffer of this device has at most 4096. Fix: use at most 253 texels, those of all levels and samples together, or --backend reference`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	r.Images["from"] = "253x1"
	if _, err := r.plan(p, engine.Known[uint64](4096)); err != nil {
		t.Error(err)
	}
	r.Images["from"] = "254x1"
	if _, err := r.plan(p, engine.Known[uint64](4096)); err == nil {
		t.Error("254 texels fit as well")
	}
	r.Images["from"] = "4294967296x4294967296"
	_, err = r.plan(p, engine.Optional[uint64]{})
	if want := `the image "from" of 4294967296 x 4294967296 texels is too large. Fix: use at most 67108864 texels`; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// TestImagesAreFilledOnce: a file or a size for the buffer of an image, beside --image, is refused and not ignored.
func TestImagesAreFilledOnce(t *testing.T) {
	p := compiled(t, mirror)
	for flag, r := range map[string]*Request{"--in": {Inputs: map[uint32]string{0: "image_test.go"}}, "--size": {Sizes: map[uint32]uint64{0: 64}}} {
		r.Images = map[string]string{"from": "4x4", "to": "4x4"}
		_, err := r.plan(p, engine.Optional[uint64]{})
		if want := `--image and ` + flag + ` both fill the image "from" at binding 0. Fix: leave out ` + flag; err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// TestOtherPicturesAreNotWrittenAsRaw: a file that its name calls a picture of a kind that is not written is refused before the dispatch.
func TestOtherPicturesAreNotWrittenAsRaw(t *testing.T) {
	p := compiled(t, mirror)
	for name, valid := range map[string]bool{"a.jpg": false, "a.JPEG": false, "a.tif": false, "a.raw": true, "jpg": true, "a.bin": true, "a.PNG": true} {
		r := &Request{Images: map[string]string{"from": "4x4", "to": "4x4"}, Saves: map[string]string{"to": name}}
		if _, err := r.plan(p, engine.Optional[uint64]{}); valid != (err == nil) || err != nil && !strings.Contains(err.Error(), "images are not written as .") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
