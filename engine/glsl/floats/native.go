package floats

import "math"

// The functions of this file are what the others are built from. They are not translated: the
// prelude has GLSL functions of the same names.

// wide converts to float64, exactly.
func wide(x float32) float64 { return float64(x) }

// narrow rounds to the nearest float32, ties to even.
func narrow(d float64) float32 { return float32(d) }

// bits and float convert between a float32 and its IEEE bits.
func bits(x float32) uint32 { return math.Float32bits(x) }

func float(b uint32) float32 { return math.Float32frombits(b) }

// high and low are the halves of the IEEE bits of a float64, and join puts them together.
func high(d float64) uint32 { return uint32(math.Float64bits(d) >> 32) }

func low(d float64) uint32 { return uint32(math.Float64bits(d)) }

func join(high, low uint32) float64 {
	return math.Float64frombits(uint64(high)<<32 | uint64(low))
}

// veiled is d, hidden from compilers that cancel constants in spite of precise (see Hidden constants in
// the documentation of package emit).
func veiled(d float64) float64 { return d }

// mulHigh is the upper half of the product.
func mulHigh(a, b uint32) uint32 { return uint32(uint64(a) * uint64(b) >> 32) }

// The integers of 64 bits that doubles become, which the prelude joins of halves.
// ToInt64 drops the fraction; a value out of range becomes the nearest int64_t, NaN becomes 0.
func ToInt64(x float64) int64 {
	n := uint64(wholeHighD(x))<<32 | uint64(wholeLowD(x))
	if signOfD(x) != 0 {
		return -int64(min(n, 1<<63-1)) - int64(n>>63)
	}
	return int64(min(n, 1<<63-1))
}

// ToUint64 drops the fraction; a value out of range becomes the nearest uint64_t, NaN becomes 0.
func ToUint64(x float64) uint64 {
	if signOfD(x) != 0 {
		return 0
	}
	return uint64(wholeHighD(x))<<32 | uint64(wholeLowD(x))
}
