package floats

// Trunc drops the fraction.
func Trunc(x float32) float32 {
	b := bits(x)
	e := magnitude(x) >> 23
	if e < 127 {
		return float(b & signBit)
	}
	if e >= 150 {
		return x
	}
	return float(b & (0xFFFFFFFF << (150 - e)))
}

// Floor is the greatest whole number not above x.
func Floor(x float32) float32 {
	t := Trunc(x)
	if x < t {
		return t - 1
	}
	return t
}

// Ceil is the least whole number not below x.
func Ceil(x float32) float32 {
	t := Trunc(x)
	if t < x {
		return t + 1
	}
	return t
}

// RoundEven is the nearest whole number, the even one of two. GLSL's round is the same here.
func RoundEven(x float32) float32 {
	const steps = 1 << 23 // floats from here on are whole
	a := Abs(x)
	if a < steps {
		up := a + steps
		whole := up - steps
		return withSign(whole, signOf(x))
	}
	return x
}

// Fract is x - floor(x).
func Fract(x float32) float32 { return x - Floor(x) }

// Mod is x - y*floor(x/y), each step rounded.
func Mod(x, y float32) float32 { return x - float32(y*Floor(Div(x, y))) }

// ToInt drops the fraction; a value out of range becomes the nearest int, NaN becomes 0.
func ToInt(x float32) int32 {
	n := wholePart(x)
	if signOf(x) != 0 {
		if n > 0x80000000 {
			n = 0x80000000
		}
		return int32(0 - n)
	}
	if n > 0x7FFFFFFF {
		n = 0x7FFFFFFF
	}
	return int32(n)
}

// ToUint drops the fraction; a value out of range becomes the nearest uint, NaN becomes 0.
func ToUint(x float32) uint32 {
	if signOf(x) != 0 {
		return 0
	}
	return wholePart(x)
}

// wholePart is the integer part of the magnitude, at most 0xFFFFFFFF; that of NaN is 0.
func wholePart(x float32) uint32 {
	e := magnitude(x) >> 23
	m := bits(x)&0x7FFFFF | 0x800000
	if e < 127 || IsNaN(x) {
		return 0
	}
	if e > 158 {
		return 0xFFFFFFFF
	}
	if e >= 150 {
		return m << (e - 150)
	}
	return m >> (150 - e)
}

// FromInt rounds an int to the nearest float.
func FromInt(n int32) float32 {
	d := join(0x43300000, uint32(n)^0x80000000) - (1<<52 + 1<<31)
	return narrow(d)
}

// FromUint rounds a uint to the nearest float.
func FromUint(n uint32) float32 {
	d := join(0x43300000, n) - 1<<52
	return narrow(d)
}
