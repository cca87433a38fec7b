package gguf

import (
	"fmt"
	"math"

	"vyretop/engine/fault"
)

// Kinds of errors.
const (
	// ErrFormat: the file is not GGUF, or contradicts itself.
	ErrFormat fault.Kind = "invalid GGUF file"
	// ErrUnsupported: the file is GGUF, but of a version or with a type that is not read.
	ErrUnsupported fault.Kind = "unsupported GGUF file"
	// ErrMissing: the file lacks an entry or a tensor, or it has another type or shape than needed.
	ErrMissing fault.Kind = "missing in the GGUF file"
)

// Type is how the weights of a tensor are stored, as the format numbers it.
type Type uint32

// Types of tensors that are read.
const (
	F32 Type = 0
	F16 Type = 1
	Q8  Type = 8 // Q8_0
)

// BlockWeights is the number of weights in a block of Q8_0, and BlockBytes its size.
const (
	BlockWeights = 32
	BlockBytes   = 2 + BlockWeights
)

// String is the name that the format gives the type.
func (t Type) String() string {
	switch t {
	case F32:
		return "F32"
	case F16:
		return "F16"
	case Q8:
		return "Q8_0"
	}
	return fmt.Sprintf("type %d", uint32(t))
}

// rowBytes is the size of a row of n weights; ok is false where the type is unknown or a row does not consist of whole blocks.
func (t Type) rowBytes(n uint64) (size uint64, ok bool) {
	switch {
	case t == F32:
		return 4 * n, true
	case t == F16:
		return 2 * n, true
	case t == Q8 && n%BlockWeights == 0:
		return n / BlockWeights * BlockBytes, true
	}
	return 0, false
}

// maxDims is the number of dimensions that the format allows.
const maxDims = 4

// Tensor is one array of weights.
type Tensor struct {
	Name string
	Type Type
	Dims []int  // the first one is that of neighboring weights: of a matrix the columns, then the rows
	Data []byte // as stored
}

// Columns is the length of a row, and Rows the number of rows.
func (t *Tensor) Columns() int { return t.Dims[0] }

// Rows is the number of rows; that of a vector is 1.
func (t *Tensor) Rows() int {
	n := 1
	for _, d := range t.Dims[1:] {
		n *= d
	}
	return n
}

// File is a model file in memory.
type File struct {
	// Meta has the entries: uint64, int64, float64, bool, string, or []T of these. Integers of all sizes are uint64 or
	// int64, floats are float64.
	Meta    map[string]any
	Tensors []*Tensor

	name   string
	byName map[string]*Tensor
}

// New makes an empty file, to be written.
func New() *File { return &File{Meta: map[string]any{}, byName: map[string]*Tensor{}} }

// Add appends a tensor; its name must be new.
func (f *File) Add(t *Tensor) {
	f.Tensors = append(f.Tensors, t)
	f.byName[t.Name] = t
}

// Tensor finds a tensor by name, nil for none.
func (f *File) Tensor(name string) *Tensor { return f.byName[name] }

// Shaped finds a tensor that must have these dimensions. The error is ErrMissing.
func (f *File) Shaped(name string, dims ...int) (*Tensor, error) {
	t := f.byName[name]
	if t == nil {
		return nil, f.missing("tensor "+name+" is missing", "use a complete file of a supported architecture")
	}
	if !sameShape(t.Dims, dims) {
		return nil, f.missing(fmt.Sprintf("tensor %s has dimensions %v, and the metadata ask for %v", name, t.Dims, dims), "convert the model again: its metadata and tensors contradict each other")
	}
	return t, nil
}

// sameShape compares dimensions; dimensions of 1 at the end do not count.
func sameShape(a, b []int) bool {
	for i := range max(len(a), len(b)) {
		x, y := 1, 1
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			return false
		}
	}
	return true
}

func (f *File) missing(detail, fix string) error {
	return &fault.Error{Kind: ErrMissing, Subject: f.name, Detail: detail, Fix: fix}
}

// Value is an entry of a type T, as Meta has it. ok is false where there is none; an entry of another type is ErrMissing.
func Value[T any](f *File, key string) (value T, ok bool, err error) {
	v, ok := f.Meta[key]
	if !ok {
		return value, false, nil
	}
	value, is := v.(T)
	if !is {
		return value, false, f.missing(fmt.Sprintf("metadata %s is a %T, expected %T", key, v, value), "convert the model again")
	}
	return value, true, nil
}

// Count is an entry that counts something: an integer from low to high. Without one it is otherwise; a negative otherwise
// means that the entry is required.
func (f *File) Count(key string, low, high, otherwise int) (int, error) {
	v, ok := f.Meta[key]
	if !ok {
		if otherwise < 0 {
			return 0, f.missing("metadata "+key+" is missing", "use a complete file of a supported architecture")
		}
		return otherwise, nil
	}
	n := uint64(math.MaxUint64)
	switch v := v.(type) {
	case uint64:
		n = v
	case int64:
		if v >= 0 {
			n = uint64(v)
		}
	}
	if n < uint64(low) || n > uint64(high) {
		return 0, f.missing(fmt.Sprintf("metadata %s is %v, expected %d to %d", key, v, low, high), "use a smaller model, or convert this one again")
	}
	return int(n), nil
}

// Float is an entry that is a number above 0 and at most high; without one it is otherwise.
func (f *File) Float(key string, high, otherwise float64) (float64, error) {
	v, ok, err := Value[float64](f, key)
	switch {
	case err != nil:
		return 0, err
	case !ok:
		return otherwise, nil
	case !(v > 0 && v <= high):
		return 0, f.missing(fmt.Sprintf("metadata %s is %v, expected above 0 and at most %g", key, v, high), "convert the model again")
	}
	return v, nil
}
