package gguf

import (
	"encoding/binary"
	"math"
)

// FromHalf is the value of an F16.
func FromHalf(h uint16) float32 {
	sign, exponent, fraction := uint32(h>>15)<<31, uint32(h>>10)&31, uint32(h)&0x3FF
	switch {
	case exponent == 31:
		return math.Float32frombits(sign | 0x7F800000 | fraction<<13)
	case exponent != 0:
		return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
	}
	v := float32(fraction) * 0x1p-24
	return math.Float32frombits(math.Float32bits(v) | sign)
}

// ToHalf rounds to the nearest F16, ties to even; what is too large becomes infinite.
func ToHalf(v float32) uint16 {
	bits := math.Float32bits(v)
	sign, size := uint16(bits>>16)&0x8000, bits&0x7FFFFFFF
	switch {
	case size > 0x7F800000:
		return sign | 0x7E00
	case size >= 0x477FF000: // halfway from the largest F16 to the next power of two
		return sign | 0x7C00
	case size < 0x38800000: // below the smallest normal F16
		return sign | uint16(math.RoundToEven(float64(math.Float32frombits(size))*0x1p24))
	}
	rounded := size - 112<<23 + 0xFFF + size>>13&1
	return sign | uint16(rounded>>13)
}

// Quantize stores weights as Q8_0; their number is a multiple of BlockWeights.
func Quantize(weights []float32) []byte {
	out := make([]byte, 0, len(weights)/BlockWeights*BlockBytes)
	for len(weights) >= BlockWeights {
		block := weights[:BlockWeights]
		weights = weights[BlockWeights:]
		top := float32(0)
		for _, w := range block {
			top = max(top, w, -w)
		}
		half := ToHalf(top / 127)
		scale := FromHalf(half)
		out = append(out, byte(half), byte(half>>8))
		for _, w := range block {
			q := 0.0
			if scale > 0 {
				q = min(max(math.RoundToEven(float64(w)/float64(scale)), -127), 127)
			}
			out = append(out, byte(int8(q)))
		}
	}
	return out
}

// Values writes the weights of a row to the beginning of out. Those of Q8_0 are the products with their scale, rounded to
// float32.
func (t *Tensor) Values(out []float32, row int) {
	n := t.Columns()
	size, _ := t.Type.rowBytes(uint64(n))
	data := t.Data[uint64(row)*size:][:size]
	for i := range n {
		switch t.Type {
		case F32:
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		case F16:
			out[i] = FromHalf(binary.LittleEndian.Uint16(data[2*i:]))
		case Q8:
			b := data[i/BlockWeights*BlockBytes:]
			out[i] = FromHalf(binary.LittleEndian.Uint16(b)) * float32(int8(b[2+i%BlockWeights]))
		}
	}
}

// Widen stores the weights as F32.
func (t *Tensor) Widen() {
	values := make([]float32, t.Columns())
	data := make([]byte, 0, 4*t.Columns()*t.Rows())
	for r := range t.Rows() {
		t.Values(values, r)
		for _, v := range values {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
		}
	}
	t.Type, t.Data = F32, data
}
