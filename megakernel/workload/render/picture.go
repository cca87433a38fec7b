package render

import (
	"image"
	"image/color"
	"image/png"
	"io"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/megakernel/workload"
)

// shown is how the words of the image are a picture: light, the mean of the samples of each pixel. A pixel without a sample is black.
func (p picture) shown() *megakernel.Picture {
	return &megakernel.Picture{Width: p.width, Height: p.height, Format: megakernel.RGBA32F, Mean: true, Linear: true}
}

// draw makes a picture of sums.
func draw(sums engine.Words, p *megakernel.Picture) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, p.Width, p.Height))
	var sum [4]uint32
	for i := range p.Width * p.Height {
		sums.CopyTo(sum[:], 4*i)
		r, g, b := p.Color(sum[:], 0, 1)
		out.SetNRGBA(i%p.Width, i/p.Width, color.NRGBA{r, g, b, 255})
	}
	return out
}

// writeOut writes the picture as it is now.
func (r *Render) writeOut() error {
	return workload.WriteOut(r.opt.Out, func(w io.Writer) error {
		return png.Encode(w, draw(*r.image.Load(), r.opt.shown()))
	})
}
