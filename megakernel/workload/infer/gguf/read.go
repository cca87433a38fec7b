package gguf

import (
	"encoding/binary"
	"fmt"
	"math"

	"vyretop/engine/fault"
)

// Read reads a file that is in memory; name is what errors call it. Data of tensors stays where it is in data.
func Read(name string, data []byte) (*File, error) {
	r := &reader{name: name, left: data}
	f := &File{Meta: map[string]any{}, name: name, byName: map[string]*Tensor{}}
	tensors, err := r.head(f)
	if err != nil {
		return nil, err
	}
	offsets := make([]uint64, 0, min(tensors, uint64(len(r.left))/minTensor))
	for i := range tensors {
		t, offset := r.tensor()
		if r.err != nil {
			return nil, r.err
		}
		if f.byName[t.Name] != nil {
			return nil, r.broken(fmt.Sprintf("tensor %d has the name %q of another one", i, t.Name))
		}
		f.Add(t)
		offsets = append(offsets, offset)
	}
	alignment, err := f.Count("general.alignment", 1, 1<<20, defaultAlignment)
	if err != nil {
		return nil, err
	}
	at := len(data) - len(r.left)
	start := (at + alignment - 1) / alignment * alignment
	for i, t := range f.Tensors {
		if err := r.locate(t, data, uint64(start), offsets[i]); err != nil {
			return nil, err
		}
	}
	return f, nil
}

const (
	magic            = 0x46554747 // "GGUF"
	defaultAlignment = 32
	minTensor        = 8 + 4 + 8 + 4 + 8 // bytes of the shortest description
	minEntry         = 8 + 4 + 1
	maxName          = 1 << 16 // bytes of a key or of a tensor's name
	maxList          = 1 << 22 // elements: the largest vocabularies have a quarter of a million
)

// reader takes values from the front of a file. The first error stays.
type reader struct {
	name string
	left []byte
	err  error
}

func (r *reader) fail(kind fault.Kind, detail, fix string) error {
	if r.err == nil {
		r.err = &fault.Error{Kind: kind, Subject: r.name, Detail: detail, Fix: fix}
	}
	r.left = nil
	return r.err
}

func (r *reader) broken(detail string) error {
	return r.fail(ErrFormat, detail, "download or convert the model again")
}

// take gives the next n bytes; after an error, zeros.
func (r *reader) take(n uint64) []byte {
	if n > uint64(len(r.left)) {
		r.broken(fmt.Sprintf("it ends in the middle of its header: %d bytes are left, %d needed", len(r.left), n))
		return make([]byte, min(n, 8))
	}
	out := r.left[:n]
	r.left = r.left[n:]
	return out
}

func (r *reader) u32() uint32 { return binary.LittleEndian.Uint32(r.take(4)) }
func (r *reader) u64() uint64 { return binary.LittleEndian.Uint64(r.take(8)) }

// count is a number of items of at least size bytes each: more than fit the rest of the file are an error.
func (r *reader) count(what string, size uint64) uint64 {
	n := r.u64()
	if r.err == nil && n > uint64(len(r.left))/size {
		r.broken(fmt.Sprintf("it claims %d %s, and %d bytes are left", n, what, len(r.left)))
		return 0
	}
	return n
}

func (r *reader) text() string { return string(r.take(r.count("bytes of text", 1))) }

func (r *reader) key(what string) string {
	n := r.count("bytes of a "+what, 1)
	if n > maxName {
		r.broken(fmt.Sprintf("a %s of %d bytes", what, n))
		return ""
	}
	return string(r.take(n))
}

// head reads what precedes the descriptions of the tensors, and returns how many there are.
func (r *reader) head(f *File) (tensors uint64, err error) {
	if len(r.left) < 4 || r.u32() != magic {
		return 0, r.fail(ErrFormat, "it does not begin with GGUF", "give a model in GGUF format")
	}
	if v := r.u32(); r.err == nil && v != 2 && v != 3 {
		return 0, r.fail(ErrUnsupported, fmt.Sprintf("version %d", v), "convert the model to GGUF version 3, little-endian")
	}
	tensors = r.count("tensors", minTensor)
	entries := r.count("metadata entries", minEntry)
	for range entries {
		key := r.key("metadata key")
		value := r.value(r.u32())
		if r.err != nil {
			return 0, r.err
		}
		if _, twice := f.Meta[key]; twice {
			return 0, r.broken(fmt.Sprintf("metadata %q is given twice", key))
		}
		f.Meta[key] = value
	}
	return tensors, r.err
}

// Types of values, as the format numbers them.
const (
	tU8 = iota
	tI8
	tU16
	tI16
	tU32
	tI32
	tF32
	tBool
	tString
	tArray
	tU64
	tI64
	tF64
)

