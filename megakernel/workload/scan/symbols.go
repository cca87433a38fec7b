package scan

import (
	"encoding/binary"

	"vyretop/engine"
)

// A granule is what the handler loads at once: 4 words with two symbols each.
const (
	granuleWords   = 4
	granuleSymbols = 8
)

// granuleBytes is how many bytes of a file a granule holds.
func (a *Automaton) granuleBytes() int { return granuleSymbols * a.stride }

// shape is how the granules of a piece stand in its block: in columns, each below the last granule of the one before; rows follow one
// another. So lanes that search a column each read words that are next to each other.
type shape struct{ granules, rows, columns int }

// shapeOf puts granules into at most that many columns.
func shapeOf(granules, columns int) shape {
	if granules == 0 {
		return shape{}
	}
	rows := (granules + columns - 1) / columns
	return shape{granules: granules, rows: rows, columns: (granules + rows - 1) / rows}
}

// size is how many granules of a block are written.
func (s shape) size() int { return s.rows * s.columns }

// place is where granule g stands.
func (s shape) place(g int) int { return g%s.rows*s.columns + g/s.rows }

// encode writes text, a whole number of granules, as symbols. The words belong to the host alone until it publishes their task, so
// plain stores do. Where no granule stands, zeros do.
func (a *Automaton) encode(dst engine.Words, text []byte, s shape) {
	size := a.granuleBytes()
	for row := range s.rows {
		out := dst[row*s.columns*granuleWords:][:s.columns*granuleWords]
		if a.stride == 1 {
			a.encodeBytes(out, text[row*size:], s.rows*size)
		} else {
			a.encodePairs(out, text[row*size:], s.rows*size)
		}
	}
}

// encodeBytes writes a row of granules whose symbols are a byte each; they are step bytes apart.
func (a *Automaton) encodeBytes(out engine.Words, text []byte, step int) {
	for ; len(out) > 0; out = out[granuleWords:] {
		if len(text) < granuleSymbols {
			clear(out)
			return
		}
		for i := range granuleWords {
			out[i] = uint32(a.classOf[text[2*i]]) | uint32(a.classOf[text[2*i+1]])<<16
		}
		text = text[min(step, len(text)):]
	}
}

// encodePairs writes a row of granules whose symbols are two bytes each; they are step bytes apart.
func (a *Automaton) encodePairs(out engine.Words, text []byte, step int) {
	pairs := (*[1 << 16]uint16)(a.pairs)
	for ; len(out) >= granuleWords; out = out[granuleWords:] {
		if len(text) < 2*granuleSymbols {
			clear(out)
			return
		}
		x, y := binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint64(text[8:])
		out[0] = uint32(pairs[uint16(x)]) | uint32(pairs[uint16(x>>16)])<<16
		out[1] = uint32(pairs[uint16(x>>32)]) | uint32(pairs[x>>48])<<16
		out[2] = uint32(pairs[uint16(y)]) | uint32(pairs[uint16(y>>16)])<<16
		out[3] = uint32(pairs[uint16(y>>32)]) | uint32(pairs[y>>48])<<16
		text = text[min(step, len(text)):]
	}
}

// symbol reads symbol i of what encode has written.
func (s shape) symbol(words engine.Words, i int) uint32 {
	at := s.place(i/granuleSymbols)*granuleWords + i%granuleSymbols/2
	return words.Load(at) >> (16 * (i % 2)) & 0xFFFF
}
