package floats

// reciprocal is 1/d for a finite d that is neither 0 nor denormal, with an error below 2^-51 of the
// result. The first estimate is the line that is off by at most 1/17 on 1..2; two steps of third
// order and one of second order follow.
func reciprocal(d float64) float64 {
	m := join(high(d)&0x000FFFFF|0x3FF00000, low(d))
	r := 24.0/17 - float64(8.0/17*m)
	e := 1 - float64(m*r)
	s := e + float64(e*e)
	r = r + float64(r*s)
	e = 1 - float64(m*r)
	s = e + float64(e*e)
	r = r + float64(r*s)
	e = 1 - float64(m*r)
	r = r + float64(r*e)
	exponent := high(d) >> 20 & 0x7FF
	return r * join(high(d)&signBit|(2046-exponent)<<20, 0)
}

// Div is x/y, correctly rounded.
func Div(x, y float32) float32 {
	s := signOf(x) ^ signOf(y)
	a := magnitude(x)
	b := magnitude(y)
	if a > infinity || b > infinity || a == infinity && b == infinity || a == 0 && b == 0 {
		return notANumber()
	}
	if a == infinity || b == 0 {
		return float(infinity | s)
	}
	if a == 0 || b == infinity {
		return float(s)
	}
	return withSign(narrow(quotient(wide(float(a)), wide(float(b)))), s)
}

// quotient is a/b for positive a and b of at most 24 significant bits, so close that rounding it to
// 24 bits or fewer rounds a/b: the remainder of its upper half is exact, and a quotient that is not
// itself halfway between two floats differs from every such point by more than 2^-49 of itself.
func quotient(a, b float64) float64 {
	r := reciprocal(b)
	q := a * r
	upper := join(high(q), 0)
	rest := a - float64(upper*b)
	return upper + float64(rest*r)
}

// inverseRoot is 1/sqrt(d) for a positive d that is neither denormal nor infinite, with an error
// below 2^-50 of the result. The first estimate is off by at most 0.035; four steps of Newton's
// method follow.
func inverseRoot(d float64) float64 {
	half := 0.5 * d
	y := join(0x5FE6EB50-high(d)>>1, 0)
	e := 1.5 - float64(half*float64(y*y))
	y = y * e
	e = 1.5 - float64(half*float64(y*y))
	y = y * e
	e = 1.5 - float64(half*float64(y*y))
	y = y * e
	e = 1.5 - float64(half*float64(y*y))
	return y * e
}

// squareRoot is sqrt(d) for a d of at least 2^-300, or 0, with an error below 2^-50 of the result.
func squareRoot(d float64) float64 {
	if d == 0 {
		return 0
	}
	return d * inverseRoot(d)
}

// Sqrt is the square root, correctly rounded.
func Sqrt(x float32) float32 {
	if IsNaN(x) || x < 0 {
		return notANumber()
	}
	if x == 0 || IsInf(x) {
		return x
	}
	d := wide(x)
	y := inverseRoot(d)
	s := d * y
	upper := join(high(s), low(s)&0xF8000000)
	rest := d - float64(upper*upper)
	half := 0.5 * y
	root := upper + float64(rest*half)
	return narrow(root)
}

// InverseSqrt is 1/sqrt(x); that of a zero is an infinity of its sign.
func InverseSqrt(x float32) float32 {
	if x == 0 {
		return float(infinity | signOf(x))
	}
	if IsNaN(x) || x < 0 {
		return notANumber()
	}
	if IsInf(x) {
		return 0
	}
	return narrow(inverseRoot(wide(x)))
}

// Fma is x*y + z, rounded once. The product is exact in float64; the sum is rounded to odd there,
// which makes the second rounding the right one (Boldo and Melquiond, "Emulation of FMA and
// correctly rounded sums", 2008).
func Fma(x, y, z float32) float32 {
	p := wide(x) * wide(y)
	c := wide(z)
	sum := p + c
	back := sum - p
	left := sum - back
	lostP := p - left
	lostC := c - back
	lost := lostP + lostC
	h := high(sum)
	l := low(sum)
	if lost != 0 && l&1 == 0 && h&0x7FF00000 != 0x7FF00000 {
		if lost > 0 == (sum > 0) {
			l = l | 1
		} else {
			if l == 0 {
				h = h - 1
			}
			l = l - 1
		}
	}
	return narrow(join(h, l))
}