// scalars read a value; size is that of the shortest one.
var scalars = map[uint32]struct {
	size uint64
	read func(*reader) any
}{
	tU8:     {1, func(r *reader) any { return uint64(r.take(1)[0]) }},
	tI8:     {1, func(r *reader) any { return int64(int8(r.take(1)[0])) }},
	tU16:    {2, func(r *reader) any { return uint64(binary.LittleEndian.Uint16(r.take(2))) }},
	tI16:    {2, func(r *reader) any { return int64(int16(binary.LittleEndian.Uint16(r.take(2)))) }},
	tU32:    {4, func(r *reader) any { return uint64(r.u32()) }},
	tI32:    {4, func(r *reader) any { return int64(int32(r.u32())) }},
	tF32:    {4, func(r *reader) any { return float64(math.Float32frombits(r.u32())) }},
	tBool:   {1, func(r *reader) any { return r.take(1)[0] != 0 }},
	tString: {8, func(r *reader) any { return r.text() }},
	tU64:    {8, func(r *reader) any { return r.u64() }},
	tI64:    {8, func(r *reader) any { return int64(r.u64()) }},
	tF64:    {8, func(r *reader) any { return math.Float64frombits(r.u64()) }},
}

func (r *reader) value(kind uint32) any {
	if kind == tArray {
		return r.array()
	}
	s, ok := scalars[kind]
	if !ok {
		r.broken(fmt.Sprintf("a metadata value has the unknown type %d", kind))
		return nil
	}
	return s.read(r)
}

// array reads a list. Lists of lists, which the format allows, are not read.
func (r *reader) array() any {
	kind := r.u32()
	s, ok := scalars[kind]
	if r.err == nil && !ok {
		r.fail(ErrUnsupported, fmt.Sprintf("a metadata list has elements of type %d", kind), "convert the model again")
		return nil
	}
	n := r.count("elements of a list", max(s.size, 1))
	if n > maxList {
		r.fail(ErrUnsupported, fmt.Sprintf("a metadata list has %d elements, at most %d are read", n, maxList), "use a model with a smaller vocabulary")
		return nil
	}
	list := make([]any, 0, n)
	for range n {
		list = append(list, s.read(r))
		if r.err != nil {
			return nil
		}
	}
	return typed(kind, list)
}

func typed(kind uint32, list []any) any {
	switch kind {
	case tU8, tU16, tU32, tU64:
		return each[uint64](list)
	case tI8, tI16, tI32, tI64:
		return each[int64](list)
	case tF32, tF64:
		return each[float64](list)
	case tBool:
		return each[bool](list)
	}
	return each[string](list)
}

func each[T any](list []any) []T {
	out := make([]T, len(list))
	for i, v := range list {
		out[i] = v.(T)
	}
	return out
}

// tensor reads a description.
func (r *reader) tensor() (t *Tensor, offset uint64) {
	t = &Tensor{Name: r.key("tensor name")}
	n := r.u32()
	if r.err == nil && (n < 1 || n > maxDims) {
		r.broken(fmt.Sprintf("tensor %q has %d dimensions", t.Name, n))
	}
	for range min(n, maxDims) {
		d := r.u64()
		if r.err == nil && (d < 1 || d > math.MaxInt32) {
			r.broken(fmt.Sprintf("tensor %q has a dimension of %d", t.Name, d))
		}
		t.Dims = append(t.Dims, int(d))
	}
	t.Type = Type(r.u32())
	return t, r.u64()
}

// locate finds the data of a tensor, offset bytes behind start.
func (r *reader) locate(t *Tensor, data []byte, start, offset uint64) error {
	row, ok := t.Type.rowBytes(uint64(t.Dims[0]))
	if !ok {
		if t.Type == Q8 {
			return r.broken(fmt.Sprintf("tensor %q has rows of %d weights, and Q8_0 has blocks of %d", t.Name, t.Dims[0], BlockWeights))
		}
		return r.fail(ErrUnsupported, fmt.Sprintf("tensor %q is stored as %s", t.Name, t.Type), "convert the model to F32, F16 or Q8_0")
	}
	size := row
	for _, d := range t.Dims[1:] {
		if size > uint64(len(data))/uint64(d) {
			return r.broken(fmt.Sprintf("tensor %q with dimensions %v as %s is larger than the file of %d bytes", t.Name, t.Dims, t.Type, len(data)))
		}
		size *= uint64(d)
	}
	all := uint64(len(data))
	if start > all || offset > all-start || size > all-start-offset {
		return r.broken(fmt.Sprintf("the file is truncated: tensor %q needs %d bytes at %d, and the file has %d", t.Name, size, start+offset, len(data)))
	}
	t.Data = data[start+offset:][:size:size]
	return nil
}
