package floats

// normalD is x with the exponent of 1, x being finite and not 0: a denormal is scaled up first.
func normalD(x float64) float64 {
	if exponentD(x) == 0 {
		up := x * pow2(54)
		return join(high(up)&0x800FFFFF|0x3FF00000, low(up))
	}
	return join(high(x)&0x800FFFFF|0x3FF00000, low(x))
}

// scaleD is the exponent of x that belongs to normalD.
func scaleD(x float64) int32 {
	if exponentD(x) == 0 {
		up := x * pow2(54)
		return int32(exponentD(up)) - 1077
	}
	return int32(exponentD(x)) - 1023
}

// FrexpSigD is the significand of x, of magnitude 0.5 to 1; zeros, infinities and NaN are their own.
func FrexpSigD(x float64) float64 {
	if isZeroD(x) || exponentD(x) == 2047 {
		return x
	}
	n := normalD(x)
	return join(high(n)-0x100000, low(n))
}

// FrexpExpD is the exponent that belongs to FrexpSigD; that of zeros, infinities and NaN is 0.
func FrexpExpD(x float64) int32 {
	if isZeroD(x) || exponentD(x) == 2047 {
		return 0
	}
	return scaleD(x) + 1
}

// LdexpD is x * 2^n, rounded once.
func LdexpD(x float64, n int32) float64 {
	if isZeroD(x) || exponentD(x) == 2047 {
		return x
	}
	if n > 4000 {
		n = 4000
	}
	if n < -4000 {
		n = -4000
	}
	return roundedD(normalD(x), join(0, 0), n+scaleD(x))
}

// roundedD is (sum + rest) * 2^n, rounded once: to nearest, ties to even. sum is 0 or of magnitude 2^-110 to 2^112, and rest at most half a unit in
// its last place. rest may be rounded to odd: what was lost is in its last bit.
func roundedD(sum, rest float64, n int32) float64 {
	if isZeroD(sum) {
		return sum
	}
	e := int32(exponentD(sum)) - 1023 + n
	if e > 1023 {
		return join(signOfD(sum)|topOfInfinity, 0)
	}
	if e < -1080 {
		return join(signOfD(sum), 0)
	}
	if e >= -1022 {
		whole := sum + rest
		half := n / 2
		first := whole * pow2(half)
		return first * pow2(n-half)
	}
	grid := pow2(0 - 1074 - n)
	steps := grid * join(0x43300000|signOfD(sum), 0)
	up := sum + steps
	left := oddSum(lostOf(steps, sum), rest)
	whole := up + left
	total := whole - steps
	half := n / 2
	first := total * pow2(half)
	second := first * pow2(n-half)
	return join(topD(second)|signOfD(sum), low(second))
}

// lostOf is what the rounded sum of a and b lacks of the exact one (Knuth's two-sum).
func lostOf(a, b float64) float64 {
	sum := a + b
	part := sum - a
	left := sum - part
	lostA := a - left
	lostB := b - part
	return lostA + lostB
}

// oddSum is a + b rounded to odd: an inexact sum is the neighbor with an odd last bit, so that rounding it once more to fewer bits
// gives what rounding the exact sum gives.
func oddSum(a, b float64) float64 {
	sum := a + b
	return toOdd(sum, lostOf(a, b))
}

// toOdd makes the last bit of sum, which lacks lost of what it should be, odd.
func toOdd(sum, lost float64) float64 {
	if isZeroD(lost) || low(sum)&1 != 0 {
		return sum
	}
	if signOfD(lost) == signOfD(sum) {
		return join(high(sum), low(sum)|1)
	}
	if low(sum) == 0 {
		return join(high(sum)-1, 0xFFFFFFFF)
	}
	return join(high(sum), low(sum)-1)
}

// lostOfProduct is what the rounded product of a and b lacks of the exact one (Dekker). Operands are of magnitude 2^-300 to 2^300.
func lostOfProduct(a, b float64) float64 {
	p := a * b
	ah := upperHalf(a)
	al := a - ah
	bh := upperHalf(b)
	bl := b - bh
	first := float64(ah*bh) - p
	second := first + float64(ah*bl)
	third := second + float64(al*bh)
	return third + float64(al*bl)
}

// upperHalf rounds a number to 26 bits (Veltkamp), so that what remains has 26 bits and a sign.
func upperHalf(a float64) float64 {
	c := a * veiled(1<<27+1)
	d := c - a
	return c - d
}
