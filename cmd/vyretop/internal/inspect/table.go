package inspect

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"vyretop/megakernel/metrics"
	"vyretop/tui/filter"
	"vyretop/tui/safe"
)

// Column is a column of a table of rows T: a member of a JSON object, a column of text, and a field of
// filters at once.
type Column[T any] struct {
	Name string
	// Get returns an uint64, a string, a bool, a named number, or nil where it is not known.
	Get func(*T) any
}

// Table is what can be done with rows T.
type Table[T any] []Column[T]

// Fields are the names that a filter may use.
func (t Table[T]) Fields() []string {
	out := make([]string, len(t))
	for i := range t {
		out[i] = t[i].Name
	}
	return out
}

// Object is a row as a JSON object behind the given members, which are alternately names and values. What
// is not known is left out.
func (t Table[T]) Object(row *T, members ...any) json.RawMessage {
	return t.object(row, members...).end()
}

func (t Table[T]) object(row *T, members ...any) *object {
	o := &object{}
	for i := 0; i+1 < len(members); i += 2 {
		o.add(members[i].(string), members[i+1])
	}
	for i := range t {
		if v := t[i].Get(row); v != nil {
			o.add(t[i].Name, v)
		}
	}
	return o
}

// object is a JSON object whose members keep their order.
type object struct{ b bytes.Buffer }

func (o *object) add(name string, value any) {
	if o.b.Len() == 0 {
		o.b.WriteByte('{')
	} else {
		o.b.WriteByte(',')
	}
	fmt.Fprintf(&o.b, "%q:", name)
	e := json.NewEncoder(&o.b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic("BUG: member " + name + ": " + err.Error()) // plain data
	}
	o.b.Truncate(o.b.Len() - 1) // the encoder's newline
}

func (o *object) end() json.RawMessage {
	if o.b.Len() == 0 {
		return json.RawMessage("{}")
	}
	o.b.WriteByte('}')
	return o.b.Bytes()
}

// widest is the width of the widest cell that others in its column are filled up to.
const widest = 64

// Write prints rows as columns of text below a head of their names: numbers to the right, and "-" for
// what is not known. It goes through the rows twice and keeps none.
func (t Table[T]) Write(w io.Writer, rows Rows[T]) error {
	width := make([]int, len(t))
	right := make([]bool, len(t))
	measure := func(line []string) {
		for i, cell := range line {
			if n := utf8.RuneCountInString(cell); n <= widest {
				width[i] = max(width[i], n)
			}
		}
	}
	measure(t.Fields())
	if err := rows(func(row *T) bool { measure(t.texts(row, right)); return true }); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	print := func(line []string) bool {
		var b strings.Builder
		for i, cell := range line {
			pad := strings.Repeat(" ", max(0, width[i]-utf8.RuneCountInString(cell)))
			if right[i] {
				cell = pad + cell
			} else {
				cell += pad
			}
			b.WriteString(cell + "  ")
		}
		_, err := fmt.Fprintln(out, strings.TrimRight(b.String(), " "))
		return err == nil
	}
	print(t.Fields())
	err := rows(func(row *T) bool { return print(t.texts(row, right)) })
	return errors.Join(err, out.Flush())
}

// texts are the cells of a row; numbers note the columns that hold some.
func (t Table[T]) texts(row *T, numbers []bool) []string {
	out := make([]string, len(t))
	for i := range t {
		value := t[i].Get(row)
		switch v := value.(type) {
		case uint64:
			numbers[i] = true
		case named:
			numbers[i] = numbers[i] || v.printed || v.counted
		}
		if out[i] = safe.Text(string(metrics.AppendText(nil, value))); out[i] == "" {
			out[i] = "-"
		}
	}
	return out
}

// Filter reads a filter for the rows; its errors are *filter.SyntaxError.
func (t Table[T]) Filter(text string) (*filter.Expr, error) {
	e, err := filter.Parse(text, t.Fields())
	if err != nil {
		return nil, err
	}
	for i := range t {
		if texts := t.possible(t[i].Name); texts != nil {
			if err := e.Restrict(i, t[i].Name, texts); err != nil {
				return nil, err
			}
		}
	}
	return e, nil
}

// Match reports whether a row passes a filter.
func (t Table[T]) Match(e *filter.Expr, row *T) bool { return e.Match(&cells[T]{table: t, row: row}) }

// Select gives the rows that pass a filter.
func (t Table[T]) Select(e *filter.Expr, rows Rows[T]) Rows[T] {
	return func(yield func(*T) bool) error {
		return rows(func(row *T) bool { return !t.Match(e, row) || yield(row) })
	}
}

// cells is a row as a filter sees it.
type cells[T any] struct {
	table Table[T]
	row   *T
	buf   []byte
}

func (c *cells[T]) Text(column int) []byte {
	value := c.table[column].Get(c.row)
	if n, ok := value.(named); ok && n.name != "" {
		value = n.name
	}
	c.buf = metrics.AppendText(c.buf[:0], value)
	return c.buf
}

func (c *cells[T]) Number(column int) uint64 {
	value := c.table[column].Get(c.row)
	if n, ok := value.(named); ok {
		return n.number
	}
	return metrics.AsNumber(value)
}

func (c *cells[T]) Known(column int) bool { return c.table[column].Get(c.row) != nil }
