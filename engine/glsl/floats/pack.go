package floats

// scaled clamps x, scales it and rounds it to an integer: the fixed-point conversions of GLSL 4.50
// section 8.4. Of a NaN they are 0, said before Clamp: an NVIDIA compiler (580.159.04) takes comparisons with a constant NaN for
// true when it folds them.
func scaled(x, least, scale float32) int32 {
	if IsNaN(x) {
		return 0
	}
	v := Clamp(x, least, 1) * scale
	return ToInt(RoundEven(v))
}

// Unorm16 converts 0..1 to 16 bits.
func Unorm16(x float32) uint32 { return uint32(scaled(x, 0, 65535)) }

// Snorm16 converts -1..1 to 16 bits, in two's complement.
func Snorm16(x float32) uint32 { return uint32(scaled(x, -1, 32767)) & 0xFFFF }

// Unorm8 converts 0..1 to 8 bits.
func Unorm8(x float32) uint32 { return uint32(scaled(x, 0, 255)) }

// Snorm8 converts -1..1 to 8 bits, in two's complement.
func Snorm8(x float32) uint32 { return uint32(scaled(x, -1, 127)) & 0xFF }

// FromUnorm16 is the reverse of Unorm16.
func FromUnorm16(n uint32) float32 { return Div(FromUint(n), 65535) }

// FromSnorm16 is the reverse of Snorm16.
func FromSnorm16(n uint32) float32 {
	return Clamp(Div(FromInt(int32(n<<16)>>16), 32767), -1, 1)
}

// FromUnorm8 is the reverse of Unorm8.
func FromUnorm8(n uint32) float32 { return Div(FromUint(n), 255) }

// FromSnorm8 is the reverse of Snorm8.
func FromSnorm8(n uint32) float32 {
	return Clamp(Div(FromInt(int32(n<<24)>>24), 127), -1, 1)
}

// Half converts to an IEEE binary16, rounding to nearest even; NaN becomes 0x7E00 with its sign.
func Half(x float32) uint32 {
	s := signOf(x) >> 16
	a := magnitude(x)
	if a > infinity {
		return s | 0x7E00
	}
	if a >= 0x47800000 { // 65536 and above
		return s | 0x7C00
	}
	if a < 0x38800000 { // below the least normal half: count steps of 2^-24
		steps := float64(wide(Abs(x))*(1<<24)) + 1<<52
		return s | low(steps)
	}
	rebased := a - (127-15)<<23 // a carry out of the fraction goes to the exponent, up to infinity
	return s | (rebased+0xFFF+rebased>>13&1)>>13
}

// FromHalf converts an IEEE binary16, exactly.
func FromHalf(n uint32) float32 {
	s := n >> 15 << 31
	e := n >> 10 & 31
	m := n & 0x3FF
	if e == 0 {
		d := wide(FromUint(m)) * (1.0 / (1 << 24))
		return withSign(narrow(d), s)
	}
	if e == 31 && m != 0 {
		return notANumber()
	}
	if e == 31 {
		return float(s | infinity)
	}
	return float(s | (e+127-15)<<23 | m<<13)
}
