package bench

import (
	"io"
	"strings"
	"unicode/utf8"
)

// grid is a table of text: the first column and the last one stand left, the others right.
type grid [][]string

// add appends a row.
func (g *grid) add(cells ...string) { *g = append(*g, cells) }

// write prints the rows with two blanks between columns and none at the end of a line.
func (g grid) write(w io.Writer) error {
	var widths []int
	for _, row := range g {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, row := range g {
		var line strings.Builder
		for i, cell := range row {
			if i > 0 {
				line.WriteString("  ")
			}
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i == 0 || i == len(widths)-1 {
				line.WriteString(cell + pad)
			} else {
				line.WriteString(pad + cell)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
