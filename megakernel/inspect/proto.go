package inspect

import (
	"encoding/binary"
)

// message appends fields in the encoding of Protocol Buffers (https://protobuf.dev/programming-guides/encoding).
type message []byte

// The wire types.
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
)

func (m *message) key(field int, wire uint64) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3|wire)
}

func (m *message) uint(field int, v uint64) {
	m.key(field, wireVarint)
	*m = binary.AppendUvarint(*m, v)
}

func (m *message) fixed(field int, v uint64) {
	m.key(field, wireFixed64)
	*m = binary.LittleEndian.AppendUint64(*m, v)
}

func (m *message) text(field int, v string) {
	m.key(field, wireBytes)
	*m = append(binary.AppendUvarint(*m, uint64(len(v))), v...)
}

func (m *message) sub(field int, v message) {
	m.key(field, wireBytes)
	*m = append(binary.AppendUvarint(*m, uint64(len(v))), v...)
}
