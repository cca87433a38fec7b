package emit

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/glsl/tree"
)

// NVIDIA's compiler (580.159) gives wrong values for vectors of 64-bit components in shared memory: for components in branches that only
// some lanes take, for copies of an element with a constant index, and for components with an index that is not constant, also after
// barriers (testdata/found of package conformance, 0066, 0067, 0069 and 0070; kernel wideelements). It is right with words of 32 bits. So a
// device that goes wrong with variables of 64 bits keeps such shared variables as arrays of words: functions make values of words, and words of
// values.

// asWords reports whether e is, or is a part of, a shared variable that is kept as words.
func asWords(w *writer, e tree.Expr) bool {
	switch e.(type) {
	case *tree.VarRef, *tree.Field, *tree.Swizzle, *tree.Index:
	default:
		return false
	}
	root, ok := tree.Root(e).(*tree.VarRef)
	return ok && keptAsWords(w, root.Var)
}

func keptAsWords(w *writer, v *tree.Variable) bool {
	return v.Kind == tree.VarShared && hasWideVector(v.Type) && !w.memory.atomics[v] && distrusts(w, v.Type)
}

// hasWideVector reports whether t is, or has, a vector of 64-bit components, and no component of less than 32 bits.
func hasWideVector(t *tree.Type) bool {
	switch {
	case t.HasNarrow():
		return false
	case t.Class == tree.ClassStruct:
		return slices.ContainsFunc(t.Struct.Members, func(m tree.Member) bool { return hasWideVector(m.Type) })
	case t.IsArray():
		return hasWideVector(t.Elem)
	}
	return t.IsVector() && isWide(t)
}

// The parameters of functions that read and write such values.
const firstWord, given = reserved + "at", reserved + "v"

// sharedType is the type that the text gives a shared variable.
func sharedType(w *writer, v *tree.Variable) *tree.Type {
	if keptAsWords(w, v) {
		return tree.ArrayOf(tree.Uint, v.Type.Components())
	}
	return v.Type
}

// sharedVariables are the program's, of these types.
func sharedVariables(w *writer) []*tree.Variable {
	list := make([]*tree.Variable, len(w.prog.Shared))
	for i, v := range w.prog.Shared {
		list[i] = v
		if keptAsWords(w, v) {
			words := *v
			words.Type = sharedType(w, v)
			list[i] = &words
		}
	}
	return list
}

// wordAt writes the index of the first word of e.
func wordAt(w *writer, e tree.Expr) string {
	fixed, others := wordsBefore(w, e)
	return strings.Join(append(others, fmt.Sprintf("%du", fixed)), " + ")
}

// wordsBefore is the number of words before e that is known, and the numbers to add.
func wordsBefore(w *writer, e tree.Expr) (fixed int, others []string) {
	switch x := e.(type) {
	case *tree.Field:
		fixed, others = wordsBefore(w, x.X)
		for i := range x.Member {
			fixed += x.X.Type().Struct.Members[i].Type.Components()
		}
	case *tree.Swizzle:
		fixed, others = wordsBefore(w, x.X)
		fixed += int(x.Lanes[0]) * x.T.Kind.Words()
	case *tree.Index:
		fixed, others = wordsBefore(w, x.X)
		if c, ok := x.I.(*tree.Const); ok {
			return fixed + int(c.Bits[0])*x.T.Components(), others
		}
		at := w.expr(x.I)
		if x.I.Type().Kind == tree.KindInt {
			at = "uint(" + at + ")"
		}
		others = append(others, fmt.Sprintf("min(%s, %du) * %du", at, elementsOf(x.X.Type())-1, x.T.Components()))
	}
	return fixed, others
}

// elementsOf is the number of elements, columns or components that t is indexed by.
func elementsOf(t *tree.Type) int {
	if t.IsVector() {
		return t.Width
	}
	return t.Len
}

// loaded writes a read of what is kept as words.
func loaded(w *writer, e tree.Expr) string {
	switch x := e.(type) {
	case *tree.Swizzle:
		if len(x.Lanes) > 1 {
			return loaded(w, x.X) + "." + lanes(x)
		}
	case *tree.Index:
		if _, swizzled := x.X.(*tree.Swizzle); swizzled {
			return w.selection(x)
		}
	}
	root := tree.Root(e).(*tree.VarRef).Var
	return loader(w, w.names.of(root.Name), plain(e.Type())) + "(" + wordAt(w, e) + ")"
}

// loader is a function that reads a value of type t from its words in the variable called from.
func loader(w *writer, from string, t *tree.Type) string {
	name := w.typeName(t)
	return w.helper("load "+name+" of "+from, func(f string) string {
		return fmt.Sprintf("%s %s(uint %s) { return %s; }", name, f, firstWord, loadedParts(w, from, t))
	})
}

func loadedParts(w *writer, from string, t *tree.Type) string {
	if t.IsScalar() {
		return ofWords(t.Kind, from+"["+firstWord+"]", from+"["+firstWord+" + 1u]")
	}
	types, places := partsOf(t)
	parts := make([]string, len(types))
	for i, part := range types {
		parts[i] = fmt.Sprintf("%s(%s + %du)", loader(w, from, plain(part)), firstWord, places[i])
	}
	return constructor(w, t) + "(" + strings.Join(parts, ", ") + ")"
}

