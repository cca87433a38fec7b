package preprocess

import (
	"regexp"
	"strconv"

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

// reference matches the ways in which compilers write a place in their input, which is always
// string 0, with the line and perhaps the column as groups: Mesa "0:12(5)", NVIDIA "0(12) :" and
// "0(12)", and "0:12:" of glslang and others.
var reference = regexp.MustCompile(`\b0:(\d+)\((\d+)\)|\b0\((\d+)\)(?: (:))?|\b0:(\d+)(:)`)

// RemapLog rewrites the places in a driver's compile log to positions in the source:
// file:line:column where the driver gives a column, else file:line. Places that m does not know
// stay as they are.
func RemapLog(log string, m LineMap) string {
	return reference.ReplaceAllStringFunc(log, func(found string) string {
		g := reference.FindStringSubmatch(found)
		if g[1] != "" {
			line := number(g[1])
			if pos := m.At(line, m.mesaColumn(line, number(g[2]))); pos.IsValid() {
				return pos.String()
			}
			return found
		}
		if pos := m.Pos(number(g[3] + g[5])); pos.IsValid() {
			return pos.File + ":" + strconv.Itoa(pos.Line) + g[4] + g[6]
		}
		return found
	})
}

// mesaColumn is the column that Mesa means by col: its own preprocessor has made one blank of the
// blanks that the line begins with.
func (m LineMap) mesaColumn(line, col int) int {
	if line < 1 || line > len(m.marks) || len(m.marks[line-1]) == 0 {
		return col
	}
	return col + max(0, m.marks[line-1][0].col-2)
}

// number reads digits; a number too large for an int is a line that no LineMap knows.
func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}
