package tree

import (
	"maps"
	"slices"
)

// OperationName names what an expression node does at run time, for a backend that must say
// whether it can run a program. Names look like "binary.+.uint", "unary.~.int", "atomic.Add.shared",
// "builtin.bitCount", "convert.int.float", "length" or "call"; nodes that only select or build
// values have the name "".
func OperationName(e Expr) string {
	switch x := e.(type) {
	case *Unary:
		return "unary." + x.Op.String() + "." + kindName(x.T)
	case *Binary:
		if x.Y.Type().Matrix {
			return binaryName(x.Op, x.Y.Type())
		}
		return binaryName(x.Op, x.X.Type())
	case *Assign:
		if x.Op == OpNone {
			return ""
		}
		if x.Value.Type().Matrix {
			return binaryName(x.Op, x.Value.Type())
		}
		return binaryName(x.Op, x.T)
	case *IncDec:
		if x.Dec {
			return binaryName(Sub, x.T)
		}
		return binaryName(Add, x.T)
	case *Logical, *Conditional:
		return "branch"
	case *Call:
		return "call"
	case *BuiltinCall:
		return "builtin." + x.Builtin.Name
	case *Atomic:
		return "atomic." + x.Op.String() + "." + atomicSpace(x)
	case *Convert:
		return "convert." + kindName(x.X.Type()) + "." + kindName(x.T)
	case *Length:
		return "length"
	default:
		return ""
	}
}

// matrixName stands for the kind of a matrix in the names of operations.
const matrixName = "matrix"

func kindName(t *Type) string {
	if t.Matrix {
		return matrixName
	}
	return t.Kind.String()
}

func binaryName(op BinaryOp, operand *Type) string {
	kind := operand.Kind.String()
	switch {
	case operand.Matrix && !op.IsEquality():
		kind = matrixName
	case operand.Kind == KindNone:
		kind = "aggregate"
	}
	return "binary." + op.String() + "." + kind
}

func atomicSpace(a *Atomic) string {
	if _, ok := Root(a.Target).(*BufferRef); ok {
		return "buffer"
	}
	return "shared"
}

// The operand kinds of the operators.
var (
	anyKind     = Kinds()
	numberKinds = anyKind[1:]
	wholeKinds  = []Kind{KindInt, KindUint, KindInt64, KindUint64}
)

// AllOperations returns the sorted names of all operations that programs can use.
func AllOperations() []string {
	names := []string{"branch", "call", "length", binaryName(Equal, Void), binaryName(NotEqual, Void)}
	for op := Add; op <= Div; op++ {
		names = append(names, binaryName(op, MatrixOf(2, 2)))
	}
	names = append(names, "unary.-.matrix", "unary.+.matrix", "convert.float.matrix", "convert.matrix.matrix")
	for op := Neg; op <= Complement; op++ {
		for _, k := range unaryKinds(op) {
			names = append(names, "unary."+op.String()+"."+k.String())
		}
	}
	for op := Add; op <= LogicalXor; op++ {
		for _, k := range binaryKinds(op) {
			names = append(names, binaryName(op, Vector(k, 1)))
		}
	}
	for _, from := range anyKind {
		for _, to := range anyKind {
			if from != to {
				names = append(names, "convert."+from.String()+"."+to.String())
			}
		}
	}
	for i := range Builtins {
		b := &Builtins[i]
		if op, ok := b.Atomic(); ok {
			names = append(names, "atomic."+op.String()+".buffer", "atomic."+op.String()+".shared")
			continue
		}
		names = append(names, "builtin."+b.Name)
	}
	slices.Sort(names)
	return names
}

func unaryKinds(op UnaryOp) []Kind {
	switch op {
	case Not:
		return anyKind[:1]
	case Complement:
		return wholeKinds
	default:
		return numberKinds
	}
}

func binaryKinds(op BinaryOp) []Kind {
	switch {
	case op == LogicalXor:
		return anyKind[:1]
	case op.IsEquality():
		return anyKind
	case op.IsShift(), op.IsBitwise(), op == Mod:
		return wholeKinds
	default:
		return numberKinds
	}
}

// CollectOperations returns the sorted names of all operations that p's functions and global
// initializers use.
func CollectOperations(p *Program) []string {
	used := map[string]bool{}
	note := func(e Expr) bool {
		used[OperationName(e)] = true
		return true
	}
	for i := range p.Globals {
		Inspect(p.Globals[i].Init, note)
	}
	for _, f := range p.Functions {
		InspectStmts(f.Body, func(s Stmt) {
			for _, e := range Exprs(s) {
				Inspect(e, note)
			}
		})
	}
	delete(used, "")
	return slices.Sorted(maps.Keys(used))
}
