package floats

// The functions of this file do by integers what a device that flushes denormals does wrong.

// wideBits is wide.
func wideBits(x float32) float64 {
	s := signOf(x)
	e := magnitude(x) >> 23
	m := bits(x) & 0x7FFFFF
	if e == 0 {
		whole := join(0x43300000, m) - 1<<52
		v := whole * (1.0 / (1 << 149))
		return join(high(v)|s, low(v))
	}
	if e == 255 {
		return join(s|0x7FF00000|m>>3, m<<29)
	}
	return join(s|(e+896)<<20|m>>3, m<<29)
}

// narrowBits is narrow.
func narrowBits(d float64) float32 {
	h := high(d) & 0x7FFFFFFF
	l := low(d)
	s := high(d) & signBit
	if h > 0x7FF00000 || h == 0x7FF00000 && l != 0 {
		return notANumber()
	}
	if h >= 0x47F00000 {
		return float(s | infinity)
	}
	if h < 0x38100000 {
		steps := join(h, l) + 1.0/(1<<97) // the last place counts steps of 2^-149
		return float(s | low(steps))
	}
	r := (h-0x38000000)<<3 | l>>29
	lost := l & 0x1FFFFFFF
	if lost > 0x10000000 || lost == 0x10000000 && r&1 != 0 {
		r = r + 1
	}
	return float(s | r)
}

// addBits, subBits and mulBits are the operators. Both roundings of a sum or product of two floats
// through float64 give what one rounding gives, because float64 has more than twice the digits.
func addBits(x, y float32) float32 {
	d := wideBits(x) + wideBits(y)
	return narrowBits(d)
}

func subBits(x, y float32) float32 {
	d := wideBits(x) - wideBits(y)
	return narrowBits(d)
}

func mulBits(x, y float32) float32 {
	d := wideBits(x) * wideBits(y)
	return narrowBits(d)
}

// order maps floats other than NaN to integers of the same order.
func order(x float32) int32 {
	if signOf(x) != 0 {
		return int32(0 - magnitude(x))
	}
	return int32(magnitude(x))
}

func lessBits(x, y float32) bool { return !IsNaN(x) && !IsNaN(y) && order(x) < order(y) }

func lessEqualBits(x, y float32) bool { return !IsNaN(x) && !IsNaN(y) && order(x) <= order(y) }

func equalBits(x, y float32) bool { return !IsNaN(x) && !IsNaN(y) && order(x) == order(y) }
