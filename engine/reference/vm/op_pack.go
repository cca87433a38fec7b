package vm

import "vyretop/engine/glsl/floats"

// packKinds is a vector packed into one word; unpackKinds is the reverse.
var (
	packKinds   = [4]Kind{KindDst1, KindSrc}
	unpackKinds = [4]Kind{KindDst, KindSrc1}
)

// GLSL 4.50 section 8.4, as package floats defines it.
var packOps = []row{
	{OpPackUnorm2x16, Info{Name: "pack.unorm.2x16", Kinds: packKinds, run: pack(16, packed(floats.Unorm16))}},
	{OpPackSnorm2x16, Info{Name: "pack.snorm.2x16", Kinds: packKinds, run: pack(16, packed(floats.Snorm16))}},
	{OpPackUnorm4x8, Info{Name: "pack.unorm.4x8", Kinds: packKinds, run: pack(8, packed(floats.Unorm8))}},
	{OpPackSnorm4x8, Info{Name: "pack.snorm.4x8", Kinds: packKinds, run: pack(8, packed(floats.Snorm8))}},
	{OpPackHalf2x16, Info{Name: "pack.half.2x16", Kinds: packKinds, run: pack(16, packed(floats.Half))}},
	{OpUnpackUnorm2x16, Info{Name: "unpack.unorm.2x16", Kinds: unpackKinds, run: unpack(16, unpacked(floats.FromUnorm16))}},
	{OpUnpackSnorm2x16, Info{Name: "unpack.snorm.2x16", Kinds: unpackKinds, run: unpack(16, unpacked(floats.FromSnorm16))}},
	{OpUnpackUnorm4x8, Info{Name: "unpack.unorm.4x8", Kinds: unpackKinds, run: unpack(8, unpacked(floats.FromUnorm8))}},
	{OpUnpackSnorm4x8, Info{Name: "unpack.snorm.4x8", Kinds: unpackKinds, run: unpack(8, unpacked(floats.FromSnorm8))}},
	{OpUnpackHalf2x16, Info{Name: "unpack.half.2x16", Kinds: unpackKinds, run: unpack(16, unpacked(floats.FromHalf))}},
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

// packed and unpacked lift a conversion to words.
func packed(f func(x float32) uint32) func(uint32) uint32 {
	return func(a uint32) uint32 { return f(float(a)) }
}

func unpacked(f func(n uint32) float32) func(uint32) uint32 {
	return func(n uint32) uint32 { return bitsOf(f(n)) }
}
