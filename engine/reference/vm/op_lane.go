package vm

import "math"

// canonicalNaN is the only NaN that arithmetic produces.
const canonicalNaN = 0x7FC00000

func float(bits uint32) float32 { return math.Float32frombits(bits) }

// bitsOf gives the bits of a result, with NaN made canonical.
func bitsOf(f float32) uint32 {
	if f != f {
		return canonicalNaN
	}
	return math.Float32bits(f)
}

func truth(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

func choose(cond, yes, no uint32) uint32 {
	if cond != 0 {
		return yes
	}
	return no
}

// unary makes an operation of f, applied to each component of each active lane.
func unary(f func(a uint32) uint32) func(*Group, *step) {
	return func(g *Group, s *step) {
		for at := 0; at < s.span; at += g.lanes {
			dst, a := g.reg(s.d+at), g.reg(s.a+at)
			for _, i := range g.lanesOn() {
				dst[i] = f(a[i])
			}
		}
	}
}

// binary is unary for two operands.
func binary(f func(a, b uint32) uint32) func(*Group, *step) {
	return func(g *Group, s *step) {
		for at := 0; at < s.span; at += g.lanes {
			dst, a, b := g.reg(s.d+at), g.reg(s.a+at), g.reg(s.b+at)
			for _, i := range g.lanesOn() {
				dst[i] = f(a[i], b[i])
			}
		}
	}
}

// ternary is unary for three operands.
func ternary(f func(a, b, c uint32) uint32) func(*Group, *step) {
	return func(g *Group, s *step) {
		for at := 0; at < s.span; at += g.lanes {
			dst, a, b, c := g.reg(s.d+at), g.reg(s.a+at), g.reg(s.b+at), g.reg(s.c+at)
			for _, i := range g.lanesOn() {
				dst[i] = f(a[i], b[i], c[i])
			}
		}
	}
}

func unaryRow(op Op, name string, f func(a uint32) uint32) row {
	return row{op, Info{Name: name, Kinds: lane1, run: unary(f)}}
}

func binaryRow(op Op, name string, f func(a, b uint32) uint32) row {
	return row{op, Info{Name: name, Kinds: lane2, run: binary(f)}}
}

func ternaryRow(op Op, name string, f func(a, b, c uint32) uint32) row {
	return row{op, Info{Name: name, Kinds: lane3, run: ternary(f)}}
}

// float1 lifts a function of floats to words.
func float1(f func(x float32) float32) func(a uint32) uint32 {
	return func(a uint32) uint32 { return bitsOf(f(float(a))) }
}

// float2 is float1 for two operands.
func float2(f func(x, y float32) float32) func(a, b uint32) uint32 {
	return func(a, b uint32) uint32 { return bitsOf(f(float(a), float(b))) }
}

// float3 is float1 for three operands.
func float3(f func(x, y, z float32) float32) func(a, b, c uint32) uint32 {
	return func(a, b, c uint32) uint32 { return bitsOf(f(float(a), float(b), float(c))) }
}
