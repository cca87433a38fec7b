package floats

// The functions of this file are on doubles. A device is trusted with their sums, differences, products and comparisons.

// topOfNaN is the upper word of the NaN that arithmetic on doubles produces.
const topOfNaN = 0x7FF80000

// topOfInfinity is the upper word of the infinity of doubles.
const topOfInfinity = 0x7FF00000

func topD(x float64) uint32 { return high(x) & 0x7FFFFFFF }

func signOfD(x float64) uint32 { return high(x) & signBit }

// exponentD is the exponent of x as it is stored: 0 for zeros and denormals, 2047 for infinities and NaN.
func exponentD(x float64) uint32 { return topD(x) >> 20 }

// IsNaND reports whether x is not a number.
func IsNaND(x float64) bool {
	return topD(x) > topOfInfinity || topD(x) == topOfInfinity && low(x) != 0
}

// IsInfD reports whether x is infinite.
func IsInfD(x float64) bool { return topD(x) == topOfInfinity && low(x) == 0 }

// isZeroD compares bits, as the functions below do where it matters that no compiler knows better.
func isZeroD(x float64) bool { return topD(x)|low(x) == 0 }

// NanD gives a NaN the bits that arithmetic produces.
func NanD(x float64) float64 {
	if IsNaND(x) {
		return join(topOfNaN, 0)
	}
	return x
}

// NegD changes the sign.
func NegD(x float64) float64 { return join(high(x)^signBit, low(x)) }

// AbsD clears the sign.
func AbsD(x float64) float64 { return join(topD(x), low(x)) }

// SignD is 1, -1 or 0, and NaN for NaN.
func SignD(x float64) float64 {
	if IsNaND(x) {
		return x
	}
	if isZeroD(x) {
		return join(0, 0)
	}
	return join(0x3FF00000|signOfD(x), 0)
}

// orderD maps doubles that are no NaN to words that compare as they do: those of the magnitude, and below zero their complement.
// Zeros are equal.
func orderD(x float64) uint32 {
	if isZeroD(x) {
		return signBit
	}
	if signOfD(x) != 0 {
		return ^high(x)
	}
	return high(x) | signBit
}

func orderLowD(x float64) uint32 {
	if isZeroD(x) {
		return 0
	}
	if signOfD(x) != 0 {
		return ^low(x)
	}
	return low(x)
}

// LessD is x < y, false where one is NaN.
func LessD(x, y float64) bool {
	if IsNaND(x) || IsNaND(y) {
		return false
	}
	a := orderD(x)
	b := orderD(y)
	return a < b || a == b && orderLowD(x) < orderLowD(y)
}

// LessEqualD is x <= y, false where one is NaN.
func LessEqualD(x, y float64) bool {
	return LessD(x, y) || EqualD(x, y)
}

// EqualD is x == y, false where one is NaN.
func EqualD(x, y float64) bool {
	if IsNaND(x) || IsNaND(y) {
		return false
	}
	return orderD(x) == orderD(y) && orderLowD(x) == orderLowD(y)
}

// MinD is y when y < x and else x, as Min.
func MinD(x, y float64) float64 {
	if LessD(y, x) {
		return y
	}
	return x
}

// MaxD is y when x < y and else x.
func MaxD(x, y float64) float64 {
	if LessD(x, y) {
		return y
	}
	return x
}

// ClampD is min(max(x, least), greatest).
func ClampD(x, least, greatest float64) float64 { return MinD(MaxD(x, least), greatest) }

// StepD is 0 when x < edge and else 1.
func StepD(edge, x float64) float64 {
	if LessD(x, edge) {
		return join(0, 0)
	}
	return oneD()
}

// oneD is 1, of which compilers do not know.
func oneD() float64 { return veiled(1) }

// MixD is x*(1-a) + y*a, each step rounded.
func MixD(x, y, a float64) float64 {
	one := oneD()
	rest := one - a
	return float64(x*rest) + float64(y*a)
}

// SmoothStepD is t*t*(3-2*t) with t = clamp((x-least)/(greatest-least), 0, 1), each step rounded.
func SmoothStepD(least, greatest, x float64) float64 {
	part := x - least
	whole := greatest - least
	t := ClampD(DivD(part, whole), join(0, 0), oneD())
	twice := veiled(2) * t
	rest := veiled(3) - twice
	return float64(t*t) * rest
}

// TruncD drops the fraction.
func TruncD(x float64) float64 {
	e := exponentD(x)
	if e < 1023 {
		return join(signOfD(x), 0)
	}
	if e < 1043 {
		return join(high(x)&(0xFFFFFFFF<<(1043-e)), 0)
	}
	if e < 1075 {
		return join(high(x), low(x)&(0xFFFFFFFF<<(1074-e)<<1))
	}
	return x
}

// FloorD is the greatest whole number not above x.
func FloorD(x float64) float64 {
	t := TruncD(x)
	if LessD(x, t) {
		return t - oneD()
	}
	return t
}

// CeilD is the least whole number not below x.
func CeilD(x float64) float64 {
	t := TruncD(x)
	if LessD(t, x) {
		up := t + oneD()
		return join(topD(up)|signOfD(x), low(up))
	}
	return t
}

// RoundEvenD is the nearest whole number, the even one of two.
func RoundEvenD(x float64) float64 {
	if exponentD(x) >= 1075 {
		return x
	}
	steps := join(0x43300000, 0)
	up := AbsD(x) + veiled(steps)
	whole := up - veiled(steps)
	return join(high(whole)|signOfD(x), low(whole))
}

// FractD is x - floor(x).
func FractD(x float64) float64 {
	whole := FloorD(x)
	return x - whole
}

// ModD is x - y*floor(x/y), each step rounded.
func ModD(x, y float64) float64 {
	whole := FloorD(DivD(x, y))
	return x - float64(y*whole)
}

// InverseSqrtD is 1/sqrt(x), each step rounded.
func InverseSqrtD(x float64) float64 { return DivD(oneD(), SqrtD(x)) }
