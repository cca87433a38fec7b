package workload

import (
	"fmt"
	"slices"

	"vyretop/megakernel"
)

// picture checks what is said of a buffer that is a picture.
func (c *checker) picture(at place, raw *rawPicture) *PictureSpec {
	if raw == nil {
		return nil
	}
	p := &PictureSpec{Format: megakernel.PixelFormat(raw.Format), Mean: raw.Mean, Linear: raw.Linear}
	if !slices.Contains(megakernel.PixelFormats, p.Format) {
		c.fail(at.at("format"), ErrValue, fmt.Sprintf("use one of %v", megakernel.PixelFormats), "unknown format %q", raw.Format)
	}
	if p.Mean && p.Format != megakernel.RGBA32F {
		c.fail(at.at("mean"), ErrValue, `remove it, or write format = "rgba32f"`, "only rgba32f has a fourth float, which counts what was added")
	}
	if p.Linear && p.Format != megakernel.RGBA32F {
		c.fail(at.at("linear"), ErrValue, `remove it, or write format = "rgba32f"`, "only colors of floats are amounts of light")
	}
	var width, height bool
	p.Width, width = c.expr(at.at("width"), raw.Width)
	p.Height, height = c.expr(at.at("height"), raw.Height)
	if !width || !height {
		c.fail(at, ErrMissing, "add width = N and height = N", "its size is missing")
	}
	return p
}

// picture is what buffer i of that many words shows; nil where it is not a picture.
func (m *Manifest) picture(i, words int, flags map[string]uint32) (*megakernel.Picture, error) {
	spec := m.Buffers[i].Picture
	if spec == nil {
		return nil, nil
	}
	p := &megakernel.Picture{Format: spec.Format, Mean: spec.Mean, Linear: spec.Linear}
	for _, v := range []struct {
		key string
		e   Expr
		to  *int
	}{{"picture.width", spec.Width, &p.Width}, {"picture.height", spec.Height, &p.Height}} {
		n, err := v.e.Eval(Env{Flags: flags})
		if err != nil {
			return nil, m.evalError("buffer", i, v.key, err)
		}
		*v.to = int(n)
	}
	if !p.Fits(words) {
		return nil, m.sizeError("buffer", i, "picture", fmt.Sprintf("a picture of %d by %d pixels does not fit the %d words of the buffer", p.Width, p.Height, words),
			fmt.Sprintf("give it a size of at least 1 by 1 and at most %d by %d, and the buffer %d words a pixel", megakernel.MaxPictureEdge, megakernel.MaxPictureEdge, p.Format.Words()))
	}
	return p, nil
}
