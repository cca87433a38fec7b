package fold

import (
	"vyretop/engine/glsl/floats"
	"vyretop/engine/glsl/tree"
)

// A component of 8 or 16 bits is held as one of 32 bits is, with the same value: see package narrow.

// Narrow makes a component of the kind of 32 bits one of kind k: an integer keeps its low bits, a float is rounded. Components of other
// kinds stay as they are.
func Narrow(k tree.Kind, x uint32) uint32 {
	switch k {
	case tree.KindInt8:
		return uint32(int32(int8(x)))
	case tree.KindUint8:
		return uint32(uint8(x))
	case tree.KindInt16:
		return uint32(int32(int16(x)))
	case tree.KindUint16:
		return uint32(uint16(x))
	case tree.KindFloat16:
		return fromFloat(floats.FromHalf(floats.Half(toFloat(x))))
	}
	return x
}

// binaryNarrow is Binary for a narrow kind; the amount of a shift counts modulo the number of bits.
func binaryNarrow(op tree.BinaryOp, k tree.Kind, x, y uint32) uint32 {
	if op.IsShift() {
		y &= uint32(8*k.Bytes() - 1)
	}
	v := Binary(op, k.Wide(), x, y)
	if op.IsRelational() || op.IsEquality() {
		return v
	}
	return Narrow(k, v)
}

// NarrowWords makes the components of a value those of kind k.
func NarrowWords(k tree.Kind, words []uint32) []uint32 {
	if !k.IsNarrow() {
		return words
	}
	out := make([]uint32, len(words))
	for i, w := range words {
		out[i] = Narrow(k, w)
	}
	return out
}

// wideSignature is the overload with the kinds of 32 bits in the place of narrow ones.
func wideSignature(s *tree.Signature) *tree.Signature {
	w := &tree.Signature{Result: s.Result.Widened()}
	for _, q := range s.Params {
		q.Type = q.Type.Widened()
		w.Params = append(w.Params, q)
	}
	return w
}

// hasNarrow reports whether a component of the result or an argument is narrow.
func hasNarrow(s *tree.Signature) bool {
	for _, q := range s.Params {
		if q.Type.ComponentKind().IsNarrow() {
			return true
		}
	}
	return s.Result.ComponentKind().IsNarrow()
}

// Loaded is the component that lies in memory, offset bytes into a buffer, in the word there. Of 64 bits it is that word.
func Loaded(k tree.Kind, offset int, word uint32) uint32 {
	word >>= shiftIn(k, offset)
	if k == tree.KindFloat16 {
		return fromFloat(floats.FromHalf(word & 0xFFFF))
	}
	return Narrow(k, word)
}

// Stored gives the bits of a component in the word in which it lies in memory, offset bytes into a buffer, and which bits of the word are its own.
func Stored(k tree.Kind, offset int, x uint32) (bits, mask uint32) {
	if !k.IsNarrow() {
		return x, ^uint32(0)
	}
	if k == tree.KindFloat16 {
		x = floats.Half(toFloat(x))
	}
	mask = (1<<(8*k.Bytes()) - 1) << shiftIn(k, offset)
	return x << shiftIn(k, offset) & mask, mask
}

func shiftIn(k tree.Kind, offset int) int {
	if !k.IsNarrow() {
		return 0
	}
	return offset % 4 * 8
}
