package layout

import (
	"fmt"
	"math"
	"strconv"

	"vyretop/engine/fault"
)

// AppendValue appends a word as its kind is written: 1.5, -3, true, 42. A word without a kind is a number.
func AppendValue(dst []byte, k Kind, word uint32) []byte {
	switch k {
	case Float:
		return strconv.AppendFloat(dst, float64(math.Float32frombits(word)), 'g', -1, 32)
	case Int:
		return strconv.AppendInt(dst, int64(int32(word)), 10)
	case Bool:
		return strconv.AppendBool(dst, word != 0)
	}
	return strconv.AppendUint(dst, uint64(word), 10)
}

// ParseValue reads a word as its kind is written. Any kind takes the bits as a hexadecimal number, 0x3fc00000. Errors
// are ErrValue.
func ParseValue(k Kind, text string) (uint32, error) {
	if n, err := strconv.ParseUint(text, 0, 32); err == nil && (k != Float || len(text) > 2 && text[0] == '0' && text[1]|0x20 == 'x') {
		if k != Bool || n <= 1 {
			return uint32(n), nil
		}
	}
	switch k {
	case Float:
		if v, err := strconv.ParseFloat(text, 32); err == nil {
			return math.Float32bits(float32(v)), nil
		}
	case Int:
		if v, err := strconv.ParseInt(text, 0, 32); err == nil {
			return uint32(int32(v)), nil
		}
	case Bool:
		if v, err := strconv.ParseBool(text); err == nil {
			return map[bool]uint32{true: 1}[v], nil
		}
	}
	return 0, notAValue(k, text)
}

// ErrValue is matched by errors about texts that are not values.
const ErrValue fault.Kind = "not a value of its type"

// notAValue says that a text is not a value of a kind.
func notAValue(k Kind, text string) error {
	fix := valueFix[k]
	if fix == "" {
		k, fix = Uint, "write a number in 0..4294967295, such as 42 or 0x2a"
	}
	return &fault.Error{Kind: ErrValue, Subject: strconv.Quote(text), Detail: fmt.Sprintf("invalid %s value", k), Fix: fix}
}

var valueFix = map[Kind]string{
	Float: "write a number such as 1.5, or its bits as 0x3fc00000", Int: "write a number in -2147483648..2147483647",
	Bool: "write true or false",
}
