package dispatch

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/units"
)

// levelOf takes apart what names a further level of a texture: NAME@LEVEL or BINDING@LEVEL.
func levelOf(name string) (of string, number int, ok bool) {
	at := strings.LastIndexByte(name, '@')
	if at < 0 {
		return "", 0, false
	}
	number, err := strconv.Atoi(name[at+1:])
	return name[:at], number, err == nil && number > 0
}

// namesLevel reports whether a name is that of a further level of a texture.
func namesLevel(b *tree.Buffer, name string) bool {
	of, _, ok := levelOf(name)
	return ok && b.Image.Filtered() && names(b, of)
}

// addGiven adds the levels that --image gives of a texture: one after the other, each half as large as the one before.
func (r *Request) addGiven(p *picture) error {
	given := map[int]string{}
	for name, what := range r.Images {
		if _, number, _ := levelOf(name); namesLevel(p.of, name) {
			given[number] = what
		}
	}
	axes, last := p.of.Image.Axes(), p
	for number := 1; len(given) > 0; number++ {
		what, ok := given[number]
		delete(given, number)
		size := levelSize(last.size, axes)
		switch {
		case !ok:
			return p.wrongLevel(fmt.Sprintf("has no level %d, and one behind it", number), fmt.Sprintf("give --image %s@%d=FILE, too", p.of.Name, number))
		case size == last.size:
			return p.wrongLevel(fmt.Sprintf("has %d levels, and no level %d", number, number), "leave it out")
		}
		m, err := pictureOf(p.of, what, sampler{})
		if err != nil {
			return err
		}
		if m.size != size {
			return p.wrongLevel(fmt.Sprintf("is %s in level %d, and %s in the one before", units.Extent(m.size), number, units.Extent(last.size)), fmt.Sprintf("give a picture of %s", units.Extent(size)))
		}
		p.more, last = append(p.more, m), m
	}
	return p.bound()
}

func (p *picture) wrongLevel(what, fix string) error {
	return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the texture %q %s", p.of.Name, what), Fix: fix}
}

// fill writes the texels of one level.
func (p *picture) fill(out *uploader) error {
	if p.path == "" {
		zeros := make([]uint32, chunkWords)
		for left := p.first * p.of.Image.Components; left > 0 && out.err == nil; left -= len(zeros) {
			out.add(zeros[:min(left, len(zeros))]...)
		}
		return out.err
	}
	f, err := p.open()
	if err != nil {
		return err
	}
	defer f.Close()
	switch {
	case p.raw:
		return p.fillRaw(f, out)
	case p.exr != nil:
		return p.fillEXR(f, out)
	}
	return p.fillPNG(f, out)
}

// addLevels writes the further levels of a texture, whose first one is in its buffer: those that are given, and then smaller ones of the
// last of these.
func (p *picture) addLevels(ctx context.Context, buf engine.Buffer, out *uploader) error {
	last, at, n := p, p.head(), p.of.Image.Components
	for _, m := range p.more {
		if err := m.fill(out); err != nil {
			return err
		}
		last, at = m, at+last.first*n
	}
	rest := p.levels - 1 - len(p.more)
	if out.flush(); out.err != nil || rest == 0 {
		return out.err
	}
	l := &level{size: last.size, words: make([]uint32, last.first*n)}
	if err := buf.Download(ctx, at, l.words); err != nil {
		return err
	}
	for range rest {
		l = l.smaller(p.of.Image)
		out.add(l.words...)
	}
	return out.err
}
