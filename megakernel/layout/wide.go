package layout

import (
	"math"
	"strconv"
)

// wideWords is how many words a value of 64 bits has.
const wideWords = 2

// The members of a value of 64 bits.
const (
	lowWord  = "low"
	highWord = "high"
)

// Wide is the layout of a value of 64 bits: a structure of its words, the less significant one first. The name is double, int64_t or
// uint64_t.
func Wide(name string) *Type {
	word := &Type{Name: string(Uint), Words: 1, Kind: Uint, Width: 1}
	return &Type{Name: name, Words: wideWords, Members: []Member{{Name: lowWord, Type: word}, {Name: highWord, Offset: 1, Type: word}}}
}

// isWide reports whether t is what Wide makes.
func (t *Type) isWide() bool {
	return len(t.Members) == wideWords && t.Members[0].Name == lowWord && t.Members[1].Name == highWord && wideValues[t.Name] != nil
}

// wideValues write the values of 64 bits by the names of their types.
var wideValues = map[string]func(dst []byte, v uint64) []byte{
	"double": func(dst []byte, v uint64) []byte {
		return strconv.AppendFloat(dst, math.Float64frombits(v), 'g', -1, 64)
	},
	"int64_t":  func(dst []byte, v uint64) []byte { return strconv.AppendInt(dst, int64(v), 10) },
	"uint64_t": func(dst []byte, v uint64) []byte { return strconv.AppendUint(dst, v, 10) },
}

// AppendWide appends the value of 64 bits that word i is part of, whose words read gives; nothing where it is part of none, or a word is
// not known.
func (t *Type) AppendWide(dst []byte, i int, read func(i int) (uint32, bool)) []byte {
	at, first := t.wideAt(i, 0)
	if at == nil {
		return dst
	}
	low, known := read(first)
	high, both := read(first + 1)
	if !known || !both {
		return dst
	}
	return wideValues[at.Name](dst, uint64(low)|uint64(high)<<32)
}

// wideAt is the value of 64 bits in t that has word i, and its first word behind that many.
func (t *Type) wideAt(i, before int) (*Type, int) {
	switch {
	case t.isWide():
		if i >= wideWords {
			return nil, 0
		}
		return t, before
	case t.Elem != nil:
		return t.Elem.wideAt(i%t.Stride, before+i/t.Stride*t.Stride)
	}
	for k := len(t.Members) - 1; k >= 0; k-- {
		if m := &t.Members[k]; m.Offset <= i {
			return m.Type.wideAt(i-m.Offset, before+m.Offset)
		}
	}
	return nil, 0
}
