// Package tree owns the typed tree of a kernel: what the checker proves about a text and what an
// interpreter, a debugger or a program analysis reads. It holds no parsing and no evaluation.
//
// A tree is complete and explicit: names are resolved to objects, overloads to functions, implicit
// conversions (GLSL 4.50 section 4.1.10) and scalar-to-vector broadcasts are nodes, constant
// expressions are folded to Const, and every node knows its source position. Nothing in a tree
// changes after the checker has returned it.
package tree

import (
	"strings"

	"vyretop/engine/glsl/source"
)

// Program is one checked compute kernel.
type Program struct {
	Main      *Function
	Functions []*Function  // every defined function, in source order; Main is among them
	Globals   []Declarator // private module-scope variables: one copy per invocation, set before main
	Constants []*Variable  // module-scope const variables; uses of them are already folded
	Shared    []*Variable  // one copy per workgroup
	Buffers   []*Buffer
	Structs   []*Struct // in source order; block bodies are in Buffers
	LocalSize [3]uint32 // invocations per workgroup along x, y, z
	Needs     []string  // extensions of OpenGL that a device must have for it, each once
	Subgroup  int       // invocations of a subgroup; 0 where the text has none
	Shape     [3]uint32 // the LocalSize of the text, where all invocations lie along x in LocalSize, in the order of gl_LocalInvocationIndex; zero: it is LocalSize

	Formats    []string // debugf formats; the index is the format id
	Extensions []string // names of enabled #extension directives
	Files      []string // every file that contributed text, the kernel's own first
	Operations []string // sorted names of the operations used; see OperationName

	IndexChecks []IndexCheck // accesses whose index the kernel checks, by their number (glsl.IndexChecks)
}

// IndexCheck is an access whose index is checked.
type IndexCheck struct {
	Pos      source.Pos
	Kind     AccessKind
	Function *Function // that has it
}

// AccessKind says what an access does to the element.
type AccessKind uint8

// The kinds of an access.
const (
	AccessRead AccessKind = iota
	AccessWrite
	AccessAtomic
)

var accessNames = [...]string{"read", "write", "atomic"}

// String names the kind.
func (k AccessKind) String() string { return accessNames[k] }

// VarKind says where a variable lives.
type VarKind uint8

// The kinds of a Variable.
const (
	VarLocal  VarKind = iota
	VarParam          // Mode says in, out or inout
	VarGlobal         // module scope, private to the invocation
	VarShared         // module scope, one copy per workgroup
	VarInput          // a gl_ compute input; Input says which
)

// Input names a compute-shader input (GLSL 4.50 section 7.1).
type Input uint8

// The inputs. gl_WorkGroupSize is a constant and therefore no input.
const (
	InputNone Input = iota
	InputNumWorkGroups
	InputWorkGroupID
	InputLocalInvocationID
	InputGlobalInvocationID
	InputLocalInvocationIndex
)

// Mode is the passing mode of a parameter (GLSL 4.50 section 6.1.1).
type Mode uint8

// The passing modes.
const (
	ModeIn Mode = iota
	ModeOut
	ModeInOut
)

var modeNames = [...]string{"in", "out", "inout"}

// String gives the GLSL keyword of the mode.
func (m Mode) String() string { return modeNames[m] }

// Variable is one declared variable; identity is the pointer.
type Variable struct {
	Name  string
	Kind  VarKind
	Type  *Type
	Const bool  // declared const: never the target of an assignment
	Mode  Mode  // of a parameter
	Input Input // of a VarInput

	Image *Buffer // of a parameter that is an image, in a debugger: what it stands for

	Declared *Type // the type in the text, where Type holds its values in 32 bits; else nil

	// ID numbers the variable densely from 0: parameters then locals within their function,
	// globals, constants and shared variables each within the program.
	ID    int
	Value *Const // the value, when it is a compile-time constant; else nil
	Pos   source.Pos
	Scope Range // where a debugger may show it: from after its declarator to the end of its block
}

// Range is a stretch of source text: from Start up to and including End.
type Range struct{ Start, End source.Pos }

// Memory is a set of memory qualifiers (GLSL 4.50 section 4.10).
type Memory uint8

// The memory qualifiers.
const (
	Coherent Memory = 1 << iota
	Volatile
	Restrict
	ReadOnly
	WriteOnly
)

// Has reports whether all qualifiers of q are set.
func (m Memory) Has(q Memory) bool { return m&q == q }

// Buffer is one block: a shader storage block, a uniform block, or all uniforms that are in none.
type Buffer struct {
	Name     string // the block name; that of a block array has the index, as in "B[1]"
	Instance string // "" when members are in the global scope
	Set      int    // the set of a text for Vulkan, else 0
	Binding  int    // unique in the program
	Uniform  bool   // it is read only; what it holds is set before the kernel runs
	Default  bool   // its members are the uniforms that the text declares outside blocks
	Layout   Layout
	Initial  []Initial // of the uniforms
	Image    *Image    // of the block that stands for an image or a texture: its size, then its texels; else nil
	Memory   Memory    // qualifiers written on the block; see MemberMemory
	Block    *Struct
	Packed   *Buffer // of a block with members of less than 32 bits, or with a scalar layout: the same memory as words, which the program reads and writes; else nil
	ID       int     // index in Program.Buffers
	Pos      source.Pos
}

