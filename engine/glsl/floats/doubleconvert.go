package floats

// ToIntD drops the fraction; a value out of range becomes the nearest int, NaN becomes 0.
func ToIntD(x float64) int32 {
	n := wholePartD(x)
	if signOfD(x) != 0 {
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

// ToUintD drops the fraction; a value out of range becomes the nearest uint, NaN becomes 0.
func ToUintD(x float64) uint32 {
	if signOfD(x) != 0 {
		return 0
	}
	return wholePartD(x)
}

// wholePartD is the integer part of the magnitude, at most 0xFFFFFFFF; that of NaN is 0.
func wholePartD(x float64) uint32 {
	e := exponentD(x)
	if e < 1023 || IsNaND(x) {
		return 0
	}
	if e > 1054 {
		return 0xFFFFFFFF
	}
	m := high(x)&0xFFFFF | 0x100000
	if e <= 1043 {
		return m >> (1043 - e)
	}
	return m<<(e-1043) | low(x)>>(1075-e)
}

// wholeHighD and wholeLowD are the halves of the integer part of the magnitude of x, at most 2^64 - 1; that of NaN is 0.
func wholeHighD(x float64) uint32 {
	e := exponentD(x)
	if e < 1055 || IsNaND(x) {
		return 0
	}
	if e > 1086 {
		return 0xFFFFFFFF
	}
	m := high(x)&0xFFFFF | 0x100000
	if e <= 1075 {
		return m >> (1075 - e)
	}
	return m<<(e-1075) | low(x)>>(1106-e)>>1
}

func wholeLowD(x float64) uint32 {
	e := exponentD(x)
	if e < 1023 || IsNaND(x) {
		return 0
	}
	if e > 1086 {
		return 0xFFFFFFFF
	}
	m := high(x)&0xFFFFF | 0x100000
	if e <= 1043 {
		return m >> (1043 - e)
	}
	if e < 1075 {
		return m<<(e-1043) | low(x)>>(1075-e)
	}
	return low(x) << (e - 1075)
}

// FromIntD is an int as a double, exactly.
func FromIntD(n int32) float64 {
	d := veiled(join(0x43300000, uint32(n)^0x80000000))
	return d - veiled(1<<52+1<<31)
}

// FromUintD is a uint as a double, exactly.
func FromUintD(n uint32) float64 {
	d := veiled(join(0x43300000, n))
	return d - veiled(1<<52)
}

// FromHalvesD rounds the integer high*2^32 + low to the nearest double, if signed an int64_t and else a uint64_t.
func FromHalvesD(high, low uint32, signed bool) float64 {
	upper := FromUintD(high)
	if signed {
		upper = FromIntD(int32(high))
	}
	scaled := upper * 4294967296
	lower := FromUintD(low)
	return scaled + lower
}

// FromHalves rounds the integer high*2^32 + low to the nearest float. The bits that no double holds only count as a whole.
func FromHalves(high, low uint32, signed bool) float32 {
	negative := signed && high&signBit != 0
	h := high
	l := low
	if negative {
		h = ^high
		l = 0 - low
		if l == 0 {
			h = h + 1
		}
	}
	if h >= 1<<20 && l&0xFFF != 0 {
		l = l&0xFFFFF000 | 0x1000
	}
	d := FromHalvesD(h, l, false)
	f := narrow(d)
	if negative {
		f = float(bits(f) ^ signBit)
	}
	return f
}

// ToDouble is a float as a double; ToFloat rounds a double to the nearest float.
func ToDouble(x float32) float64 { return NanD(wide(x)) }

// ToFloat rounds a double to the nearest float.
func ToFloat(d float64) float32 {
	if IsNaND(d) {
		return notANumber()
	}
	return narrow(d)
}
