package floats

// tiny is where the first two terms of a series around 0 are as good as float64.
const tiny = 1.0 / 4096

// cubic is d + d*d*d*c.
func cubic(d, c float64) float64 {
	z := d * d
	t := z * c
	return d + float64(d*t)
}

// Sinh is the hyperbolic sine.
func Sinh(x float32) float32 {
	if IsNaN(x) {
		return notANumber()
	}
	a := Abs(x)
	if a > 100 {
		return withSign(float(infinity), signOf(x))
	}
	d := wide(a)
	v := cubic(d, 1.0/6)
	if a > tiny {
		t := d * (1 / ln2)
		v = 0.5 * float64(power2(t)-power2(-t))
	}
	return withSign(narrow(v), signOf(x))
}

// Cosh is the hyperbolic cosine.
func Cosh(x float32) float32 {
	if IsNaN(x) {
		return notANumber()
	}
	a := Abs(x)
	if a > 100 {
		return float(infinity)
	}
	t := wide(a) * (1 / ln2)
	v := 0.5 * float64(power2(t)+power2(-t))
	return narrow(v)
}

// Tanh is the hyperbolic tangent.
func Tanh(x float32) float32 {
	if IsNaN(x) {
		return notANumber()
	}
	a := Abs(x)
	d := wide(a)
	v := cubic(d, -1.0/3)
	if a > 20 {
		v = 1
	} else {
		if a > tiny {
			t := d * (2 / ln2)
			e := power2(t)
			less := e - 1
			more := e + 1
			v = less * reciprocal(more)
		}
	}
	return withSign(narrow(v), signOf(x))
}

// Asinh is the inverse hyperbolic sine.
func Asinh(x float32) float32 {
	if !isFinite(x) {
		return x
	}
	a := Abs(x)
	d := wide(a)
	v := cubic(d, -1.0/6)
	if a > tiny {
		square := float64(d*d) + 1
		sum := d + squareRoot(square)
		v = naturalLog(sum)
	}
	return withSign(narrow(v), signOf(x))
}

// Acosh is the inverse hyperbolic cosine; below 1 it is NaN.
func Acosh(x float32) float32 {
	if IsNaN(x) || x < 1 {
		return notANumber()
	}
	if IsInf(x) {
		return x
	}
	d := wide(x)
	less := d - 1
	more := d + 1
	product := less * more
	sum := d + squareRoot(product)
	return narrow(naturalLog(sum))
}

// Atanh is the inverse hyperbolic tangent; outside -1 to 1 it is NaN.
func Atanh(x float32) float32 {
	a := Abs(x)
	if IsNaN(x) || a > 1 {
		return notANumber()
	}
	if a == 1 {
		return withSign(float(infinity), signOf(x))
	}
	d := wide(a)
	v := cubic(d, 1.0/3)
	if a > tiny {
		more := 1 + d
		less := 1 - d
		ratio := more * reciprocal(less)
		v = 0.5 * naturalLog(ratio)
	}
	return withSign(narrow(v), signOf(x))
}
