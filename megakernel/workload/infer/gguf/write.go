package gguf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
)

// Write writes the file. Entries are in the order of their keys, so equal files have equal bytes. An entry of a type that
// Meta does not have is an error. Unsigned integers are written with 32 bits where they fit.
func (f *File) Write(w io.Writer) error {
	var b bytes.Buffer
	put := func(v any) { _ = binary.Write(&b, binary.LittleEndian, v) } // a Buffer takes everything
	put([]uint32{magic, 3})
	put([]uint64{uint64(len(f.Tensors)), uint64(len(f.Meta))})
	for _, key := range slices.Sorted(maps.Keys(f.Meta)) {
		putText(&b, key)
		if err := putValue(&b, f.Meta[key]); err != nil {
			return fmt.Errorf("metadata %s: %w", key, err)
		}
	}
	offset := 0
	for _, t := range f.Tensors {
		putText(&b, t.Name)
		put(uint32(len(t.Dims)))
		for _, d := range t.Dims {
			put(uint64(d))
		}
		put(uint32(t.Type))
		put(uint64(offset))
		offset += aligned(len(t.Data))
	}
	pad(&b)
	for _, t := range f.Tensors {
		b.Write(t.Data)
		pad(&b)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func aligned(n int) int { return (n + defaultAlignment - 1) / defaultAlignment * defaultAlignment }

func pad(b *bytes.Buffer) { b.Write(make([]byte, aligned(b.Len())-b.Len())) }

func putText(b *bytes.Buffer, s string) {
	_ = binary.Write(b, binary.LittleEndian, uint64(len(s)))
	b.WriteString(s)
}

func putValue(b *bytes.Buffer, v any) error {
	put := func(v ...any) error {
		for _, x := range v {
			_ = binary.Write(b, binary.LittleEndian, x)
		}
		return nil
	}
	switch v := v.(type) {
	case uint64:
		if v > math.MaxUint32 {
			return put(uint32(tU64), v)
		}
		return put(uint32(tU32), uint32(v))
	case int64:
		return put(uint32(tI64), v)
	case float64:
		if float64(float32(v)) == v {
			return put(uint32(tF32), float32(v))
		}
		return put(uint32(tF64), v)
	case bool:
		return put(uint32(tBool), v)
	case string:
		_ = put(uint32(tString))
		putText(b, v)
		return nil
	case []string:
		_ = put(uint32(tArray), uint32(tString), uint64(len(v)))
		for _, s := range v {
			putText(b, s)
		}
		return nil
	case []int64:
		return put(uint32(tArray), uint32(tI64), uint64(len(v)), v)
	case []uint64:
		return put(uint32(tArray), uint32(tU64), uint64(len(v)), v)
	case []float64:
		return put(uint32(tArray), uint32(tF64), uint64(len(v)), v)
	case []bool:
		return put(uint32(tArray), uint32(tBool), uint64(len(v)), v)
	}
	return fmt.Errorf("a value of type %T cannot be written", v)
}
