package reference

import (
	"math"
	"math/big"
)

func packCases() []exprCase {
	unorm := func(n uint) func(a, b, c uint32) uint32 { return packed(n, 0, float32(uint32(1)<<n-1)) }
	snorm := func(n uint) func(a, b, c uint32) uint32 { return packed(n, -1, float32(uint32(1)<<(n-1)-1)) }
	return []exprCase{
		{"ff", "uint", "packUnorm2x16(vec2(a, b))", unorm(16), ""},
		{"ff", "uint", "packSnorm2x16(vec2(a, b))", snorm(16), ""},
		{"ff", "uint", "packUnorm4x8(vec4(a, b, 0.0, 0.0))", unorm(8), ""},
		{"ff", "uint", "packSnorm4x8(vec4(a, b, 0.0, 0.0))", snorm(8), ""},
		{"u", "float", "unpackUnorm2x16(a).y", func(a, _, _ uint32) uint32 { return word(float32(a>>16) / 65535) }, ""},
		{"u", "float", "unpackSnorm2x16(a).x", func(a, _, _ uint32) uint32 { return word(max(float32(int16(a))/32767, -1)) }, ""},
		{"u", "float", "unpackUnorm4x8(a).w", func(a, _, _ uint32) uint32 { return word(float32(a>>24) / 255) }, ""},
		{"u", "float", "unpackSnorm4x8(a).z", func(a, _, _ uint32) uint32 { return word(max(float32(int8(a>>16))/127, -1)) }, ""},
		{"u", "float", "unpackHalf2x16(a).x", func(a, _, _ uint32) uint32 { return word(halfValue(a & 0xFFFF)) }, ""},
		{"u", "float", "unpackHalf2x16(a).y", func(a, _, _ uint32) uint32 { return word(halfValue(a >> 16)) }, ""},
		{"u", "uint", "packHalf2x16(unpackHalf2x16(a))", func(a, _, _ uint32) uint32 { return oneNaN(a&0xFFFF) | oneNaN(a>>16)<<16 }, ""},
		{"f", "uint", "packHalf2x16(vec2(a, 0.0))", func(a, _, _ uint32) uint32 { return nearestHalf(math.Float32frombits(a)) }, ""},
	}
}

// packed scales and rounds two floats into fields of n bits.
func packed(n uint, low, scale float32) func(a, b, c uint32) uint32 {
	one := func(v uint32) uint32 {
		f := math.Float32frombits(v)
		switch {
		case f != f:
			return 0
		case f < low:
			f = low
		case f > 1:
			f = 1
		}
		return uint32(int32(math.RoundToEven(float64(f*scale)))) & (1<<n - 1)
	}
	return func(a, b, _ uint32) uint32 { return one(a) | one(b)<<n }
}

// halfValue reads an IEEE half from its definition.
func halfValue(h uint32) float32 {
	sign, exponent, fraction := 1-2*float64(h>>15), int(h>>10&31), float64(h&0x3FF)
	switch {
	case exponent == 31 && fraction != 0:
		return float32(math.NaN())
	case exponent == 31:
		return float32(math.Inf(int(sign)))
	case exponent == 0:
		return float32(math.Copysign(math.Ldexp(fraction, -24), sign))
	default:
		return float32(sign * math.Ldexp(1024+fraction, exponent-25))
	}
}

// oneNaN maps every half that is a NaN to 0x7E00 and leaves the others.
func oneNaN(h uint32) uint32 {
	if h&0x7C00 == 0x7C00 && h&0x3FF != 0 {
		return 0x7E00
	}
	return h
}

// nearestHalf searches all halves for the nearest one; of two equally near the even one. What is as far
// as the step beyond the largest half is infinite.
func nearestHalf(f float32) uint32 {
	sign := math.Float32bits(f) >> 31 << 15
	x := math.Abs(float64(f))
	switch {
	case x != x:
		return sign | 0x7E00
	case x >= 65520:
		return sign | 0x7C00
	}
	best := uint32(0)
	for h := uint32(1); h < 0x7C00; h++ {
		near, was := math.Abs(float64(halfValue(h))-x), math.Abs(float64(halfValue(best))-x)
		if near < was || near == was && h&1 == 0 {
			best = h
		}
	}
	return sign | best
}

