package emit

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/glsl/tree"
)

// reserved begins the names that are written here and in package emit.
const reserved = Prefix

// suffix is added to names of the source that cannot stay.
const suffix = "_vtu"

// names decides what the source's names become.
type names struct {
	structs map[*tree.Struct]string
}

// subgroupPrefix begins the functions of subgroups, which are written out: a driver with their extensions has some of the same names.
const subgroupPrefix = "subgroup"

// literalFunction is the built-in function that all float constants call.
const literalFunction = "uintBitsToFloat"

// refusedNames are words that GLSL 4.50 leaves to the user and Mesa (22.3) takes for its own.
var refusedNames = strings.Fields(`packed row_major image1DShadow image2DShadow image1DArrayShadow image2DArrayShadow`)

// of leaves a name as it is unless it begins as ours do, ends as the names changed here, would hide
// the function that constants call, or is one that a driver refuses.
func (n *names) of(name string) string {
	if block, index, array := strings.Cut(name, "["); array { // one of an array of blocks
		return block + "_" + strings.TrimSuffix(index, "]") + suffix
	}
	if strings.HasPrefix(name, reserved) || strings.HasSuffix(name, suffix) || name == literalFunction || slices.Contains(refusedNames, name) || strings.HasPrefix(name, subgroupPrefix) {
		return name + suffix
	}
	return name
}

// function names a user's function: one that hides a built-in function would hide it from the whole
// text here, not only from what follows it, and so gets another name. Copies of one function have names of their own.
func (n *names) function(f *tree.Function) string {
	switch {
	case f.Images != nil:
		return fmt.Sprintf("%sv%d_%s", reserved, f.ID, f.Name)
	case slices.ContainsFunc(f.Params, func(v *tree.Variable) bool { return v.Declared != nil }): // another may differ in the declared types only
		return fmt.Sprintf("%sn%d_%s", reserved, f.ID, f.Name)
	case tree.LookupBuiltin(f.Name) != nil:
		return f.Name + suffix
	}
	return n.of(f.Name)
}

// newNames names the structures. One without a name gets one, and one that is declared in a function
// another, because all stand at module scope here; so does one that a local variable hides, because zero
// values call constructors that the source does not.
func newNames(p *tree.Program) *names {
	n := &names{structs: map[*tree.Struct]string{}}
	for i, s := range p.Structs {
		n.structs[s] = n.of(s.Name)
		local := func(f *tree.Function) bool {
			return s.Pos.File == f.Pos.File && f.Pos.Line <= s.Pos.Line && s.Pos.Line <= f.End.Line
		}
		hidden := func(f *tree.Function) bool {
			hides := func(v *tree.Variable) bool { return v.Name == s.Name }
			return slices.ContainsFunc(f.Params, hides) || slices.ContainsFunc(f.Locals, hides)
		}
		if s.Name == "" || slices.ContainsFunc(p.Functions, local) || slices.ContainsFunc(p.Functions, hidden) {
			n.structs[s] = fmt.Sprintf("%ss%d", reserved, i)
		}
	}
	return n
}

// parameterName names a parameter, one without a name by its place: Mesa (22.3) refuses a definition that has one.
func parameterName(n *names, p *tree.Variable) string {
	if p.Name == "" {
		return fmt.Sprintf("%sp%d", reserved, p.ID)
	}
	return n.of(p.Name)
}

// typeName writes a type with the structures' names.
func (w *writer) typeName(t *tree.Type) string {
	elem, dims := w.split(t)
	return elem + dims
}

// variable writes a type and a name, as C does: the dimensions stand behind the name, where every
// driver expects them.
func (w *writer) variable(t *tree.Type, name string) string {
	elem, dims := w.split(t)
	return elem + " " + name + dims
}

// split writes what is not an array in a type, and the dimensions.
func (w *writer) split(t *tree.Type) (elem, dims string) {
	for ; t.IsArray() && !t.Matrix; t = t.Elem {
		if t.Class == tree.ClassArray {
			dims += fmt.Sprintf("[%d]", t.Len)
		} else {
			dims += "[]"
		}
	}
	if t.Class == tree.ClassStruct {
		return w.names.structs[t.Struct.Declared()], dims
	}
	return t.String(), dims
}
