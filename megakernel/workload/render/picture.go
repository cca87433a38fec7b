package render

import (
	"image"
	"image/color"
	"image/png"
	"io"
	"math"

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

// writeOut writes the picture as it is now.
func (r *Render) writeOut() error {
	return workload.WriteOut(r.opt.Out, func(w io.Writer) error {
		return png.Encode(w, draw(*r.image.Load(), r.opt.width, r.opt.height))
	})
}
