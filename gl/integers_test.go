//go:build cgo && egl

package gl

import (
	"testing"

	"vyretop/engine/reference"
)

// integerCases are expressions of the int i, the uint n and the words of c, that GLSL leaves open for some
// operands. (int(n % 70u) - 3 is in and around the bits of a word.)
var integerCases = map[string]string{
	"divInt": "uint(i / int(n))", "modInt": "uint(i % int(n))", "divUint": "uint(i) / n", "modUint": "uint(i) % n",
	"divMinusOne": "uint(i / -1)", "modSeven": "uint(i % 7)", "modMinusSeven": "uint(i % -7)", "divZero": "n / (n - n)",
	"shiftLeft": "n << i", "shiftRight": "n >> n", "shiftInt": "uint(i >> int(n))", "shiftConstant": "n << 33",
	"extractUint": "bitfieldExtract(uint(i), int(n % 70u) - 3, floatBitsToInt(c) % 40)", "extractInt": "uint(bitfieldExtract(i, int(n % 70u) - 3, floatBitsToInt(c) % 40))",
	"insertUint": "bitfieldInsert(uint(i), floatBitsToUint(c), int(n % 70u) - 3, i % 40)", "insertInt": "uint(bitfieldInsert(i, floatBitsToInt(c), i % 40, int(n % 70u) - 3))",
	"vector":     "(uvec3(n, i, 5u) / uvec3(i, 0u, n)).x + (ivec2(i, n) % ivec2(-3, i)).y + (uvec2(n) << uvec2(3u, i)).y",
	"assignment": "((i /= int(n)), (i %= 5), (n <<= 40), (n /= uint(i)), n + uint(i))",
	"highUint":   "(umulExtended(n, uint(i), n, n), n)",
}

// TestIntegersEqualReference compares what GLSL leaves open.
func TestIntegersEqualReference(t *testing.T) {
	host, err := reference.Open(reference.Options{})
	check(t, err)
	t.Cleanup(func() { check(t, host.Close()) })
	device, rows := testBackend(t), floatWords(5_000)
	for name, expr := range integerCases {
		t.Run(name, func(t *testing.T) {
			sameWords(t, rows, onRows(t, device, expr, rows, 0), onRows(t, host, expr, rows, 0))
		})
	}
}
