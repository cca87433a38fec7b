package programcache

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// Key names an entry.
type Key [sha256.Size]byte

// NewKey makes the key of everything that decides what the driver makes of a text: the text itself,
// options, backend, device and driver version. Their order matters; where one part ends does too.
func NewKey(parts ...string) Key {
	h := sha256.New()
	var n [8]byte
	for _, p := range parts {
		binary.LittleEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
	return Key(h.Sum(nil))
}

// String gives the key in hexadecimal, as in the entry's file name.
func (k Key) String() string { return hex.EncodeToString(k[:]) }
