package bfs

import (
	"fmt"
	"strings"
)

// matrixMarket begins the first line of a Matrix Market file, in any case of letters.
const matrixMarket = "%%MatrixMarket"

// readEdges reads an edge list: each line two vertices, counted from 0, and perhaps a weight, which is
// not used. Empty lines and those that begin with # or % are skipped.
func readEdges(l *lines) (*Graph, error) {
	g := &Graph{OneWay: true}
	for l.next() {
		if len(l.fields) < 2 || len(l.fields) > 3 {
			return nil, l.bad(fmt.Sprintf("it has %d fields", len(l.fields)), "write two vertices a line, and at most a weight")
		}
		if err := l.edge(g, maxVertices-1, 0); err != nil {
			return nil, err
		}
	}
	if err := l.err(); err != nil {
		return nil, err
	}
	if g.Vertices == 0 {
		return nil, l.bad("no edge found", "write two vertices a line")
	}
	return g, nil
}

// edge adds the edge of the current line, whose vertices are counted from first on and end with last;
// the fields behind them must be numbers.
func (l *lines) edge(g *Graph, last int, first uint32) error {
	if g.Edges() == maxEdges {
		return l.bad(fmt.Sprintf("there are more than %d edges", maxEdges), "use a smaller graph")
	}
	for i := range 2 {
		v, err := l.count(i, last, "vertex")
		if err != nil {
			return err
		}
		if v < first {
			return l.bad("vertex 0 does not exist", "count rows and columns from 1")
		}
		g.Pairs = append(g.Pairs, v-first)
		g.Vertices = max(g.Vertices, int(v-first)+1)
	}
	return l.values(2)
}

// Numbers that stand behind row and column in an entry, by the header's field.
var matrixValues = map[string]int{"pattern": 0, "integer": 1, "real": 1, "complex": 2}

// Whether an entry stands for the one across the diagonal too, by the header's symmetry.
var matrixMirrored = map[string]bool{"general": false, "symmetric": true, "skew-symmetric": true, "hermitian": true}

// readMatrix reads a square sparse matrix in Matrix Market form: an entry in row i, column j is an edge
// from i-1 to j-1. Values are not used. See Boisvert, Pozo and Remington, "The Matrix Market exchange
// formats: initial design", NISTIR 5935.
func readMatrix(l *lines) (*Graph, error) {
	values, g, err := l.matrixHeader()
	if err != nil {
		return nil, err
	}
	entries, err := l.matrixSize(g)
	if err != nil {
		return nil, err
	}
	for g.Edges() < entries && l.next() {
		if len(l.fields) != 2+values {
			return nil, l.bad(fmt.Sprintf("it has %d fields, the header asks for %d", len(l.fields), 2+values), "write row, column and the values that the header announces")
		}
		if err := l.edge(g, g.Vertices, 1); err != nil {
			return nil, err
		}
	}
	more := l.next()
	if err := l.err(); err != nil {
		return nil, err
	}
	if more || g.Edges() < entries {
		return nil, l.bad(fmt.Sprintf("%d entries are announced, and there are %s", entries, map[bool]string{true: "more", false: fmt.Sprint(g.Edges())}[more]), "correct the size line, or fetch the file again")
	}
	return g, nil
}

// matrixHeader reads the first line.
func (l *lines) matrixHeader() (values int, g *Graph, err error) {
	l.scanner.Scan() // it is there, as its beginning was seen
	l.number++
	h := strings.Fields(strings.ToLower(l.scanner.Text()))
	if l.err() != nil {
		return 0, nil, l.err()
	}
	if len(h) != 5 || h[1] != "matrix" || h[2] != "coordinate" {
		return 0, nil, l.bad("the header is not that of a sparse matrix", "write %%MatrixMarket matrix coordinate FIELD SYMMETRY")
	}
	values, known := matrixValues[h[3]]
	mirrored, ok := matrixMirrored[h[4]]
	if !known || !ok {
		return 0, nil, l.bad(fmt.Sprintf("field %s or symmetry %s is unknown", h[3], h[4]), "use pattern, integer, real or complex, and general, symmetric, skew-symmetric or hermitian")
	}
	return values, &Graph{OneWay: !mirrored}, nil
}

// matrixSize reads the line of rows, columns and entries.
func (l *lines) matrixSize(g *Graph) (entries int, err error) {
	if !l.next() {
		if err := l.err(); err != nil {
			return 0, err
		}
		return 0, l.bad("the size line is missing", "write rows, columns and entries")
	}
	if len(l.fields) != 3 {
		return 0, l.bad(fmt.Sprintf("the size line has %d fields", len(l.fields)), "write rows, columns and entries")
	}
	var size [3]uint32
	for i, limit := range []int{maxVertices, maxVertices, maxEdges} {
		if size[i], err = l.count(i, limit, []string{"rows", "columns", "entries"}[i]); err != nil {
			return 0, err
		}
	}
	if size[0] != size[1] || size[0] == 0 {
		return 0, l.bad(fmt.Sprintf("a matrix of %d rows and %d columns is not a graph", size[0], size[1]), "use a square matrix with at least one row")
	}
	g.Vertices = int(size[0])
	return int(size[2]), nil
}
