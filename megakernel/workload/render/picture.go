package render

import (
	"bufio"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"

	"vyretop/engine"
	"vyretop/megakernel/workload"
)

// draw makes a picture of sums: the mean of the samples of each pixel, encoded as sRGB. A pixel without a
// sample is black.
func draw(sums engine.Words, width, height int) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, width, height))
	var sum [4]uint32
	for i := range width * height {
		sums.CopyTo(sum[:], 4*i)
		n := max(math.Float32frombits(sum[3]), 1)
		out.SetNRGBA(i%width, i/width, color.NRGBA{encode(sum[0], n), encode(sum[1], n), encode(sum[2], n), 255})
	}
	return out
}

// encode is the sRGB value, IEC 61966-2-1, of light that is the nth part of a float's bits.
func encode(bits uint32, n float32) uint8 {
	v := float64(math.Float32frombits(bits) / n)
	switch {
	case !(v > 0):
		return 0
	case v >= 1:
		return 255
	case v <= 0.0031308:
		return uint8(v*12.92*255 + 0.5)
	}
	return uint8((1.055*math.Pow(v, 1/2.4)-0.055)*255 + 0.5)
}

// checkOut finds an impossible --out before the work is done.
func checkOut(name string) error {
	if info, err := os.Stat(filepath.Dir(name)); err != nil || !info.IsDir() {
		return &workload.Error{Kind: workload.ErrInput, Name: name, Detail: "its folder does not exist", Err: err, Fix: "create the folder given with --out"}
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return &workload.Error{Kind: workload.ErrInput, Name: name, Detail: "it is a folder", Fix: "give a file to --out"}
	}
	return nil
}

// writeOut writes the picture beside --out and then puts it in its place, so that nobody sees half of it.
func (r *Render) writeOut() error {
	err := replace(r.opt.Out, func(f *os.File) error {
		b := bufio.NewWriter(f)
		if err := png.Encode(b, draw(*r.image.Load(), r.opt.width, r.opt.height)); err != nil {
			return err
		}
		return b.Flush()
	})
	if err != nil {
		return &workload.Error{Kind: workload.ErrInput, Name: r.opt.Out, Detail: "the picture cannot be written", Err: err, Fix: "check the folder given with --out, its permissions and its space"}
	}
	return nil
}

func replace(name string, write func(*os.File) error) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(name), ".render-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(tmp.Name())
		}
	}()
	err = write(tmp)
	if closed := tmp.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Chmod(tmp.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	return err
}
