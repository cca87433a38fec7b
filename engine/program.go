package engine

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// Access says what a program does to a buffer.
type Access uint8

// The access modes, from the qualifiers in the kernel text.
const (
	ReadWrite Access = iota
	ReadOnly
	WriteOnly
)

// BufferSpec is one storage block of a program.
type BufferSpec struct {
	Name     string // the block's name
	Binding  uint32
	Access   Access
	MinWords int // words of the fixed part plus one element of a runtime array, at least 1
}

// Program is one compute kernel, ready for any backend. It is immutable; make it with NewProgram
// or with the fields below filled in by a test.
type Program struct {
	Name          string                    // for people: file or workload name
	Text          string                    // GLSL 4.50 for a driver, after include, preprocessing and rewriting
	LinePos       func(line int) source.Pos // position in the user's files of a line of Text (from 1); nil: unknown
	WorkgroupSize [3]uint32                 // local_size
	Buffers       []BufferSpec              // in ascending order of binding
	Formats       []string                  // debugf formats by id
	Tree          *tree.Program             // what the reference backend executes; nil when the text is outside the kernel language
	Outside       source.Diagnostics        // why Tree is nil
	fingerprint   [sha256.Size]byte
}

// Fingerprint is a hash of everything that decides what the program does: its text and workgroup size.
func (p *Program) Fingerprint() string {
	if p.fingerprint == [sha256.Size]byte{} {
		return hex.EncodeToString(p.hash())
	}
	return hex.EncodeToString(p.fingerprint[:])
}

func (p *Program) hash() []byte {
	h := sha256.New()
	h.Write([]byte(p.Text))
	var size [12]byte
	for i, v := range p.WorkgroupSize {
		binary.LittleEndian.PutUint32(size[4*i:], v)
	}
	h.Write(size[:])
	return h.Sum(nil)
}
