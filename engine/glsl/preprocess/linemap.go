package preprocess

import (
	"vyretop/engine/glsl/source"
)

// LineMap leads from the emitted text back to the source. The zero LineMap knows no line.
type LineMap struct {
	marks [][]mark // by line from 0; in each by column
}

// mark says where the emitted text from a column on comes from.
type mark struct {
	col int // in bytes, from 1
	pos source.Pos
}

// MapLines makes the map of a text whose lines come, each as a whole, from the given positions; the
// zero Pos is a line that comes from no source.
func MapLines(positions []source.Pos) LineMap {
	m := LineMap{marks: make([][]mark, len(positions))}
	for i, pos := range positions {
		m.marks[i] = []mark{{col: 1, pos: pos}}
	}
	return m
}

// Lines is the number of lines of the emitted text.
func (m LineMap) Lines() int { return len(m.marks) }

// Pos is the source position of the first token of an emitted line (from 1); the zero Pos for a
// line that comes from no source.
func (m LineMap) Pos(line int) source.Pos { return m.At(line, 1) }

// At is the source position of the token at, or the last before, a column (from 1) of a line.
func (m LineMap) At(line, col int) source.Pos {
	if line < 1 || line > len(m.marks) || len(m.marks[line-1]) == 0 {
		return source.Pos{}
	}
	best := m.marks[line-1][0]
	for _, k := range m.marks[line-1] {
		if k.col > col {
			break
		}
		best = k
	}
	return best.pos
}
