package gguf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func sample() *File {
	f := New()
	for key, v := range map[string]any{
		"a": "text", "b": uint64(7), "c": int64(-7), "d": 0.5, "e": 0.1, "f": true, "g": []string{"x", ""}, "h": []float64{1, 2}, "i": []int64{-1}, "j": []bool{true}, "k": []uint64{1 << 40}, "l": uint64(1 << 40),
	} {
		f.Meta[key] = v
	}
	f.Add(&Tensor{Name: "vector", Type: F32, Dims: []int{3}, Data: make([]byte, 12)})
	f.Add(&Tensor{Name: "matrix", Type: Q8, Dims: []int{64, 2}, Data: Quantize(make([]float32, 128))})
	f.Add(&Tensor{Name: "half", Type: F16, Dims: []int{2, 2}, Data: make([]byte, 8)})
	return f
}

func encode(t testing.TB, f *File) []byte {
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	f := sample()
	got, err := Read("x", encode(t, f))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(f.Meta, got.Meta); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(f.Tensors, got.Tensors); d != "" {
		t.Error(d)
	}
	if err := (&File{Meta: map[string]any{"a": struct{}{}}}).Write(&bytes.Buffer{}); err == nil {
		t.Error("a value without a type was written")
	}
}

// TestEveryTruncationIsAnError: no beginning of a file is taken for a file.
func TestEveryTruncationIsAnError(t *testing.T) {
	data := encode(t, sample())
	for n := range len(data) - 31 { // the rest is padding
		if _, err := Read("x", data[:n]); !errors.Is(err, ErrFormat) {
			t.Fatalf("%d of %d bytes: %v", n, len(data), err)
		}
	}
}

// head is a file without metadata that ends behind the given values.
func head(tensors, entries uint64, values ...any) []byte {
	var b bytes.Buffer
	for _, v := range append([]any{uint32(magic), uint32(3), tensors, entries}, values...) {
		if s, ok := v.(string); ok {
			v = append(binary.LittleEndian.AppendUint64(nil, uint64(len(s))), s...)
		}
		_ = binary.Write(&b, binary.LittleEndian, v)
	}
	return b.Bytes()
}

