package engine

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"

	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/units"
)

// Access says what a program does to a buffer.
type Access uint8

// The access modes, from the qualifiers in the kernel text.
const (
	ReadWrite Access = iota
	ReadOnly
	WriteOnly
)

// BufferSpec is one storage block of a program: a fixed head, then elements.
type BufferSpec struct {
	Name     string // the block's name
	Binding  uint32
	Access   Access
	MinWords int // words of the fixed part plus one element of a runtime array, at least 1

	Element     string // GLSL type of an element: of the array at the block's end, else the block; "" when unknown
	Count       int    // elements; 0: as many as the buffer has room for
	HeadWords   int    // words before the first element
	StrideWords int    // words from one element to the next; 0 counts as 1
	HeadBytes   int    // of elements that do not begin with words: bytes before the first
	StrideBytes int    // and from one to the next; else 0

	Uniform bool // a uniform block, or the uniforms outside blocks: the kernel only reads it
}

// Elements is the number of elements in a buffer of that many words.
func (s BufferSpec) Elements(words int) int {
	if s.Count > 0 {
		return s.Count
	}
	if s.StrideBytes > 0 {
		return max(0, 4*words-s.HeadBytes) / s.StrideBytes
	}
	return max(0, words-s.HeadWords) / max(1, s.StrideWords)
}

// Program is one compute kernel, ready for any backend. It is immutable; make it with CompileProgram
// or with the fields below filled in by a test.
type Program struct {
	Name           string                    // for people: file or workload name
	Text           string                    // GLSL 4.50 for a driver with IEEE floats (see For), complete
	LinePos        func(line int) source.Pos // position in the user's files of a line of Text (from 1); nil: unknown
	WorkgroupSize  [3]uint32                 // local_size
	FixedWorkgroup bool                      // the text depends on its workgroup size: WorkgroupOverride is an error
	CountsLoops    bool                      // it ends its loops before any limit of the device, and tells its host when it could not
	Buffers        []BufferSpec              // in ascending order of binding
	Formats        []string                  // debugf formats by id
	Files          []string                  // that the text was made of, by their number in __FILE__
	Shared         []*tree.Variable          // shared variables, of the types that Text gives them
	Tree           *tree.Program             // what the reference backend executes; nil when the text is outside the kernel language
	Outside        source.Diagnostics        // why Tree is nil
	fingerprint    [sha256.Size]byte
	origin         *origin // nil: only Text is known
	usesFloats     bool    // Text has float functions in it
	usesDoubles    bool    // it has functions on doubles
	usesElements   bool    // it indexes variables with components of 64 bits
	header         string  // of Text (WithHeader)
}

// origin is what a Program was compiled from.
type origin struct {
	file    *source.File
	options glsl.Options
}

// Operations lists the names of the operations that the program uses, sorted (tree.OperationName);
// nil when it is outside the kernel language.
func (p *Program) Operations() []string {
	if p.Tree == nil {
		return nil
	}
	return p.Tree.Operations
}

// gridBarrierOperation is the name of gridBarrier() among a program's operations.
const gridBarrierOperation = "builtin.gridBarrier"

// UsesGridBarrier reports whether the workgroups of the program wait for each other at gridBarrier().
func (p *Program) UsesGridBarrier() bool {
	_, found := slices.BinarySearch(p.Operations(), gridBarrierOperation)
	return found
}

// WithWorkgroup compiles p again with another workgroup size; its own size, and the zero size, give p.
func (p *Program) WithWorkgroup(size [3]uint32) (*Program, error) {
	if size == p.WorkgroupSize || size == [3]uint32{} {
		return p, nil
	}
	if p.FixedWorkgroup {
		return nil, &Error{
			Code: CodeInvalidProgram, Op: "compile " + quoted(p.Name),
			Detail: fmt.Sprintf("the program depends on its workgroup size %s, and %s is asked for", units.Extent(p.WorkgroupSize), units.Extent(size)),
			Fix:    "leave the workgroup size as it is, or write it as a number in the layout and gl_WorkGroupSize elsewhere",
		}
	}
	from := p.origin
	if from == nil {
		from = &origin{file: &source.File{Name: p.Name, Text: p.Text}}
	}
	o := from.options
	o.LocalSize = size
	q, _, err := CompileProgram(p.Name, from.file, o)
	return q, err
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
