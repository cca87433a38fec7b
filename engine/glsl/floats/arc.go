package floats

// arc is the angle from 0 to π/2 between the x axis and (x, y), neither of which is negative, denormal
// or infinite, nor both zero, with an error below 2^-42 of the result. The ratio is turned towards the
// axis by a multiple of π/8, and the series of the arc tangent taken of what is left, at most 0.199.
func arc(y, x float64) float64 {
	least := y
	greatest := x
	if y > x {
		least = x
		greatest = y
	}
	turned := 0.0
	c := 0.0
	near := 0.199 * greatest
	far := 0.668 * greatest
	if least > far {
		turned = pi / 4
		c = 1
	} else {
		if least > near {
			turned = pi / 8
			c = sqr2 - 1
		}
	}
	over := least - float64(c*greatest)
	under := greatest + float64(c*least)
	t := over * reciprocal(under)
	z := t * t
	p := 1.0/17 - float64(z*(1.0/19))
	p = -1.0/15 + float64(z*p)
	p = 1.0/13 + float64(z*p)
	p = -1.0/11 + float64(z*p)
	p = 1.0/9 + float64(z*p)
	p = -1.0/7 + float64(z*p)
	p = 0.2 + float64(z*p)
	p = -1.0/3 + float64(z*p)
	p = 1 + float64(z*p)
	v := turned + float64(t*p)
	if y > x {
		v = pi/2 - v
	}
	return v
}

// leg is sqrt(1-d*d) for |d| up to 1.
func leg(d float64) float64 {
	less := 1 - d
	more := 1 + d
	product := less * more
	return squareRoot(product)
}

// Asin is the arc sine; outside -1 to 1 it is NaN, as Acos is.
func Asin(x float32) float32 {
	if IsNaN(x) || Abs(x) > 1 {
		return notANumber()
	}
	d := wide(Abs(x))
	return withSign(narrow(arc(d, leg(d))), signOf(x))
}

// Acos is the arc cosine.
func Acos(x float32) float32 {
	if IsNaN(x) || Abs(x) > 1 {
		return notANumber()
	}
	d := wide(Abs(x))
	v := arc(leg(d), d)
	if signOf(x) != 0 {
		v = pi - v
	}
	return narrow(v)
}

// Atan is the arc tangent.
func Atan(x float32) float32 { return Atan2(x, 1) }

// Atan2 is the angle of the point (x, y), from -π to π, with the conventions of C: zeros count by their
// signs, and infinities as points on the axes and diagonals.
func Atan2(y, x float32) float32 {
	if IsNaN(x) || IsNaN(y) {
		return notANumber()
	}
	a := Abs(y)
	b := Abs(x)
	if IsInf(a) || IsInf(b) {
		a = unitIf(IsInf(a))
		b = unitIf(IsInf(b))
	}
	if a == 0 && b == 0 {
		b = 1
	}
	v := arc(wide(a), wide(b))
	if signOf(x) != 0 {
		v = pi - v
	}
	return withSign(narrow(v), signOf(y))
}

func unitIf(is bool) float32 {
	if is {
		return 1
	}
	return 0
}