func commonCases() []exprCase {
	least := func(a, b float32) float32 { return pick(b < a, b, a) }
	most := func(a, b float32) float32 { return pick(a < b, b, a) }
	round := func(f func(float64) float64) func(a, b, c uint32) uint32 { return d1(f) }
	return []exprCase{
		{"f", "float", "abs(a)", f1(func(a float32) float32 { return float32(math.Abs(float64(a))) }), ""},
		{"i", "int", "abs(a)", i1(func(a int32) int32 { return pick(a < 0, -a, a) }), ""},
		{"f", "float", "sign(a)", f1(func(a float32) float32 {
			return pick(a > 0, 1, pick(a < 0, -1, pick(a == 0, 0, a)))
		}), ""},
		{"i", "int", "sign(a)", i1(func(a int32) int32 { return pick[int32](a > 0, 1, pick[int32](a < 0, -1, 0)) }), ""},
		{"f", "float", "floor(a)", round(math.Floor), ""},
		{"f", "float", "trunc(a)", round(math.Trunc), ""},
		{"f", "float", "round(a)", round(math.RoundToEven), ""},
		{"f", "float", "roundEven(a)", round(math.RoundToEven), ""},
		{"f", "float", "ceil(a)", round(math.Ceil), ""},
		{"f", "float", "fract(a)", f1(func(a float32) float32 { return a - float32(math.Floor(float64(a))) }), ""},
		{"ff", "float", "mod(a, b)", f2(func(a, b float32) float32 {
			return a - float32(b*float32(math.Floor(float64(a/b))))
		}), ""},
		{"f", "float", "modf(a, o) * 8.0 + o", f1(func(a float32) float32 {
			whole := float32(math.Trunc(float64(a)))
			return float32(float32(a-whole)*8) + whole
		}), "float o;"},
		{"ff", "float", "min(a, b)", f2(least), ""},
		{"ff", "float", "max(a, b)", f2(most), ""},
		{"ii", "int", "min(a, b)", i2(func(a, b int32) int32 { return min(a, b) }), ""},
		{"ii", "int", "max(a, b)", i2(func(a, b int32) int32 { return max(a, b) }), ""},
		{"uu", "uint", "min(a, b)", u2(func(a, b uint32) uint32 { return min(a, b) }), ""},
		{"uu", "uint", "max(a, b)", u2(func(a, b uint32) uint32 { return max(a, b) }), ""},
		{"f", "float", "clamp(a, -1.0, 2.0)", f1(func(a float32) float32 { return least(most(a, -1), 2) }), ""},
		{"i", "int", "clamp(a, -5, 40)", i1(func(a int32) int32 { return min(max(a, -5), 40) }), ""},
		{"fff", "float", "min3(a, b, c)", f3(func(a, b, c float32) float32 { return least(least(a, b), c) }), ""},
		{"fff", "float", "max3(a, b, c)", f3(func(a, b, c float32) float32 { return most(most(a, b), c) }), ""},
		{"fff", "float", "mid3(vec2(a, 1), vec2(b, 2), vec2(c, 3)).x", f3(func(a, b, c float32) float32 { return most(least(a, b), least(most(a, b), c)) }), ""},
		{"iii", "int", "mid3(a, b, c)", func(a, b, c uint32) uint32 {
			x, y, z := int32(a), int32(b), int32(c)
			return uint32(x + y + z - min(x, y, z) - max(x, y, z))
		}, ""},
		{"uuu", "uint", "min3(a, b, c) ^ max3(c, b, a)", func(a, b, c uint32) uint32 { return min(a, b, c) ^ max(a, b, c) }, ""},
		{"u", "uint", "clamp(a, 3u, 40u)", func(a, _, _ uint32) uint32 { return min(max(a, 3), 40) }, ""},
		{"fff", "float", "mix(a, b, c)", f3(func(a, b, c float32) float32 {
			return float32(a*float32(1-c)) + float32(b*c)
		}), ""},
		{"ii", "int", "mix(a, b, a > b)", i2(func(a, b int32) int32 { return min(a, b) }), ""},
		{"ff", "float", "step(a, b)", f2(func(a, b float32) float32 { return pick[float32](b < a, 0, 1) }), ""},
		{"f", "float", "smoothstep(-1.0, 3.0, a)", f1(func(a float32) float32 {
			t := least(most(float32(a+1)/4, 0), 1)
			return float32(float32(t*t) * float32(3-float32(2*t)))
		}), ""},
		{"f", "bool", "isnan(a)", fb(func(a, _ float32) bool { return a != a }), ""},
		{"f", "bool", "isinf(a)", fb(func(a, _ float32) bool { return math.IsInf(float64(a), 0) }), ""},
		{"fff", "float", "fma(a, b, c)", f3(exactFma), ""},
		{"f", "float", "frexp(a, o) + float(o)", f1(func(a float32) float32 {
			f, e := math.Frexp(float64(a))
			return float32(f) + float32(e)
		}), "int o;"},
		{"fi", "float", "ldexp(a, b)", func(a, b, _ uint32) uint32 {
			return word(float32(math.Ldexp(float64(math.Float32frombits(a)), int(int32(b)))))
		}, ""},
	}
}

// exactFma computes a*b+c without any rounding but the last.
func exactFma(a, b, c float32) float32 {
	for _, x := range []float32{a, b, c} {
		if x != x || math.IsInf(float64(x), 0) {
			return float32(float64(a)*float64(b) + float64(c))
		}
	}
	x := new(big.Float).SetPrec(2000).Mul(big.NewFloat(float64(a)), big.NewFloat(float64(b)))
	x.Add(x, big.NewFloat(float64(c)))
	if x.Sign() == 0 {
		return float32(float64(a)*float64(b) + float64(c))
	}
	f, _ := x.Float32()
	return f
}

