package floats

// Pow is x^y. Where GLSL leaves it undefined it is as C's pow: x^0 and 1^y are 1 whatever the other
// is; a negative x takes whole y only, else the result is NaN.
func Pow(x, y float32) float32 {
	if y == 0 || x == 1 {
		return 1
	}
	if IsNaN(x) || IsNaN(y) {
		return notANumber()
	}
	var s uint32
	if signOf(x) != 0 && isOdd(y) {
		s = signBit
	}
	if x < 0 && isFinite(x) && isFinite(y) && Trunc(y) != y {
		return notANumber()
	}
	return withSign(powOf(Abs(x), y), s)
}

// powOf is x^y for x >= 0 and y other than 0.
func powOf(x, y float32) float32 {
	if x == 1 {
		return 1
	}
	grows := x > 1 == (y > 0)
	if x == 0 || IsInf(x) || IsInf(y) {
		if grows {
			return float(infinity)
		}
		return 0
	}
	t := wide(y) * binaryLog(wide(x))
	return power2Float(t)
}

// isOdd reports whether y is an odd whole number.
func isOdd(y float32) bool {
	e := magnitude(y) >> 23
	if e < 127 || e > 150 {
		return false
	}
	m := bits(y)&0x7FFFFF | 0x800000
	return m<<(e-127)&0xFFFFFF == 0x800000
}