// partsOf is what a value of type t consists of, and the words before each part.
func partsOf(t *tree.Type) (types []*tree.Type, places []int) {
	switch {
	case t.Class == tree.ClassStruct:
		for i := range t.Struct.Members {
			types = append(types, t.Struct.Members[i].Type)
		}
	case t.IsArray():
		types = slices.Repeat([]*tree.Type{t.Elem}, t.Len)
	default:
		types = slices.Repeat([]*tree.Type{tree.Vector(t.Kind, 1)}, t.Width)
	}
	at := 0
	for _, part := range types {
		places = append(places, at)
		at += part.Components()
	}
	return types, places
}

// ofWords writes the value of the words low and high, of which components of 32 bits have the first.
func ofWords(kind tree.Kind, low, high string) string {
	switch kind {
	case tree.KindBool:
		return low + " != 0u"
	case tree.KindInt:
		return "int(" + low + ")"
	case tree.KindFloat:
		return "uintBitsToFloat(" + low + ")"
	case tree.KindDouble:
		return fmt.Sprintf("packDouble2x32(uvec2(%s, %s))", low, high)
	case tree.KindInt64:
		return fmt.Sprintf("packInt2x32(ivec2(%s, %s))", low, high)
	case tree.KindUint64:
		return fmt.Sprintf("packUint2x32(uvec2(%s, %s))", low, high)
	}
	return low
}

// storedAsWords writes an assignment to what is kept as words.
func storedAsWords(w *writer, x *tree.Assign) string {
	t, to := plain(x.T), w.names.of(tree.Root(x.Target).(*tree.VarRef).Var.Name)
	target, chosen := x.Target, []uint8(nil)
	for s, ok := target.(*tree.Swizzle); ok && len(s.Lanes) > 1; s, ok = target.(*tree.Swizzle) {
		chosen, target = within(s.Lanes, chosen), s.X
	}
	store := storer(w, to, t)
	if chosen != nil {
		store = lanesStorer(w, to, t, chosen)
	}
	return fmt.Sprintf("%s(%s, %s)", store, wordAt(w, target), w.expr(x.Value))
}

// lanesStorer is a function that writes a vector to some components of one.
func lanesStorer(w *writer, to string, t *tree.Type, chosen []uint8) string {
	name := w.typeName(t)
	return w.helper(fmt.Sprintf("store %s at %v to %s", name, chosen, to), func(f string) string {
		body := ""
		for i, lane := range chosen {
			body += fmt.Sprintf("%s(%s + %du, %s.%c); ", storer(w, to, tree.Vector(t.Kind, 1)), firstWord, int(lane)*t.Kind.Words(), given, "xyzw"[i])
		}
		return storingFunction(name, f, body)
	})
}

// within is the lanes that chosen selects of those; all of them where chosen is nil.
func within(of, chosen []uint8) []uint8 {
	if chosen == nil {
		return of
	}
	list := make([]uint8, len(chosen))
	for i, lane := range chosen {
		list[i] = of[lane]
	}
	return list
}

// storer is a function that writes a value of type t to its words in the variable called to, and returns it.
func storer(w *writer, to string, t *tree.Type) string {
	name := w.typeName(t)
	return w.helper("store "+name+" to "+to, func(f string) string {
		return storingFunction(name, f, storedParts(w, to, t))
	})
}

func storingFunction(t, name, body string) string {
	return fmt.Sprintf("%s %s(uint %s, %s %s) { %sreturn %s; }", t, name, firstWord, t, given, body, given)
}

func storedParts(w *writer, to string, t *tree.Type) (text string) {
	if t.IsScalar() {
		return storedScalar(to, t.Kind)
	}
	types, places := partsOf(t)
	for i, part := range types {
		of := fmt.Sprintf("%s[%d]", given, i)
		switch {
		case t.Class == tree.ClassStruct:
			of = given + "." + w.names.of(t.Struct.Members[i].Name)
		case t.IsVector():
			of = given + "." + "xyzw"[i:i+1]
		}
		text += fmt.Sprintf("%s(%s + %du, %s); ", storer(w, to, plain(part)), firstWord, places[i], of)
	}
	return text
}

// storedScalar writes the statements that store a scalar.
func storedScalar(to string, kind tree.Kind) string {
	low, high := to+"["+firstWord+"]", to+"["+firstWord+" + 1u]"
	pair := func(t, function string) string {
		return fmt.Sprintf("%s %su = %s(%s); %s = uint(%su.x); %s = uint(%su.y); ", t, reserved, function, given, low, reserved, high, reserved)
	}
	switch kind {
	case tree.KindFloat:
		return fmt.Sprintf("%s = floatBitsToUint(%s); ", low, given)
	case tree.KindDouble:
		return pair("uvec2", "unpackDouble2x32")
	case tree.KindInt64:
		return pair("ivec2", "unpackInt2x32")
	case tree.KindUint64:
		return pair("uvec2", "unpackUint2x32")
	}
	return fmt.Sprintf("%s = uint(%s); ", low, given)
}

// changedAsWords writes what do makes of a copy of what is kept as words, and of the value if there is one.
func changedAsWords(w *writer, target, value tree.Expr, do func(target, value tree.Expr) tree.Expr) string {
	r, t := &route{w: w}, target.Type()
	place := r.place(target)
	if value != nil {
		value = r.parameter("", value.Type(), w.expr(value))
	}
	c := r.local("c", 0, t)
	body := fmt.Sprintf("%s = %s; %s = %s; ", r.declared(c), w.expr(place), w.variable(plain(t), "r"), w.expr(do(c, value)))
	return r.function(t, body+w.effect(&tree.Assign{Node: tree.Node{T: t}, Target: place, Value: c})+"; return r; ")
}
