package scan

import (
	"hash/crc32"
	"testing"

	"pgregory.net/rapid"
)

// TestChecksumsOfPartsAreThatOfAll: the checksum of a file does not depend on how it is cut.
func TestChecksumsOfPartsAreThatOfAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sum, all := uint32(0), []byte{}
		for _, part := range rapid.SliceOf(rapid.SliceOfN(rapid.Byte(), 0, 3000)).Draw(t, "parts") {
			sum = joinSums(sum, crc32.Checksum(part, castagnoli), int64(len(part)))
			all = append(all, part...)
		}
		if want := crc32.Checksum(all, castagnoli); sum != want {
			t.Fatalf("%#x, want %#x", sum, want)
		}
	})
}
