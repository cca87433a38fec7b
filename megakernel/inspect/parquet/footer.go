package parquet

import "encoding/binary"

// compact appends values in the compact encoding that the format specifies. A struct remembers the number of its last field.
type compact struct {
	b    []byte
	last []int16
}

// The types of fields and elements.
const (
	isFalse  = 2
	isByte   = 3
	isInt32  = 5
	isInt64  = 6
	isBinary = 8
	isList   = 9
	isStruct = 12
)

// open begins a struct, and close ends it.
func (t *compact) open() { t.last = append(t.last, 0) }

func (t *compact) close() {
	t.b = append(t.b, 0)
	t.last = t.last[:len(t.last)-1]
}

// field begins a field, whose number is above that of the one before by at most 15.
func (t *compact) field(number int16, of byte) {
	last := &t.last[len(t.last)-1]
	t.b = append(t.b, byte(number-*last)<<4|of)
	*last = number
}

func (t *compact) int32(number int16, v int) {
	t.field(number, isInt32)
	t.b = binary.AppendVarint(t.b, int64(v)) // zigzag
}

func (t *compact) int64(number int16, v int64) {
	t.field(number, isInt64)
	t.b = binary.AppendVarint(t.b, v)
}

func (t *compact) text(number int16, v string) {
	t.field(number, isBinary)
	t.string(v)
}

func (t *compact) string(v string) {
	t.b = append(binary.AppendUvarint(t.b, uint64(len(v))), v...)
}

// list begins a list.
func (t *compact) list(number int16, of byte, n int) {
	t.field(number, isList)
	if n < 15 {
		t.b = append(t.b, byte(n)<<4|of)
		return
	}
	t.b = binary.AppendUvarint(append(t.b, 0xf0|of), uint64(n))
}

// Numbers of the format.
const (
	plain     = 0 // encoding
	rle       = 3 // encoding
	zstdCodec = 6 // codec
	optional  = 1 // repetition

	typeBoolean   = 0
	typeInt64     = 2
	typeByteArray = 6

	convertedUTF8   = 0
	convertedUint64 = 14
)

// pageHeader describes a data page that follows.
func pageHeader(values, size, compressed int) []byte {
	t := &compact{}
	t.open()
	t.int32(1, 0) // a data page
	t.int32(2, size)
	t.int32(3, compressed)
	t.field(5, isStruct)
	t.open()
	t.int32(1, values)
	t.int32(2, plain)
	t.int32(3, rle)
	t.int32(4, rle)
	t.close()
	t.close()
	return t.b
}

// footer says what the file has, and where.
func (w *Writer) footer() []byte {
	t := &compact{}
	t.open()
	t.int32(1, 2) // version
	t.list(2, isStruct, len(w.columns)+1)
	t.open()
	t.text(4, "table")
	t.int32(5, len(w.columns))
	t.close()
	for i := range w.columns {
		w.columns[i].schema(t)
	}
	t.int64(3, w.all)
	t.list(4, isStruct, len(w.groups))
	for i := range w.groups {
		w.group(t, &w.groups[i])
	}
	t.list(5, isStruct, len(w.about))
	for _, kv := range w.about {
		t.open()
		t.text(1, kv[0])
		t.text(2, kv[1])
		t.close()
	}
	t.text(6, "vyretop")
	t.close()
	return t.b
}

func (k kind) physical() int {
	switch k {
	case number:
		return typeInt64
	case truth:
		return typeBoolean
	}
	return typeByteArray
}

// schema describes a column. One without values is one of texts.
func (c *column) schema(t *compact) {
	t.open()
	t.int32(1, c.kind.physical())
	t.int32(3, optional)
	t.text(4, c.name)
	switch c.kind {
	case number:
		t.int32(6, convertedUint64)
		t.field(10, isStruct) // logical type
		t.open()
		t.field(10, isStruct) // integer
		t.open()
		t.field(1, isByte)
		t.b = append(t.b, 64)
		t.field(2, isFalse) // signed
		t.close()
		t.close()
	case text, unknown:
		t.int32(6, convertedUTF8)
		t.field(10, isStruct)
		t.open()
		t.field(1, isStruct) // string
		t.open()
		t.close()
		t.close()
	}
	t.close()
}

func (w *Writer) group(t *compact, g *group) {
	t.open()
	t.list(1, isStruct, len(g.chunks))
	for i, c := range g.chunks {
		t.open()
		t.int64(2, c.offset)
		t.field(3, isStruct)
		t.open()
		t.int32(1, w.columns[i].kind.physical())
		t.list(2, isInt32, 2)
		t.b = binary.AppendVarint(binary.AppendVarint(t.b, plain), rle)
		t.list(3, isBinary, 1)
		t.string(w.columns[i].name)
		t.int32(4, zstdCodec)
		t.int64(5, int64(c.values))
		t.int64(6, c.unpacked)
		t.int64(7, c.size)
		t.int64(9, c.offset)
		t.close()
		t.close()
	}
	t.int64(2, g.bytes)
	t.int64(3, int64(g.rows))
	t.close()
}
