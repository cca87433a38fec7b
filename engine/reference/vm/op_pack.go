package vm

import "math"

// packKinds is a vector packed into one word; unpackKinds is the reverse.
var (
	packKinds   = [4]Kind{KindDst1, KindSrc}
	unpackKinds = [4]Kind{KindDst, KindSrc1}
)

// GLSL 4.50 section 8.4. Rounding is to nearest even.
var packOps = []row{
	{OpPackUnorm2x16, Info{Name: "pack.unorm.2x16", Kinds: packKinds, run: pack(16, unorm(65535))}},
	{OpPackSnorm2x16, Info{Name: "pack.snorm.2x16", Kinds: packKinds, run: pack(16, snorm(32767))}},
	{OpPackUnorm4x8, Info{Name: "pack.unorm.4x8", Kinds: packKinds, run: pack(8, unorm(255))}},
	{OpPackSnorm4x8, Info{Name: "pack.snorm.4x8", Kinds: packKinds, run: pack(8, snorm(127))}},
	{OpPackHalf2x16, Info{Name: "pack.half.2x16", Kinds: packKinds, run: pack(16, toHalf)}},
	{OpUnpackUnorm2x16, Info{Name: "unpack.unorm.2x16", Kinds: unpackKinds, run: unpack(16, fromUnorm(65535))}},
	{OpUnpackSnorm2x16, Info{Name: "unpack.snorm.2x16", Kinds: unpackKinds, run: unpack(16, fromSnorm(16, 32767))}},
	{OpUnpackUnorm4x8, Info{Name: "unpack.unorm.4x8", Kinds: unpackKinds, run: unpack(8, fromUnorm(255))}},
	{OpUnpackSnorm4x8, Info{Name: "unpack.snorm.4x8", Kinds: unpackKinds, run: unpack(8, fromSnorm(8, 127))}},
	{OpUnpackHalf2x16, Info{Name: "unpack.half.2x16", Kinds: unpackKinds, run: unpack(16, fromHalf)}},
}

// pack makes an operation that puts the low bits of f of each component side by side, the first
// component lowest.
func pack(bits uint32, f func(uint32) uint32) func(*Group, *step) {
	return func(g *Group, s *step) {
		dst := g.reg(s.d)
		for _, i := range g.lanesOn() {
			var word uint32
			for k := range s.n {
				part := f(g.regs[s.a+k*g.lanes+int(i)]) & (1<<bits - 1)
				word |= part << (bits * uint32(k))
			}
			dst[i] = word
		}
	}
}

// unpack makes the reverse operation.
func unpack(bits uint32, f func(uint32) uint32) func(*Group, *step) {
	return func(g *Group, s *step) {
		for _, i := range g.lanesOn() {
			word := g.reg(s.a)[i]
			for k := range s.n {
				part := word >> (bits * uint32(k)) & (1<<bits - 1)
				g.regs[s.d+k*g.lanes+int(i)] = f(part)
			}
		}
	}
}

func unorm(scale float32) func(uint32) uint32 { return fixed(0, scale) }

func snorm(scale float32) func(uint32) uint32 { return fixed(-1, scale) }

// fixed clamps a float to low..1, scales it and rounds it to an integer.
func fixed(low, scale float32) func(uint32) uint32 {
	return func(a uint32) uint32 {
		x := float32(minFloat(maxFloat(float(a), low), 1) * scale)
		return floatToInt(math.Float32bits(float32(math.RoundToEven(float64(x)))))
	}
}

func fromUnorm(scale float32) func(uint32) uint32 {
	return func(part uint32) uint32 { return bitsOf(float32(part) / scale) }
}

func fromSnorm(width uint32, scale float32) func(uint32) uint32 {
	return func(part uint32) uint32 {
		signed := int32(part<<(32-width)) >> (32 - width)
		return bitsOf(minFloat(maxFloat(float32(signed)/scale, -1), 1))
	}
}

// toHalf converts to an IEEE half, rounding to nearest even; NaN becomes 0x7E00.
func toHalf(a uint32) uint32 {
	sign := a >> 16 & 0x8000
	abs := a & 0x7FFFFFFF
	switch {
	case abs > 0x7F800000:
		return sign | 0x7E00
	case abs >= 0x47800000: // 65536 and above, infinity too
		return sign | 0x7C00
	case abs < 0x38800000: // below the least normal half: count steps of 2^-24
		return sign | uint32(math.RoundToEven(float64(float(abs))*(1<<24)))
	default: // a carry out of the fraction goes to the exponent, up to infinity
		rebased := abs - (127-15)<<23
		return sign | (rebased+0xFFF+rebased>>13&1)>>13
	}
}

// fromHalf converts an IEEE half exactly.
func fromHalf(h uint32) uint32 {
	sign, exponent, fraction := h>>15<<31, h>>10&31, h&0x3FF
	switch exponent {
	case 0:
		return sign | math.Float32bits(float32(fraction)/(1<<24))
	case 31:
		return bitsOf(float(sign | 0x7F800000 | fraction<<13))
	default:
		return sign | (exponent+127-15)<<23 | fraction<<13
	}
}
