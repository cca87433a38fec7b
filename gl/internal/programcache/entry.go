package programcache

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
)

// Program is a linked program as a driver gave it.
type Program struct {
	Format uint32 // the driver's number for the form of Data
	Data   []byte
	Log    string // what the driver said when it compiled the text
}

const (
	magic      = "VYRPROG\x01"
	headerSize = len(magic) + sha256.Size + 3*4
	leastSize  = headerSize + sha256.Size
)

// encode makes the file of an entry.
func encode(k Key, p Program) []byte {
	b := make([]byte, 0, leastSize+len(p.Log)+len(p.Data))
	b = append(b, magic...)
	b = append(b, k[:]...)
	b = binary.LittleEndian.AppendUint32(b, p.Format)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(p.Log)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(p.Data)))
	b = append(b, p.Log...)
	b = append(b, p.Data...)
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// decode is the reverse of encode; ok is false for anything that encode did not make for this key.
func decode(k Key, b []byte) (p Program, ok bool) {
	if len(b) < leastSize {
		return Program{}, false
	}
	body, sum := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	if got := sha256.Sum256(body); !bytes.Equal(got[:], sum) {
		return Program{}, false
	}
	rest, ok := bytes.CutPrefix(body, append([]byte(magic), k[:]...))
	if !ok {
		return Program{}, false
	}
	p.Format = binary.LittleEndian.Uint32(rest)
	logSize, dataSize := uint64(binary.LittleEndian.Uint32(rest[4:])), uint64(binary.LittleEndian.Uint32(rest[8:]))
	rest = rest[12:]
	if uint64(len(rest)) != logSize+dataSize {
		return Program{}, false
	}
	p.Log, p.Data = string(rest[:logSize]), rest[logSize:]
	return p, true
}
