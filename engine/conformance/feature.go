package conformance

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"vyretop/engine/glsl/tree"
)

// Features names everything of the language that a program uses, sorted, in these forms:
//
//	statement.While            each kind of statement, by the name of its node in package tree
//	expression.Swizzle         each kind of expression
//	unary.-(ivec2)             an operator with the types of its operands
//	binary.<<(uvec3,int)       the same; a scalar beside a vector is named as a scalar
//	assign.+=(vec2,float)      compound assignment
//	step.x++(int)              ++ and --, before and after
//	convert.float(ivec3)       conversion of a type to a component kind
//	builtin.min(vec3,float)    one overload of a built-in function
//	atomic.Max.shared(int)     an atomic on memory of a class
//	input.WorkGroupID          a gl_ variable
func Features(p *tree.Program) []string {
	used := map[string]bool{}
	note := func(e tree.Expr) bool {
		used["expression."+nodeName(e)] = true
		used[FeatureOf(e)] = true
		return true
	}
	for i := range p.Globals {
		tree.Inspect(p.Globals[i].Init, note)
	}
	for _, f := range p.Functions {
		tree.InspectStmts(f.Body, func(s tree.Stmt) {
			used["statement."+nodeName(s)] = true
			for _, e := range tree.Exprs(s) {
				tree.Inspect(e, note)
			}
		})
	}
	delete(used, "")
	return slices.Sorted(maps.Keys(used))
}

func nodeName(node any) string { return reflect.TypeOf(node).Elem().Name() }

// FeatureOf names the operation of one node, or gives "" for a node that only selects or builds
// values.
func FeatureOf(e tree.Expr) string {
	switch x := e.(type) {
	case *tree.Unary:
		return fmt.Sprintf("unary.%s(%s)", x.Op, x.T)
	case *tree.Binary:
		return fmt.Sprintf("binary.%s(%s,%s)", x.Op, operandName(x.X), operandName(x.Y))
	case *tree.Assign:
		if x.Op == tree.OpNone {
			return ""
		}
		return fmt.Sprintf("assign.%s=(%s,%s)", x.Op, x.Target.Type(), operandName(x.Value))
	case *tree.IncDec:
		return "step." + stepName(x) + "(" + x.T.String() + ")"
	case *tree.Convert:
		return fmt.Sprintf("convert.%s(%s)", x.T.Kind, x.X.Type())
	case *tree.BuiltinCall:
		return "builtin." + SignatureName(x.Builtin, x.Signature)
	case *tree.Atomic:
		return fmt.Sprintf("atomic.%s.%s(%s)", x.Op, memoryName(x), x.T)
	case *tree.VarRef:
		return inputName(x.Var)
	default:
		return ""
	}
}

// operandName is the type of an operand as the text has it, before it was repeated for a vector.
func operandName(e tree.Expr) string {
	if s, ok := e.(*tree.Splat); ok {
		return s.X.Type().String()
	}
	if t := e.Type(); t.Class == tree.ClassStruct || t.IsArray() && !t.Matrix {
		return "aggregate"
	}
	return e.Type().String()
}

func stepName(x *tree.IncDec) string {
	op := "++"
	if x.Dec {
		op = "--"
	}
	if x.Prefix {
		return op + "x"
	}
	return "x" + op
}

// SignatureName writes one overload of a built-in function: "min(vec3,float)".
func SignatureName(b *tree.Builtin, s *tree.Signature) string {
	types := make([]string, len(s.Params))
	for i, p := range s.Params {
		types[i] = p.Type.String()
	}
	return b.Name + "(" + strings.Join(types, ",") + ")"
}

func memoryName(a *tree.Atomic) string {
	if _, ok := tree.Root(a.Target).(*tree.BufferRef); ok {
		return "buffer"
	}
	return "shared"
}

var inputNames = map[tree.Input]string{
	tree.InputNumWorkGroups: "NumWorkGroups", tree.InputWorkGroupID: "WorkGroupID",
	tree.InputLocalInvocationID: "LocalInvocationID", tree.InputGlobalInvocationID: "GlobalInvocationID",
	tree.InputLocalInvocationIndex: "LocalInvocationIndex",
}

func inputName(v *tree.Variable) string {
	if v.Kind != tree.VarInput {
		return ""
	}
	return "input." + inputNames[v.Input]
}
