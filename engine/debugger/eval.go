package debugger

import (
	"errors"
	"slices"
	"strings"

	"vyretop/engine/fault"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/fold"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// Value is the value of an expression: its components, densely.
type Value struct {
	Type  *tree.Type
	Words []uint32
}

// Eval evaluates an expression of the kernel language for the selected lane. It may not change anything
// nor call functions of the kernel.
func (s *Session) Eval(text string) (Value, error) {
	x, err := s.scope().parse(text)
	if err != nil {
		return Value{}, err
	}
	return s.scope().eval(x)
}

// Check is the error of an expression that has a value nowhere, because its text is wrong: not of one that names a variable which is
// not in scope here.
func (s *Session) Check(text string) error {
	return s.scope().advised(glsl.CheckExpression(text, s.tree, s.scope().locals()), s.scope().locals())
}

// locals are the variables in scope for the selected lane.
func (s scope) locals() (list []*tree.Variable) {
	for _, v := range s.visible() {
		list = append(list, v.Variable)
	}
	if g := s.group(); g != nil {
		list = append(list, s.images(s.call(s.scopePC(g)))...)
	}
	return list
}

// images are the parameters of a call that are images.
func (s scope) images(call int32) (list []*tree.Variable) {
	for _, p := range s.m.lowered.Images[call] {
		list = append(list, p.Variable())
	}
	return list
}

// scope evaluates expressions for the selected lane.
type scope struct{ *Session }

// parse checks an expression in the scope of the selected lane.
func (s scope) parse(text string) (tree.Expr, error) {
	x, err := glsl.Expression(text, s.tree, s.locals())
	return x, s.advised(err, s.locals())
}

// ownOf leaves out the variables of files that are skipped.
func (s scope) ownOf(list []*tree.Variable) []*tree.Variable {
	return slices.DeleteFunc(slices.Clone(list), func(v *tree.Variable) bool { return s.skip(v.Pos.File) })
}

// maxAdvised bounds the names that an error about another one lists.
const maxAdvised = 8

// advised has an error about unknown names say which there are, beside locals: nothing can be declared in an expression of the
// debugger.
func (s scope) advised(err error, locals []*tree.Variable) error {
	list, ok := errors.AsType[source.Diagnostics](err)
	if !ok {
		return err
	}
	list = slices.Clone(list)
	names := s.namesWith(locals)
	for i := range list {
		if list[i].Fix != source.DeclareFix {
			continue
		}
		if s.isFunction(list[i].Construct) {
			list[i].Message, list[i].Fix = notCalled(list[i].Construct), callFix
			continue
		}
		var few []string
		for _, n := range s.namesWith(s.ownOf(locals)) {
			if len(few) < maxAdvised && !slices.Contains(few, n) && !slices.Contains(Builtins, n) {
				few = append(few, n)
			}
		}
		fix := "use a name that is in scope here"
		if len(few) > 0 {
			fix += ", such as " + strings.Join(few, ", ")
		}
		if g := s.group(); g == nil || g.State() == vm.Ended {
			fix = "this is the end: name a buffer, or go back with rev step to where the variable is in scope"
		}
		list[i].Fix = fault.Suggest(list[i].Construct, names, fix)
	}
	return list
}

// isFunction reports whether a name is that of a function of the kernel.
func (s scope) isFunction(name string) bool {
	return slices.ContainsFunc(s.tree.Functions, func(f *tree.Function) bool { return f.Name == name })
}

const callFix = "step into it, or write its body"

func notCalled(name string) string {
	return "the function " + name + " of the kernel cannot be called in an expression"
}

func unsupported(what, fix string) error {
	return &fault.Error{Kind: ErrRequest, Detail: what, Fix: fix}
}

// errChanges is the error of an expression that would change the state.
var errChanges = unsupported("an expression cannot change anything", "use: set VARIABLE = EXPRESSION")

// changesNothing refuses an expression that would change the state, also in a part that is not always evaluated.
func changesNothing(x tree.Expr) (err error) {
	tree.Inspect(x, func(x tree.Expr) bool {
		switch x := x.(type) {
		case *tree.Assign, *tree.IncDec, *tree.Atomic:
			err = errChanges
		case *tree.BuiltinCall:
			if slices.ContainsFunc(x.Args, func(a tree.Arg) bool { return a.Mode != tree.ModeIn }) {
				err = errChanges
			}
		}
		return err == nil
	})
	return err
}

// eval gives the value of a checked expression.
func (s scope) eval(x tree.Expr) (Value, error) {
	if t := x.Type(); t.Class == tree.ClassRuntimeArray {
		return Value{}, unsupported("the array has no fixed size", "select an element, such as values[0]")
	}
	if w, ok := x.(*tree.Swizzle); ok && tree.Root(x) == nil {
		return s.components(w)
	}
	switch x := x.(type) {
	case *tree.Const:
		return Value{x.T, x.Bits}, nil
	case *tree.VarRef, *tree.BufferRef, *tree.Field, *tree.Index, *tree.Swizzle:
		return s.read(x)
	case *tree.Length:
		return s.length(x)
	case *tree.Logical:
		return s.logical(x)
	case *tree.Conditional:
		c, err := s.eval(x.Cond)
		if err != nil {
			return c, err
		}
		if c.Words[0] != 0 {
			return s.eval(x.Then)
		}
		return s.eval(x.Else)
	case *tree.Assign, *tree.IncDec, *tree.Atomic:
		return Value{}, errChanges
	case *tree.Call:
		return Value{}, unsupported(notCalled(x.Func.Name), callFix)
	}
	return s.operation(x)
}

// components are those of a computed vector that a swizzle names.
func (s scope) components(x *tree.Swizzle) (Value, error) {
	v, err := s.eval(x.X)
	if err != nil {
		return v, err
	}
	out, n := Value{Type: x.T}, x.T.Kind.Words()
	for _, lane := range x.Lanes {
		out.Words = append(out.Words, v.Words[int(lane)*n:][:n]...)
	}
	return out, nil
}

func (s scope) logical(x *tree.Logical) (Value, error) {
	a, err := s.eval(x.X)
	if err != nil || a.Words[0] == 0 == x.And {
		return a, err
	}
	return s.eval(x.Y)
}

// operation evaluates what works on the values of its operands.
func (s scope) operation(x tree.Expr) (Value, error) {
	args, err := s.operands(x)
	if err != nil {
		return Value{}, err
	}
	out := Value{Type: x.Type()}
	switch x := x.(type) {
	case *tree.Unary:
		out.Words = fold.UnaryWords(x.Op, x.T.ComponentKind(), args[0].Words)
	case *tree.Binary:
		out.Words = binary(x, args[0].Words, args[1].Words)
	case *tree.Convert:
		out.Words = fold.ConvertWords(x.X.Type(), x.T, args[0].Words)
	case *tree.Splat:
		out.Words = slices.Repeat(args[0].Words, x.T.Width)
	case *tree.Compose:
		for _, a := range args {
			out.Words = append(out.Words, a.Words...)
		}
	case *tree.BuiltinCall:
		return builtin(x, args)
	case *tree.Comma:
		return args[1], nil
	default:
		return out, unsupported("the expression cannot be evaluated", "use variables, operators and built-in functions of numbers")
	}
	return out, nil
}

func builtin(x *tree.BuiltinCall, args []Value) (Value, error) {
	words := make([][]uint32, len(args))
	for i, a := range args {
		if words[i] = a.Words; x.Args[i].Mode != tree.ModeIn {
			return Value{}, unsupported("an expression cannot change anything", "leave out the function with an out parameter")
		}
	}
	result, ok := fold.Builtin(x.Builtin, x.Signature, words)
	if !ok {
		return Value{}, unsupported("the built-in function cannot be called in an expression", "use functions of numbers")
	}
	return Value{x.T, result}, nil
}

func binary(x *tree.Binary, a, b []uint32) []uint32 {
	if x.Op == tree.Equal || x.Op == tree.NotEqual {
		same := slices.Equal(a, b)
		if k := x.OperandKind(); k != tree.KindNone {
			same = fold.EqualWords(k, a, b)
		}
		if same == (x.Op == tree.Equal) {
			return []uint32{1}
		}
		return []uint32{0}
	}
	if x.X.Type().Matrix || x.Y.Type().Matrix {
		return fold.Matrix(x.Op, x.X.Type(), x.Y.Type(), a, b)
	}
	return fold.BinaryWords(x.Op, x.T.Kind, x.OperandKind(), x.Y.Type().Kind, a, b)
}

// operands evaluates the operands of an operation.
func (s scope) operands(x tree.Expr) ([]Value, error) {
	var list []tree.Expr
	switch x := x.(type) {
	case *tree.Unary:
		list = []tree.Expr{x.X}
	case *tree.Binary:
		list = []tree.Expr{x.X, x.Y}
	case *tree.Convert:
		list = []tree.Expr{x.X}
	case *tree.Splat:
		list = []tree.Expr{x.X}
	case *tree.Compose:
		list = x.Parts
	case *tree.Comma:
		list = []tree.Expr{x.X, x.Y}
	case *tree.BuiltinCall:
		for _, a := range x.Args {
			list = append(list, a.X)
		}
	}
	out := make([]Value, len(list))
	for i, e := range list {
		var err error
		if out[i], err = s.eval(e); err != nil {
			return nil, err
		}
	}
	return out, nil
}
