package inspect

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// Rows gives rows to a function, one after the other, until it returns false or none is left. The same rows are given
// each time. The error is why rows are missing. A row is valid during the call only: tables of millions of rows are
// printed without having them in memory.
type Rows[T any] func(yield func(*T) bool) error

// ListOf gives the rows of a list.
func ListOf[T any](list []T) Rows[T] {
	return func(yield func(*T) bool) error {
		for i := range list {
			if !yield(&list[i]) {
				break
			}
		}
		return nil
	}
}

// Any reports whether there is a row.
func (r Rows[T]) Any() (bool, error) {
	some := false
	err := r(func(*T) bool { some = true; return false })
	return some, err
}

// writeDocument prints an object whose last member, of a name, is the list of rows, indented as report.WriteJSON does.
// Where the rows fail before the first one, nothing is printed.
func writeDocument[T any](w io.Writer, o *object, name string, t Table[T], rows Rows[T]) error {
	o.add(name, []int{})
	var head bytes.Buffer
	if err := json.Indent(&head, o.end(), "", "  "); err != nil {
		return err
	}
	const empty = "[]\n}"
	start := head.Bytes()[:head.Len()-len(empty)]
	var failed error
	some := false
	var b []byte
	err := rows(func(row *T) bool {
		if b = append(b[:0], ",\n    "...); !some {
			some = true
			b = append(append(b[:0], start...), "[\n    "...)
		}
		b = t.appendIndented(b, row)
		_, failed = w.Write(b)
		return failed == nil
	})
	if err = errors.Join(err, failed); err != nil && !some {
		return err
	}
	end := "\n  ]\n}\n"
	if !some {
		end = string(start) + empty + "\n"
	}
	_, closed := io.WriteString(w, end)
	return errors.Join(err, closed)
}
