package floats

// angle is an angle modulo a full turn: quadrant*π/2 + rest, with |rest| at most about π/4.
type angle struct {
	rest     float64
	quadrant uint32
}

// fullTurns is 1/(2π) after 32 bits of zero, most significant word first.
var fullTurns = [...]uint32{0, 0x28BE60DB, 0x9391054A, 0x7F09D5F4, 0x7D4D3770, 0x36D8A566, 0x4F10E410, 0x7F9458EA}

// reduce brings a finite x into a quadrant. Below 2^16 the multiple of π/2 is subtracted in two parts,
// the first of which has 33 bits and so an exact product (Cody and Waite).
func reduce(x float32) angle {
	if magnitude(x) >= 0x47800000 {
		return reduceLarge(x)
	}
	d := wide(x)
	u := float64(d*(2/pi)) + toWhole
	k := u - veiled(toWhole)
	r := d - float64(k*1.57079632673412561417e+00)
	r = r - float64(k*6.07710050650619224932e-11)
	return angle{r, low(u) & 3}
}

// reduceLarge multiplies the significand, as a 32-bit integer, with the 96 bits of 1/(2π) that decide
// the fraction of the product (Payne and Hanek).
func reduceLarge(x float32) angle {
	m := bits(x)<<8 | 0x80000000
	e := magnitude(x)>>23 - 126
	i := e >> 5
	e = e & 31
	a := fullTurns[i]
	b := fullTurns[i+1]
	c := fullTurns[i+2]
	if e > 0 {
		a = a<<e | b>>(32-e)
		b = b<<e | c>>(32-e)
		c = c<<e | fullTurns[i+3]>>(32-e)
	}
	carried := mulHigh(m, c)
	lower := m*b + carried
	upper := mulHigh(m, b) + m*a
	if lower < carried {
		upper = upper + 1
	}
	quadrant := (upper + 0x20000000) >> 30
	upper = upper - quadrant<<30
	h := join(0x43300000, upper^0x80000000) - (1<<52 + 1<<31)
	l := join(0x43300000, lower) - 1<<52
	fraction := float64(h*(1<<32)) + l
	rest := fraction * (pi / (1 << 63))
	if signOf(x) != 0 {
		return angle{-rest, 0 - quadrant&3}
	}
	return angle{rest, quadrant & 3}
}

// sine is sin(r) for |r| up to 0.8, with an error below 2^-44 of the result.
func sine(r float64) float64 {
	z := r * r
	p := 1.0/6227020800 - float64(z*(1.0/1307674368000))
	p = -1.0/39916800 + float64(z*p)
	p = 1.0/362880 + float64(z*p)
	p = -1.0/5040 + float64(z*p)
	p = 1.0/120 + float64(z*p)
	p = -1.0/6 + float64(z*p)
	p = 1 + float64(z*p)
	return r * p
}

// cosine is cos(r) for |r| up to 0.8, with an error below 2^-48.
func cosine(r float64) float64 {
	z := r * r
	p := -1.0/87178291200 + float64(z*(1.0/20922789888000))
	p = 1.0/479001600 + float64(z*p)
	p = -1.0/3628800 + float64(z*p)
	p = 1.0/40320 + float64(z*p)
	p = -1.0/720 + float64(z*p)
	p = 1.0/24 + float64(z*p)
	p = -0.5 + float64(z*p)
	return 1 + float64(z*p)
}

// sineFrom is the sine of an angle turned further by some quadrants.
func sineFrom(a angle, further uint32) float32 {
	q := a.quadrant + further
	v := a.rest
	if q&1 == 0 {
		v = sine(v)
	} else {
		v = cosine(v)
	}
	if q&2 != 0 {
		v = -v
	}
	return narrow(v)
}

// Sin is the sine of an angle in radians; that of an infinity is NaN, as in Cos and Tan.
func Sin(x float32) float32 {
	if !isFinite(x) {
		return notANumber()
	}
	return sineFrom(reduce(x), 0)
}

// Cos is the cosine.
func Cos(x float32) float32 {
	if !isFinite(x) {
		return notANumber()
	}
	return sineFrom(reduce(x), 1)
}

// Tan is the tangent.
func Tan(x float32) float32 {
	if !isFinite(x) {
		return notANumber()
	}
	a := reduce(x)
	s := sine(a.rest)
	c := cosine(a.rest)
	if a.quadrant&1 != 0 {
		v := c * reciprocal(s)
		return narrow(-v)
	}
	v := s * reciprocal(c)
	return narrow(v)
}
