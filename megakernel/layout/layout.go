// Package layout describes what the words of a buffer mean: the members and types that the kernel declares, laid out
// by the std430 rules. The description is plain data, so it travels with a target's description to other processes
// and into recordings. Offsets and sizes are in 32-bit words.
package layout

import "strconv"

// Kind is the kind of one word of a scalar or vector.
type Kind string

// The kinds of a word; None belongs to structures and arrays.
const (
	None  Kind = ""
	Bool  Kind = "bool"
	Int   Kind = "int"
	Uint  Kind = "uint"
	Float Kind = "float"
)

// Type is the layout of a value. One of Kind, Members and Elem is set.
type Type struct {
	Name  string `json:"type"`            // as GLSL writes it: "uint", "vec3", "RenderRay", "float[4]"
	Words int    `json:"words,omitempty"` // size; 0 for an array that is as long as its buffer

	Kind  Kind `json:"kind,omitempty"`  // of each component of a scalar or vector
	Width int  `json:"width,omitempty"` // its components, 1 to 4

	Members []Member `json:"members,omitempty"` // of a structure or block, in ascending order of Offset

	Elem   *Type `json:"elem,omitempty"`   // of an array
	Len    int   `json:"len,omitempty"`    // its elements; 0: as many as the buffer has room for
	Stride int   `json:"stride,omitempty"` // from one element to the next
}

// Member is a member of a structure.
type Member struct {
	Name   string `json:"name"`
	Offset int    `json:"offset"`
	Type   *Type  `json:"layout"`
}

// Limits of layouts that come from elsewhere, such as a recording.
const (
	maxDepth   = 64
	maxMembers = 1 << 12
	maxWords   = 1 << 30
)

// Valid reports whether a layout, which may come from a damaged file, can be used.
func (t *Type) Valid() bool {
	budget := maxMembers
	return t.valid(maxDepth, &budget)
}

func (t *Type) valid(depth int, budget *int) bool {
	if t == nil || depth == 0 || t.Words < 0 || t.Words > maxWords {
		return false
	}
	if *budget--; *budget < 0 {
		return false
	}
	switch {
	case t.Kind != None:
		return t.Width >= 1 && t.Width <= 4 && t.Words == t.Width
	case t.Elem != nil:
		return t.Stride >= max(1, t.Elem.Words) && t.Stride <= maxWords && t.Len >= 0 && t.Len <= maxWords/t.Stride &&
			t.Words == t.Len*t.Stride && t.Elem.Words > 0 && t.Elem.valid(depth-1, budget)
	}
	return t.validMembers(depth, budget)
}

func (t *Type) validMembers(depth int, budget *int) bool {
	end := 0
	for i, m := range t.Members {
		if m.Offset < end || m.Offset > maxWords || !m.Type.valid(depth-1, budget) || (m.Type.Words == 0 && i+1 < len(t.Members)) {
			return false
		}
		end = m.Offset + m.Type.Words
	}
	return len(t.Members) > 0 && (end <= t.Words || t.Members[len(t.Members)-1].Type.Words == 0)
}

// Names visits the names of the members of a layout, which need not be valid, and of their types.
func (t *Type) Names(visit func(name *string)) { t.names(visit, maxDepth) }

func (t *Type) names(visit func(name *string), depth int) {
	if t == nil || depth == 0 {
		return
	}
	visit(&t.Name)
	for i := range t.Members {
		visit(&t.Members[i].Name)
		t.Members[i].Type.names(visit, depth-1)
	}
	t.Elem.names(visit, depth-1)
}

const components = "xyzw"

// AppendName appends the path of word i, such as "render_rays[3].from.x", and returns the kind of the word. Words
// between members have the path of what they belong to and " padding", and no kind.
func (t *Type) AppendName(dst []byte, i int) ([]byte, Kind) {
	switch {
	case t.Kind != None && i < t.Width:
		if t.Width > 1 {
			dst = append(dst, '.', components[i])
		}
		return dst, t.Kind
	case t.Elem != nil:
		dst = append(strconv.AppendInt(append(dst, '['), int64(i/t.Stride), 10), ']')
		return t.Elem.AppendName(dst, i%t.Stride)
	}
	for k := len(t.Members) - 1; k >= 0; k-- {
		m := &t.Members[k]
		if m.Offset > i {
			continue
		}
		if m.Type.Words > 0 && i >= m.Offset+m.Type.Words {
			break
		}
		if len(dst) > 0 {
			dst = append(dst, '.')
		}
		return m.Type.AppendName(append(dst, m.Name...), i-m.Offset)
	}
	return append(dst, " padding"...), None
}
