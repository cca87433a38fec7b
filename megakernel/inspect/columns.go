package inspect

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"unicode/utf8"

	"vyretop/megakernel/safe"
	"vyretop/megakernel/stats"
)

// widest is the width of the widest cell that others in its column are filled up to.
const widest = 64

// columns lays cells of text out below each other. Its buffers are used again for every row.
type columns struct {
	width []int  // of each column
	right []bool // the column holds numbers
	text  []byte // the cells of a row, one behind the other
	ends  []int  // where each of them ends in text
	line  []byte // the row as it is printed
}

// cell appends a cell to the row.
func (c *columns) cell(value any) {
	i, begin := len(c.ends), len(c.text)
	switch v := value.(type) {
	case uint64:
		c.right[i] = true
	case named:
		c.right[i] = c.right[i] || v.printed || v.counted
	}
	c.text = stats.AppendText(c.text, value)
	c.text = safe.Tail(c.text, begin)
	if len(c.text) == begin {
		c.text = append(c.text, '-')
	}
	c.ends = append(c.ends, len(c.text))
}

// measure widens the columns to the cells of the row.
func (c *columns) measure() {
	begin := 0
	for i, end := range c.ends {
		if n := utf8.RuneCount(c.text[begin:end]); n <= widest {
			c.width[i] = max(c.width[i], n)
		}
		begin = end
	}
}

// print writes the row.
func (c *columns) print(w io.Writer) bool {
	c.line = c.line[:0]
	begin := 0
	for i, end := range c.ends {
		cell := c.text[begin:end]
		begin = end
		pad := c.width[i] - utf8.RuneCount(cell)
		if c.right[i] {
			c.line = spaces(c.line, pad)
		}
		c.line = append(c.line, cell...)
		if !c.right[i] {
			c.line = spaces(c.line, pad)
		}
		c.line = append(c.line, "  "...)
	}
	c.line = append(bytes.TrimRight(c.line, " "), '\n')
	_, err := w.Write(c.line)
	return err == nil
}

func spaces(b []byte, n int) []byte {
	for range n {
		b = append(b, ' ')
	}
	return b
}

// row fills the cells of a row.
func fillRow[T any](c *columns, t Table[T], row *T) {
	c.text, c.ends = c.text[:0], c.ends[:0]
	for i := range t {
		c.cell(t[i].Get(row))
	}
}

// Write prints rows as columns of text below a head of their names: numbers to the right, and "-" for
// what is not known. It goes through the rows twice and keeps none.
func (t Table[T]) Write(w io.Writer, rows Rows[T]) error {
	c := &columns{width: make([]int, len(t)), right: make([]bool, len(t))}
	head := func() {
		c.text, c.ends = c.text[:0], c.ends[:0]
		for i := range t {
			c.cell(t[i].Name)
		}
	}
	head()
	c.measure()
	if err := rows(func(row *T) bool { fillRow(c, t, row); c.measure(); return true }); err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	head()
	c.print(out)
	err := rows(func(row *T) bool { fillRow(c, t, row); return c.print(out) })
	return errors.Join(err, out.Flush())
}
