package floats

const (
	pi   = 3.14159265358979323846264338327950288419716939937510582097494459
	ln2  = 0.693147180559945309417232121458176568075500134360255254120680009
	sqr2 = 1.41421356237309504880168872420969807856967187537694807317667974

	// toWhole, added to a float64 of magnitude below 2^31, leaves the nearest integer in the low half
	// of the sum.
	toWhole = 3 << 51
)

// power2 is 2^t for t from -700 to 700, with an error below 2^-48 of the result.
func power2(t float64) float64 {
	u := t + toWhole
	k := u - veiled(toWhole)
	part := t - k
	z := part * ln2
	p := 1.0/39916800 + float64(z*(1.0/479001600))
	p = 1.0/3628800 + float64(z*p)
	p = 1.0/362880 + float64(z*p)
	p = 1.0/40320 + float64(z*p)
	p = 1.0/5040 + float64(z*p)
	p = 1.0/720 + float64(z*p)
	p = 1.0/120 + float64(z*p)
	p = 1.0/24 + float64(z*p)
	p = 1.0/6 + float64(z*p)
	p = 0.5 + float64(z*p)
	p = 1 + float64(z*p)
	p = 1 + float64(z*p)
	return p * pow2(int32(low(u)))
}

// power2Float rounds 2^t to a float.
func power2Float(t float64) float32 {
	if t > 200 {
		return float(infinity)
	}
	if t < -200 {
		return 0
	}
	return narrow(power2(t))
}

// Exp2 is 2^x.
func Exp2(x float32) float32 {
	if IsNaN(x) {
		return notANumber()
	}
	return power2Float(wide(x))
}

// Exp is e^x.
func Exp(x float32) float32 {
	if IsNaN(x) {
		return notANumber()
	}
	t := wide(x) * (1 / ln2)
	return power2Float(t)
}

// logarithm is the natural logarithm exponent*ln2 + rest, with |rest| at most ln2/2.
type logarithm struct {
	exponent float64
	rest     float64
}

// logOf takes the logarithm of a positive d that is neither denormal nor infinite, by the series of
// 2*atanh((m-1)/(m+1)); rest has an error below 2^-48 of itself.
func logOf(d float64) logarithm {
	e := int32(high(d)>>20) - 1023
	m := join(high(d)&0x000FFFFF|0x3FF00000, low(d))
	if m > sqr2 {
		m = 0.5 * m
		e = e + 1
	}
	less := m - 1
	more := m + 1
	s := less * reciprocal(more)
	z := s * s
	p := 2.0/19 + float64(z*(2.0/21))
	p = 2.0/17 + float64(z*p)
	p = 2.0/15 + float64(z*p)
	p = 2.0/13 + float64(z*p)
	p = 2.0/11 + float64(z*p)
	p = 2.0/9 + float64(z*p)
	p = 2.0/7 + float64(z*p)
	p = 2.0/5 + float64(z*p)
	p = 2.0/3 + float64(z*p)
	p = 2 + float64(z*p)
	rest := s * p
	whole := join(0x43300000, uint32(e)^0x80000000) - (1<<52 + 1<<31)
	return logarithm{whole, rest}
}

func naturalLog(d float64) float64 {
	l := logOf(d)
	return float64(l.exponent*ln2) + l.rest
}

func binaryLog(d float64) float64 {
	l := logOf(d)
	return l.exponent + float64(l.rest*(1/ln2))
}

// Log is the natural logarithm; that of a zero is minus infinity.
func Log(x float32) float32 {
	if x == 0 {
		return float(infinity | signBit)
	}
	if IsNaN(x) || x < 0 {
		return notANumber()
	}
	if IsInf(x) {
		return x
	}
	return narrow(naturalLog(wide(x)))
}

// Log2 is the binary logarithm; that of a zero is minus infinity.
func Log2(x float32) float32 {
	if x == 0 {
		return float(infinity | signBit)
	}
	if IsNaN(x) || x < 0 {
		return notANumber()
	}
	if IsInf(x) {
		return x
	}
	return narrow(binaryLog(wide(x)))
}
