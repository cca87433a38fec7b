package render

import (
	"encoding/binary"
	"fmt"

	"vyretop/megakernel/workload"
)

var _ workload.Queued = (*Render)(nil)

// Feed implements workload.Queued.
func (r *Render) Feed(f *workload.Feed) { r.shared.units.Feed(f) }

// Inputs implements workload.Queued: the scene and the picture.
func (r *Render) Inputs() workload.Inputs {
	words := append(r.world.shapeWords(), r.world.materialWords()...)
	words = append(append(words, r.world.view(r.opt.picture, len(r.nodes))...), uint32(r.opt.samples), uint32(r.opt.tile))
	return workload.Inputs{Units: r.opt.tiles(), Digest: workload.Digest(words)}
}

// words is how many words of the image a tile has.
func (r *Render) words(tile int) int {
	_, _, wide, high := r.opt.area(tile)
	return 4 * wide * high
}

// rows gives f each row of a tile: where its words are in the image, and where in those of the tile.
func (r *Render) rows(tile int, f func(at, from, words int)) {
	left, top, wide, high := r.opt.area(tile)
	for y := range high {
		f(4*((top+y)*r.opt.width+left), 4*wide*y, 4*wide)
	}
}

// Pack implements workload.Queued: the words of the tiles, little-endian, one tile behind the other.
func (r *Render) Pack(units []int) (out []byte, err error) {
	picture := *r.image.Load()
	for _, tile := range units {
		words := make([]uint32, r.words(tile))
		r.rows(tile, func(at, from, n int) { picture.CopyTo(words[from:from+n], at) })
		for _, w := range words {
			out = binary.LittleEndian.AppendUint32(out, w)
		}
	}
	return out, nil
}

// Unpack implements workload.Queued.
func (r *Render) Unpack(units []int, data []byte) error {
	size := 0
	for _, tile := range units {
		if tile < 0 || tile >= r.opt.tiles() {
			return workload.BadResult("render", fmt.Sprintf("there is no tile %d", tile))
		}
		size += 4 * r.words(tile)
	}
	if len(data) != size {
		return workload.BadResult("render", fmt.Sprintf("it has %d bytes instead of %d", len(data), size))
	}
	picture := *r.image.Load()
	for _, tile := range units {
		words := make([]uint32, r.words(tile))
		for i := range words {
			words[i] = binary.LittleEndian.Uint32(data[4*i:])
		}
		data = data[4*len(words):]
		r.rows(tile, func(at, from, n int) { picture.CopyFrom(at, words[from:from+n]) })
		r.tiles.Add(1)
	}
	return nil
}
