package floats

// pow2 is 2^n for n from -1022 to 1023.
func pow2(n int32) float64 { return join(uint32(n+1023)<<20, 0) }

// Ldexp is x * 2^n, rounded once.
func Ldexp(x float32, n int32) float32 {
	if n > 600 {
		n = 600
	}
	if n < -600 {
		n = -600
	}
	d := wide(x) * pow2(n)
	return narrow(d)
}

// FrexpSig is the significand of x, of magnitude 0.5 to 1; zeros, infinities and NaN are their own.
func FrexpSig(x float32) float32 {
	if x == 0 || !isFinite(x) {
		return x
	}
	d := wide(x)
	return narrow(join(high(d)&0x800FFFFF|0x3FE00000, low(d)))
}

// FrexpExp is the exponent that belongs to FrexpSig; that of zeros, infinities and NaN is 0.
func FrexpExp(x float32) int32 {
	if x == 0 || !isFinite(x) {
		return 0
	}
	return int32(high(wide(x))>>20&0x7FF) - 1022
}

// Radians is x * π/180, rounded once.
func Radians(x float32) float32 {
	d := wide(x) * (pi / 180)
	return narrow(d)
}

// Degrees is x * 180/π, rounded once.
func Degrees(x float32) float32 {
	d := wide(x) * (180 / pi)
	return narrow(d)
}
