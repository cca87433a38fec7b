package floats

const (
	signBit      = 0x80000000
	infinity     = 0x7F800000
	canonicalNaN = 0x7FC00000
)

func magnitude(x float32) uint32 { return bits(x) & 0x7FFFFFFF }

func signOf(x float32) uint32 { return bits(x) & signBit }

// IsNaN reports whether x is not a number.
func IsNaN(x float32) bool { return magnitude(x) > infinity }

// IsInf reports whether x is infinite.
func IsInf(x float32) bool { return magnitude(x) == infinity }

func isFinite(x float32) bool { return magnitude(x) < infinity }

func notANumber() float32 { return float(canonicalNaN) }

// Abs clears the sign.
func Abs(x float32) float32 { return float(magnitude(x)) }

// withSign gives x, which is not negative, a sign.
func withSign(x float32, sign uint32) float32 { return float(bits(x) | sign) }

// Min is y when y < x and else x (GLSL 4.50 section 8.3): a NaN in y is dropped, one in x stays. The
// comparison is one of integers because compilers make their own minimum of the other, with other
// rules for NaN and zeros.
func Min(x, y float32) float32 {
	if lessBits(y, x) {
		return y
	}
	return x
}

// Max is y when x < y and else x.
func Max(x, y float32) float32 {
	if lessBits(x, y) {
		return y
	}
	return x
}

// Clamp is min(max(x, least), greatest).
func Clamp(x, least, greatest float32) float32 { return Min(Max(x, least), greatest) }

// Min3 is the least of three.
func Min3(x, y, z float32) float32 { return Min(Min(x, y), z) }

// Mid3 is the median of three.
func Mid3(x, y, z float32) float32 { return Max(Min(x, y), Min(Max(x, y), z)) }

// Max3 is the greatest of three.
func Max3(x, y, z float32) float32 { return Max(Max(x, y), z) }

// Sign is 1, -1 or 0, and NaN for NaN.
func Sign(x float32) float32 {
	if x > 0 {
		return 1
	}
	if x < 0 {
		return -1
	}
	if x == 0 {
		return 0
	}
	return x
}

// Step is 0 when x < edge and else 1.
func Step(edge, x float32) float32 {
	if x < edge {
		return 0
	}
	return 1
}

// Mix is x*(1-a) + y*a, each step rounded.
func Mix(x, y, a float32) float32 {
	rest := 1 - a
	return float32(x*rest) + float32(y*a)
}

// SmoothStep is t*t*(3-2*t) with t = clamp((x-least)/(greatest-least), 0, 1), each step rounded.
func SmoothStep(least, greatest, x float32) float32 {
	part := x - least
	whole := greatest - least
	t := Clamp(Div(part, whole), 0, 1)
	twice := 2 * t
	rest := 3 - twice
	return float32(t*t) * rest
}
