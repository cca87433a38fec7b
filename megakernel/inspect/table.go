package inspect

import (
	"encoding/json"
	"maps"
	"slices"

	"vyretop/megakernel"
	"vyretop/megakernel/filter"
	"vyretop/megakernel/stats"
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

// of are the columns that rows of a target can have a value for.
func (t Table[T]) of(target *megakernel.Target) Table[T] {
	if target.Numbering().Several() {
		return t
	}
	return slices.DeleteFunc(slices.Clone(t), func(c Column[T]) bool { return c.Name == deviceColumn })
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

// Filter reads a filter for the rows; its errors are *filter.SyntaxError.
func (t Table[T]) Filter(text string) (*filter.Expr, error) {
	e, err := filter.Parse(text, t.Fields())
	if err != nil {
		return nil, err
	}
	if err := e.CheckNumbers(t.Fields()); err != nil {
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

// FilterOf is Filter for the rows of a target, whose opcodes have names: no other text is one of them.
func (t Table[T]) FilterOf(target *megakernel.Target, text string) (*filter.Expr, error) {
	e, err := t.Filter(text)
	if err != nil || len(target.Opcodes) == 0 {
		return e, err
	}
	names := slices.Sorted(maps.Values(target.Opcodes))
	for i := range t {
		switch t[i].Name {
		case "op", "opcode":
			if err := e.Restrict(i, t[i].Name, names, append(megakernel.OpcodeNames(), megakernel.EndingName)...); err != nil {
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
	c.buf = stats.AppendText(c.buf[:0], value)
	return c.buf
}

func (c *cells[T]) Number(column int) uint64 {
	value := c.table[column].Get(c.row)
	if n, ok := value.(named); ok {
		return n.number
	}
	return stats.AsNumber(value)
}

func (c *cells[T]) Known(column int) bool { return c.table[column].Get(c.row) != nil }