// Image is an image or a texture. A texel is as many words as it has components, each the bits of a float, an int or a uint.
type Image struct {
	Type        string // as in the text: image2D
	Format      string // rgba8 and its like; of a texture, and of an image without format, the widest
	Kind        Kind   // of the components
	Components  int
	Unit        int // binding in the text, or -1
	Coordinates int // how many numbers name a texel
	SizeWidth   int // how many numbers imageSize gives
	Sampled     bool
	Sampler     string // that a text for Vulkan combines with the texture, or ""
	Compared    bool   // that sampler compares
	Access      Memory // ReadOnly, WriteOnly or none
}

// Form is what follows image or sampler in the type: 2D, CubeArray.
func (im *Image) Form() string {
	for _, word := range []string{"image", "sampler", "texture"} {
		if _, form, ok := strings.Cut(im.Type, word); ok {
			return strings.TrimSuffix(form, shadow)
		}
	}
	return ""
}

// shadow ends the types of textures whose texels are compared.
const shadow = "Shadow"

// Compares reports whether functions give how texels compare with a reference.
func (im *Image) Compares() bool { return im.Compared || strings.HasSuffix(im.Type, shadow) }

// Axes is how many of the coordinates are not layers or faces.
func (im *Image) Axes() int {
	switch im.Form() {
	case "1D", "1DArray", "Buffer":
		return 1
	case "3D":
		return 3
	}
	return 2
}

// Filtered reports whether a texture has a filter and levels: its block has how it is sampled and its border between its size and its texels.
func (im *Image) Filtered() bool { return im.Sampled && im.Form() != "Buffer" && !im.Multisampled() }

// Multisampled reports whether a texel has several samples. The number of texels of the buffer is that of all samples, so it says how many there are;
// those of a layer follow each other, sample by sample.
func (im *Image) Multisampled() bool { return strings.HasPrefix(im.Form(), "2DMS") }

// Initial is the value that a uniform has before it is given another.
type Initial struct {
	Member int
	Value  *Const
}

// MemberMemory gives the qualifiers in force for a member: the block's and its own.
func (b *Buffer) MemberMemory(i int) Memory { return b.Memory | b.Block.Members[i].Memory }

// RuntimeArray returns the trailing runtime array member, or nil.
func (b *Buffer) RuntimeArray() *Member {
	last := &b.Block.Members[len(b.Block.Members)-1]
	if last.Type.Class != ClassRuntimeArray {
		return nil
	}
	return last
}

// Function is one defined function.
type Function struct {
	Name     string
	Result   *Type
	Declared *Type // the result in the text, where Result holds its values in 32 bits; else nil
	Params   []*Variable
	Locals   []*Variable // in source order, of all nested scopes; IDs continue those of Params
	Body     *Block
	ID       int          // index in Program.Functions
	Calls    []*Function  // called directly, each once; the call graph has no cycles
	Images   []ImageParam // of a copy of a function with images as parameters: what they stand for in it
	NoInline bool         // a driver is asked to compile it on its own and to call it, where it would make a copy for each call
	Pos      source.Pos   // of the name
	End      source.Pos   // of the closing brace
}

// ImageParam is a parameter that is an image or a texture. Its function is there once for each combination of images with which it is called,
// without these parameters.
type ImageParam struct {
	Name   string
	Place  int // among all parameters
	Buffer *Buffer
	Pos    source.Pos
}

// Signature gives "name(type,type)", unique in a program; images are named with it.
func (f *Function) Signature() string {
	var words []string
	images := f.Images
	for _, p := range f.Params {
		for len(images) > 0 && images[0].Place == len(words) {
			words, images = append(words, images[0].String()), images[1:]
		}
		word := p.InText().String()
		if p.Mode != ModeIn {
			word = p.Mode.String() + " " + word
		}
		words = append(words, word)
	}
	for _, p := range images {
		words = append(words, p.String())
	}
	return f.Name + "(" + strings.Join(words, ",") + ")"
}

// Variable is the parameter as a debugger names it.
func (p ImageParam) Variable() *Variable {
	return &Variable{Name: p.Name, Kind: VarParam, Const: true, Image: p.Buffer, Pos: p.Pos}
}

// String gives the type of the image, and the image that it stands for.
func (p ImageParam) String() string { return p.Buffer.Image.Type + " " + p.Buffer.Name }

// InText is the type of the variable in the text.
func (v *Variable) InText() *Type {
	if v.Declared != nil {
		return v.Declared
	}
	return v.Type
}

// ResultInText is the type of the result in the text.
func (f *Function) ResultInText() *Type {
	if f.Declared != nil {
		return f.Declared
	}
	return f.Result
}

// Local reports whether the variable belongs to a function.
func (v *Variable) Local() bool { return v.Kind == VarLocal || v.Kind == VarParam }
