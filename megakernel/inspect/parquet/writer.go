// Package parquet writes tables in the Parquet format (https://parquet.apache.org/docs/file-format), which notebooks, DuckDB, pandas
// and Spark read.
//
// A file is
//
//	PAR1 | column chunks of each row group | footer | u32 length of the footer | PAR1
//
// A column chunk is one data page: a header, then, compressed with zstd, which values are there (definition levels) and the values in
// the PLAIN encoding. All columns are optional. What a column holds, numbers (UINT_64), texts or truths, its first value
// decides; the footer comes last and says it. The footer and headers of pages are structs in the compact encoding that the format specifies.
//
// No library writes it: those of Go take the types of all columns before the first row, and what a column holds may be known only after
// row groups in which it was empty. parquet-go, which the golden file was read with, takes several times the memory, too.
package parquet

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"

	"vyretop/engine/fault"
)

// ErrValue is matched by errors about values that no column can hold.
const ErrValue fault.Kind = "the value does not fit the column"

// A row group has at most that many rows, and about as many bytes of texts.
const (
	groupRows  = 1 << 16
	groupBytes = 8 << 20
)

// Writer writes a table. It keeps one row group in memory.
type Writer struct {
	out     io.Writer
	at      int64 // bytes that were written
	columns []column
	rows    int // of the group
	all     int64
	groups  []group
	about   [][2]string
	zip     *zstd.Encoder
	err     error
}

// group is a row group that was written.
type group struct {
	rows   int
	bytes  int64
	chunks []chunk
}

// chunk is a column chunk that was written.
type chunk struct {
	offset         int64
	values         int
	size, unpacked int64
}

// New begins a table. about has names and values that the footer keeps for readers.
func New(w io.Writer, columns []string, about ...[2]string) (*Writer, error) {
	zip, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		return nil, err
	}
	t := &Writer{out: w, about: about, zip: zip}
	for _, name := range columns {
		t.columns = append(t.columns, column{name: name})
	}
	t.write([]byte(magic))
	return t, nil
}

const magic = "PAR1"

func (w *Writer) write(b []byte) {
	if w.err == nil {
		_, w.err = w.out.Write(b)
		w.at += int64(len(b))
	}
}

// Row adds a row: for each column an uint64, a string, a bool, or nil where the value is not known.
func (w *Writer) Row(values ...any) error {
	size := 0
	for i := range w.columns {
		var v any
		if i < len(values) {
			v = values[i]
		}
		if err := w.columns[i].add(v); err != nil && w.err == nil {
			w.err = err
		}
		size += len(w.columns[i].values)
	}
	if w.rows++; w.rows >= groupRows || size >= groupBytes {
		w.flush()
	}
	return w.err
}

// flush writes the row group.
func (w *Writer) flush() {
	if w.rows == 0 {
		return
	}
	g := group{rows: w.rows}
	for i := range w.columns {
		page := w.columns[i].page()
		packed := w.zip.EncodeAll(page, nil)
		head := pageHeader(w.rows, len(page), len(packed))
		c := chunk{offset: w.at, values: w.rows, size: int64(len(head) + len(packed)), unpacked: int64(len(head) + len(page))}
		w.write(head)
		w.write(packed)
		g.chunks, g.bytes = append(g.chunks, c), g.bytes+c.unpacked
	}
	w.groups, w.all, w.rows = append(w.groups, g), w.all+int64(w.rows), 0
}

// Close ends the table; the underlying writer stays open.
func (w *Writer) Close() error {
	w.flush()
	foot := w.footer()
	w.write(foot)
	w.write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(foot))), magic...))
	w.zip.Close()
	return w.err
}

// kind is what a column holds.
type kind uint8

const (
	unknown kind = iota
	number
	text
	truth
)

// column is the part of a column that belongs to the group.
type column struct {
	name   string
	kind   kind
	there  []bool // by row
	values []byte // PLAIN; of truths one byte each until the page is made
}

func (c *column) add(v any) error {
	is := unknown
	switch v := v.(type) {
	case nil:
	case uint64:
		is, c.values = number, binary.LittleEndian.AppendUint64(c.values, v)
	case string:
		is, c.values = text, append(binary.LittleEndian.AppendUint32(c.values, uint32(len(v))), v...)
	case bool:
		bit := byte(0)
		if v {
			bit = 1
		}
		is, c.values = truth, append(c.values, bit)
	default:
		return misfit(c.name, v)
	}
	if c.there = append(c.there, is != unknown); is == unknown {
		return nil
	}
	if c.kind == unknown {
		c.kind = is
	}
	if c.kind != is {
		return misfit(c.name, v)
	}
	return nil
}

func misfit(name string, v any) error {
	return &fault.Error{Kind: ErrValue, Op: "write a table", Subject: "column " + name, Detail: fmt.Sprintf("it cannot hold %v, a %T", v, v), Fix: "report it: the columns of tables have one type each"}
}

// page takes the values of the group: which are there, then the values.
func (c *column) page() []byte {
	var levels []byte
	for rest := c.there; len(rest) > 0; {
		n := slices.Index(rest, !rest[0])
		if n < 0 {
			n = len(rest)
		}
		bit := byte(0)
		if rest[0] {
			bit = 1
		}
		levels = append(binary.AppendUvarint(levels, uint64(n)<<1), bit) // a run
		rest = rest[n:]
	}
	out := append(binary.LittleEndian.AppendUint32(nil, uint32(len(levels))), levels...)
	if c.kind == truth {
		out = append(out, packed(c.values)...)
	} else {
		out = append(out, c.values...)
	}
	c.there, c.values = c.there[:0], c.values[:0]
	return out
}

// packed puts eight truths into a byte, the first into its lowest bit.
func packed(bits []byte) []byte {
	out := make([]byte, (len(bits)+7)/8)
	for i, b := range bits {
		out[i/8] |= b << (i % 8)
	}
	return out
}
