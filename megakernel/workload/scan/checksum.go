package scan

import "hash/crc32"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// joinSums is the CRC-32C of two texts, one after the other, of which that of each is known, and the length of the second.
// A checksum is a polynomial over GF(2), highest power first in its lowest bit; n bytes more multiply it by x^8n.
func joinSums(first, second uint32, n int64) uint32 {
	power := uint32(1) << 23 // x^8
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			first = multiply(first, power)
		}
		power = multiply(power, power)
	}
	return first ^ second
}

// multiply multiplies polynomials modulo that of CRC-32C.
func multiply(a, b uint32) (product uint32) {
	for bit := uint32(1) << 31; bit != 0; bit >>= 1 {
		if a&bit != 0 {
			product ^= b
		}
		carry := b & 1
		b = b>>1 ^ crc32.Castagnoli&-carry
	}
	return product
}
