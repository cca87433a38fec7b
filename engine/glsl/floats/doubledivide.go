package floats

// FmaD is x*y + z, rounded once. Factors are scaled to 1..2, so that the product is exact in two doubles; a summand that is far from it is
// moved as near as makes no difference. The sum of three is rounded once after Boldo and Melquiond, as in Fma.
func FmaD(x, y, z float64) float64 {
	if exponentD(x) < 2047 && exponentD(y) < 2047 && exponentD(z) == 2047 {
		return NanD(z)
	}
	if isZeroD(x) || isZeroD(y) || exponentD(x) == 2047 || exponentD(y) == 2047 {
		product := x * y
		total := product + z
		return NanD(total)
	}
	n := scaleD(x) + scaleD(y)
	a := normalD(x)
	b := normalD(y)
	p := a * b
	rest := lostOfProduct(a, b)
	if isZeroD(z) {
		return roundedD(p, rest, n)
	}
	apart := scaleD(z) - n
	if apart > 110 {
		n = n + apart - 110
		apart = 110
	}
	if apart < -170 {
		apart = -170
	}
	c := normalD(z) * pow2(apart)
	low := c + rest
	lowest := lostOf(c, rest)
	sum := p + low
	left := oddSum(lostOf(p, low), lowest)
	if isZeroD(sum) {
		return roundedD(left, join(0, 0), n)
	}
	return roundedD(sum, left, n)
}

// DivD is x/y, correctly rounded.
func DivD(x, y float64) float64 {
	s := signOfD(x) ^ signOfD(y)
	if IsNaND(x) || IsNaND(y) || IsInfD(x) && IsInfD(y) || isZeroD(x) && isZeroD(y) {
		return join(topOfNaN, 0)
	}
	if IsInfD(x) || isZeroD(y) {
		return join(s|topOfInfinity, 0)
	}
	if isZeroD(x) || IsInfD(y) {
		return join(s, 0)
	}
	a := AbsD(normalD(x))
	b := AbsD(normalD(y))
	r := reciprocal(b)
	q := a * r
	rest := restOfQuotient(a, q, b)
	second := rest * r
	left := toOdd(second, restOfQuotient(rest, second, b))
	quotient := roundedD(q, left, scaleD(x)-scaleD(y))
	return join(high(quotient)|s, low(quotient))
}

// restOfQuotient is a - q*b where q is nearly a/b: exact.
func restOfQuotient(a, q, b float64) float64 {
	p := q * b
	rest := a - p
	return rest - lostOfProduct(q, b)
}

// SqrtD is the square root, correctly rounded.
func SqrtD(x float64) float64 {
	if IsNaND(x) || signOfD(x) != 0 && !isZeroD(x) {
		return join(topOfNaN, 0)
	}
	if isZeroD(x) || IsInfD(x) {
		return x
	}
	n := scaleD(x)
	a := normalD(x)
	if n&1 != 0 {
		n = n - 1
		a = a + a
	}
	y := inverseRoot(a)
	s := a * y
	rest := restOfQuotient(a, s, s)
	half := veiled(0.5) * y
	second := rest * half
	twice := s + s
	left := restOfQuotient(rest, second, twice)
	lost := left - float64(second*second)
	return roundedD(s, toOdd(second, lost), n/2)
}
