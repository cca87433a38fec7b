package recommend

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// wide is a 64-bit number in JSON: a decimal string where JavaScript could not hold it exactly, above
// 2^53. Both forms are read.
type wide uint64

const exact = 1 << 53

// MarshalJSON writes a number, or a string.
func (n wide) MarshalJSON() ([]byte, error) {
	text := strconv.AppendUint(nil, uint64(n), 10)
	if n > exact {
		text = append(append([]byte{'"'}, text...), '"')
	}
	return text, nil
}

// UnmarshalJSON reads a number, or a string.
func (n *wide) UnmarshalJSON(text []byte) error {
	if len(text) >= 2 && text[0] == '"' {
		text = text[1 : len(text)-1]
	}
	return json.Unmarshal(bytes.TrimSpace(text), (*uint64)(n))
}
