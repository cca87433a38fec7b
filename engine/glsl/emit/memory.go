package emit

import (
	"vyretop/engine/glsl/tree"
)

// memory is a variable or a member of a buffer.
type memory struct {
	variable *tree.Variable
	buffer   *tree.Buffer
	member   int
}

// memoryOf is the memory that an access is to; the zero value where that is a computed value.
func memoryOf(e tree.Expr) (m memory) {
	switch root := tree.Root(e).(type) {
	case *tree.VarRef:
		m.variable = root.Var
	case *tree.BufferRef:
		m.buffer, m.member = root.Buffer, root.Member
	}
	return m
}

// survey is what a program does with memory.
type survey struct {
	writes  map[memory]bool // what it writes, true where with an index that is not constant
	structs bool            // it has structures outside buffers

	atomics map[*tree.Variable]bool // shared variables that atomics are of
	packed  map[*tree.Buffer]bool   // blocks as words

	elements bool // what it has is written, or refused, by what the device does with elements of 64 bits; set while it is written
}

func surveyed(p *tree.Program) survey {
	found := survey{writes: map[memory]bool{}, atomics: map[*tree.Variable]bool{}, packed: map[*tree.Buffer]bool{}, elements: p.MixedMajor() != ""}
	visit := func(x tree.Expr) bool {
		for _, target := range tree.Targets(x) {
			m := memoryOf(target)
			if _, atomic := x.(*tree.Atomic); atomic && m.variable != nil {
				found.atomics[m.variable] = true
			}
			found.writes[m] = found.writes[m] || !steady(target)
		}
		if _, buffer := tree.Root(x).(*tree.BufferRef); !buffer && x.Type().Class == tree.ClassStruct {
			found.structs = true
		}
		return true
	}
	for _, b := range p.Buffers {
		if b.Packed != nil {
			found.packed[b.Packed] = true
		}
	}
	for _, f := range p.Functions {
		tree.InspectStmts(f.Body, func(s tree.Stmt) {
			for _, e := range tree.Exprs(s) {
				tree.Inspect(e, visit)
			}
		})
	}
	return found
}

// steady reports whether all indices of an access are constant.
func steady(e tree.Expr) bool {
	for ; e != nil; e = tree.Whole(e) {
		if x, ok := e.(*tree.Index); ok {
			if _, fixed := x.I.(*tree.Const); !fixed {
				return false
			}
		}
	}
	return true
}

// nested reports whether a variable is more than an array of scalars or vectors.
func nested(root tree.Expr) bool {
	if root == nil {
		return false
	}
	t := root.Type()
	if t.IsArray() {
		t = t.Elem
	}
	return t.IsArray() || t.Class == tree.ClassStruct
}

// scattered reports whether the driver may take a part of the memory behind root for what it was before a write.
func (s survey) scattered(root tree.Expr) bool {
	return s.writes[memoryOf(root)] && nested(tree.Root(root))
}

// unforeseen reports whether e reads a buffer that the program does not write, so that no compiler knows its value. Mesa (22.3)
// takes a read behind a write for what was written.
func (s survey) unforeseen(e tree.Expr) bool {
	root, ok := tree.Root(e).(*tree.BufferRef)
	if !ok {
		return false
	}
	_, written := s.writes[memoryOf(root)]
	return !written
}