func mathCases() []exprCase {
	return []exprCase{
		{"f", "float", "sqrt(a)", d1(math.Sqrt), ""},
		{"f", "float", "inversesqrt(a)", d1(func(x float64) float64 { return 1 / math.Sqrt(x) }), ""},
		{"f", "float", "radians(a)", d1(func(x float64) float64 { return x * (math.Pi / 180) }), ""},
		{"f", "float", "degrees(a)", d1(func(x float64) float64 { return x * (180 / math.Pi) }), ""},
		{"f", "float", "sin(a)", d1(math.Sin), ""},
		{"f", "float", "cos(a)", d1(math.Cos), ""},
		{"f", "float", "tan(a)", d1(math.Tan), ""},
		{"f", "float", "asin(a)", d1(math.Asin), ""},
		{"f", "float", "acos(a)", d1(math.Acos), ""},
		{"f", "float", "atan(a)", d1(math.Atan), ""},
		{"ff", "float", "atan(a, b)", f2(func(a, b float32) float32 { return float32(math.Atan2(float64(a), float64(b))) }), ""},
		{"f", "float", "sinh(a)", d1(math.Sinh), ""},
		{"f", "float", "cosh(a)", d1(math.Cosh), ""},
		{"f", "float", "tanh(a)", d1(math.Tanh), ""},
		{"f", "float", "asinh(a)", d1(math.Asinh), ""},
		{"f", "float", "acosh(a)", d1(math.Acosh), ""},
		{"f", "float", "atanh(a)", d1(math.Atanh), ""},
		{"ff", "float", "pow(a, b)", f2(func(a, b float32) float32 { return float32(math.Pow(float64(a), float64(b))) }), ""},
		{"f", "float", "exp(a)", d1(math.Exp), ""},
		{"f", "float", "log(a)", d1(math.Log), ""},
		{"f", "float", "exp2(a)", d1(math.Exp2), ""},
		{"f", "float", "log2(a)", d1(math.Log2), ""},
		{"ff", "float", "length(vec2(a, b))", f2(func(a, b float32) float32 {
			return float32(math.Sqrt(float64(float32(a*a) + float32(b*b))))
		}), ""},
		{"f", "float", "length(a)", f1(func(a float32) float32 { return float32(math.Abs(float64(a))) }), ""},
		{"ff", "float", "distance(vec3(a, b, 1.0), vec3(b, a, 1.0))", f2(func(a, b float32) float32 {
			x, y := float32(a-b), float32(b-a)
			return float32(math.Sqrt(float64(float32(x*x) + float32(y*y))))
		}), ""},
		{"fff", "float", "dot(vec3(a, b, c), vec3(b, c, a))", f3(func(a, b, c float32) float32 {
			return float32(float32(a*b)+float32(b*c)) + float32(c*a)
		}), ""},
		{"fff", "float", "cross(vec3(a, b, c), vec3(b, c, a)).x", f3(func(a, b, c float32) float32 {
			return float32(b*a) - float32(c*c)
		}), ""},
		{"fff", "float", "matrixCompMult(mat2(a, b, c, a), mat2(c, a, b, b))[1].x", f3(func(_, b, c float32) float32 { return c * b }), ""},
		{"ff", "float", "outerProduct(vec3(a, 1, 2), vec2(3, b))[1].x", f2(func(a, b float32) float32 { return a * b }), ""},
		{"fff", "float", "transpose(mat3x2(a, b, 1, c, 2, 3))[1].y", func(_, _, c uint32) uint32 { return c }, ""},
		{"fff", "float", "determinant(mat2(a, b, c, a))", f3(func(a, b, c float32) float32 { return float32(a*a) - float32(c*b) }), ""},
		{"fff", "float", "inverse(mat2(a, b, c, a))[0].y", f3(func(a, b, c float32) float32 { return -b / (float32(a*a) - float32(c*b)) }), ""},
		{"fff", "float", "faceforward(a, b, c)", func(a, b, c uint32) uint32 {
			if math.Float32frombits(c)*math.Float32frombits(b) < 0 {
				return a
			}
			return word(-math.Float32frombits(a))
		}, ""},
		{"ff", "float", "reflect(a, b)", f2(func(a, b float32) float32 { return a - float32(float32(2*float32(b*a))*b) }), ""},
		{"fff", "float", "refract(a, b, c)", f3(func(i, n, eta float32) float32 {
			d := float32(n * i)
			k := 1 - float32(float32(eta*eta)*(1-float32(d*d)))
			if k < 0 {
				return 0
			}
			return float32(eta*i) - float32((float32(eta*d)+float32(math.Sqrt(float64(k))))*n)
		}), ""},
		{"ff", "float", "normalize(vec2(a, b)).y", f2(func(a, b float32) float32 {
			return b / float32(math.Sqrt(float64(float32(a*a)+float32(b*b))))
		}), ""},
	}
}