func TestFilesThatLie(t *testing.T) {
	tensor := func(name string, kind uint32, offset uint64, dims ...uint64) []any {
		return []any{name, uint32(len(dims)), dims, kind, offset}
	}
	room := make([]byte, 256)
	with := func(values ...any) []any { return append(values, room) }
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"not GGUF":             {[]byte("GGML and so on"), ErrFormat},
		"version 1":            {append(binary.LittleEndian.AppendUint32([]byte("GGUF"), 1), room...), ErrUnsupported},
		"big-endian":           {append([]byte("GGUF\x00\x00\x00\x03"), room...), ErrUnsupported},
		"too many tensors":     {head(1<<60, 0, room), ErrFormat},
		"too many entries":     {head(0, 1<<60, room), ErrFormat},
		"long key":             {head(0, 1, uint64(1<<50), room), ErrFormat},
		"unknown value":        {head(0, 1, "a", uint32(99), room), ErrFormat},
		"list of lists":        {head(0, 1, "a", uint32(tArray), uint32(tArray), uint64(1), room), ErrUnsupported},
		"long list":            {head(0, 1, "a", uint32(tArray), uint32(tU8), uint64(1<<40), room), ErrFormat},
		"key twice":            {head(0, 2, "a", uint32(tU8), uint8(1), "a", uint32(tU8), uint8(1), room), ErrFormat},
		"no dimension":         {head(1, 0, with(tensor("t", 0, 0)...)...), ErrFormat},
		"five dimensions":      {head(1, 0, with(tensor("t", 0, 0, 1, 1, 1, 1, 1)...)...), ErrFormat},
		"dimension of 0":       {head(1, 0, with(tensor("t", 0, 0, 0)...)...), ErrFormat},
		"product of 2^64":      {head(1, 0, with(tensor("t", 0, 0, 1<<30, 1<<30, 16)...)...), ErrFormat},
		"larger than the file": {head(1, 0, with(tensor("t", 0, 0, 100)...)...), ErrFormat},
		"offset of 2^64":       {head(1, 0, with(tensor("t", 0, math.MaxUint64, 4)...)...), ErrFormat},
		"unknown type":         {head(1, 0, with(tensor("t", 14, 0, 4)...)...), ErrUnsupported},
		"part of a block":      {head(1, 0, with(tensor("t", 8, 0, 33)...)...), ErrFormat},
		"name twice":           {head(2, 0, with(append(tensor("t", 0, 0, 4), tensor("t", 0, 32, 4)...)...)...), ErrFormat},
		"alignment of 0":       {head(0, 1, "general.alignment", uint32(tU32), uint32(0), room), ErrMissing},
	} {
		_, err := Read("x", c.data)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// TestHalvesAreExact: each F16 is the float32 that becomes it again, and what lies between two becomes the nearer one.
func TestHalvesAreExact(t *testing.T) {
	for h := range 1 << 16 {
		v := FromHalf(uint16(h))
		if v != v {
			if got := FromHalf(ToHalf(v)); got == got {
				t.Fatalf("%#x: a NaN became %g", h, got)
			}
			continue
		}
		if got := ToHalf(v); got != uint16(h) {
			t.Fatalf("%#x is %g, which is %#x", h, v, got)
		}
		next := FromHalf(uint16(h + 1))
		if h&0x7FFF >= 0x7BFF || h == 0xFFFF {
			continue
		}
		middle, even := v+(next-v)/2, uint16(h+h&1)
		if got := ToHalf(middle); got != even {
			t.Fatalf("between %#x and the next: %#x, want the even one", h, got)
		}
	}
	if ToHalf(1e30) != 0x7C00 || ToHalf(-1e30) != 0xFC00 || ToHalf(1e-30) != 0 {
		t.Error("what is out of range must become infinite or 0")
	}
}

// TestQuantizedWeightsAreClose: a weight is at most half a step off, and F16 scales of the largest weight add a little.
func TestQuantizedWeightsAreClose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weights := rapid.SliceOfN(rapid.Float32Range(-8, 8), BlockWeights, BlockWeights).Draw(t, "weights")
		x := &Tensor{Type: Q8, Dims: []int{BlockWeights}, Data: Quantize(weights)}
		got, top := make([]float32, BlockWeights), float32(0)
		x.Values(got, 0)
		for _, w := range weights {
			top = max(top, w, -w)
		}
		for i, w := range weights {
			if d := math.Abs(float64(got[i] - w)); d > float64(top)/127*0.57+1e-5 {
				t.Fatalf("weight %d is %g, stored %g, the largest is %g", i, w, got[i], top)
			}
		}
	})
}

// TestWidenedWeightsAreTheSame: values do not change when they are stored as F32.
func TestWidenedWeightsAreTheSame(t *testing.T) {
	weights := make([]float32, 2*BlockWeights)
	for i := range weights {
		weights[i] = float32(i) / 7
	}
	x := &Tensor{Type: Q8, Dims: []int{BlockWeights, 2}, Data: Quantize(weights)}
	before, after := make([]float32, BlockWeights), make([]float32, BlockWeights)
	x.Values(before, 1)
	x.Widen()
	x.Values(after, 1)
	if d := cmp.Diff(before, after); d != "" || x.Type != F32 {
		t.Error(d, x.Type)
	}
}

// FuzzRead: no file makes the reader panic or take memory that the file does not have.
func FuzzRead(f *testing.F) {
	f.Add(encode(f, sample()))
	f.Add(head(1, 0, "t", uint32(1), uint64(4), uint32(0), uint64(0), make([]byte, 64)))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Read("x", data)
		if err != nil {
			if !strings.Contains(err.Error(), "Fix: ") {
				t.Errorf("an error that does not say what to do: %v", err)
			}
			return
		}
		for _, x := range file.Tensors {
			size, _ := x.Type.rowBytes(uint64(x.Columns()))
			if uint64(len(x.Data)) != size*uint64(x.Rows()) {
				t.Errorf("tensor %q has %d bytes", x.Name, len(x.Data))
			}
		}
	})
}
