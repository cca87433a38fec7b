package dap

import (
	"errors"
	"fmt"
	"strings"

	"github.com/google/go-dap"

	"vyretop/engine/debugger"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// Elements of an array that one answer has: where the client names no count, more than pageElements are grouped; where it
// does, at most maxElements are sent.
const (
	pageElements = 128
	maxElements  = 1 << 16
)

// child is something to show: a name, the expression for it, or the node that it opens.
type child struct {
	name, expr string
	group      *node // what it opens when it is not a value
	text       string
}

// variables lists the children of a node.
func variables(s *server, a dap.VariablesArguments) (any, error) {
	n, err := s.refs.node(a.VariablesReference)
	if err != nil {
		return nil, err
	}
	if a.Start < 0 || a.Count < 0 || a.Count > maxElements {
		return nil, invalid(fmt.Sprintf("cannot list %d variables from %d on", a.Count, a.Start), fmt.Sprintf("ask for at most %d at once", maxElements))
	}
	body := dap.VariablesResponseBody{Variables: []dap.Variable{}}
	err = debugger.In(s.program.Session, n.in, func() error {
		list, err := s.children(n, a)
		for _, c := range list {
			body.Variables = append(body.Variables, s.variable(n.in, c))
		}
		return err
	})
	return body, err
}

// children lists the children of a node that the client asks for.
func (s *view) children(n node, a dap.VariablesArguments) ([]child, error) {
	session := s.program.Session
	switch n.kind {
	case localScope:
		return named(localNames(session)), nil
	case sharedScope:
		return named(debugger.SharedNames(session)), nil
	case constantScope:
		return named(debugger.ConstantNames(session)), nil
	case builtinScope:
		return named(debugger.Builtins), nil
	case bufferScope:
		return s.bufferNodes(n), nil
	case bufferNode:
		return named(session.Buffers()[n.from].Members), nil
	case rangeNode:
		return elements(n.in, n.expr, n.from, n.n, a.Start, a.Count), nil
	case valueNode:
		return s.members(n, a)
	}
	return nil, invalid("a frame has no variables", "ask for its scopes")
}

func named(list []string) []child {
	out := make([]child, len(list))
	for i, name := range list {
		out[i] = child{name: name, expr: name}
	}
	return out
}

// bufferNodes lists the buffers.
func (s *view) bufferNodes(n node) []child {
	var list []child
	for i, b := range s.program.Session.Buffers() {
		list = append(list, child{name: b.Name, group: &node{kind: bufferNode, in: n.in, from: i}, text: fmt.Sprintf("binding %d, %d words", b.Binding, b.Words)})
	}
	return list
}

// members lists the members of a structure, the components of a vector, or elements of an array.
func (s *view) members(n node, a dap.VariablesArguments) ([]child, error) {
	t, err := debugger.TypeOf(s.program.Session, n.expr)
	if err != nil {
		return nil, err
	}
	var list []child
	switch t.Class {
	case tree.ClassStruct:
		for _, m := range t.Struct.Members {
			list = append(list, child{name: m.Name, expr: n.expr + "." + m.Name})
		}
	case tree.ClassVector:
		for _, c := range "xyzw"[:t.Width] {
			list = append(list, child{name: string(c), expr: n.expr + "." + string(c)})
		}
	case tree.ClassArray, tree.ClassRuntimeArray:
		if a.Filter == "named" {
			return nil, nil
		}
		return elements(n.in, n.expr, 0, s.length(n.expr, t), a.Start, a.Count), nil
	}
	return list, nil
}

// length is how many elements an array has.
func (s *view) length(expr string, t *tree.Type) int {
	if t.Class == tree.ClassArray {
		return t.Len
	}
	e, err := s.program.Session.Elements(expr, 0, 0)
	if err != nil {
		return 0
	}
	return e.Total
}

// elements lists the elements of n that a client asks for, of an array from one on. Where it names no count, many are
// grouped.
func elements(in debugger.Context, array string, from, n, start, count int) []child {
	start = min(start, n)
	from, n = from+start, n-start
	if count > 0 {
		n = min(n, count)
	}
	var list []child
	if count == 0 && n > pageElements {
		size := pageElements
		for n/size > pageElements {
			size *= pageElements
		}
		for i := 0; i < n; i += size {
			k := min(size, n-i)
			list = append(list, child{name: fmt.Sprintf("[%d..%d]", from+i, from+i+k-1), group: &node{rangeNode, in, array, from + i, k}, text: fmt.Sprintf("%d elements", k)})
		}
		return list
	}
	for i := from; i < from+n; i++ {
		list = append(list, child{name: fmt.Sprintf("[%d]", i), expr: fmt.Sprintf("%s[%d]", array, i)})
	}
	return list
}

// variable shows a child in a context that is selected.
func (s *view) variable(in debugger.Context, c child) dap.Variable {
	if c.group != nil {
		v := dap.Variable{Name: c.name, Value: c.text, VariablesReference: s.refs.id(*c.group)}
		if c.group.kind == rangeNode {
			v.IndexedVariables = c.group.n
		}
		return v
	}
	v := dap.Variable{Name: c.name, EvaluateName: c.expr}
	x, err := s.value(in, c.expr)
	if err != nil {
		v.Value, v.EvaluateName = "<"+brief(err)+">", ""
		return v
	}
	v.Value, v.Type, v.VariablesReference, v.NamedVariables, v.IndexedVariables = x.text, x.kind, x.ref, x.named, x.indexed
	return v
}

// shown is a value as a client shows it.
type shown struct {
	text, kind     string
	ref            int
	named, indexed int
}

// Components of a value that are written out, and elements of an array.
const (
	maxShown      = 64
	shownElements = 8
)

// value evaluates an expression in a context that is selected.
func (s *view) value(in debugger.Context, expr string) (shown, error) {
	session := s.program.Session
	t, err := debugger.TypeOf(session, expr)
	if err != nil {
		return shown{}, err
	}
	x := shown{kind: t.String()}
	place := debugger.IsPlace(session, expr)
	switch t.Class {
	case tree.ClassArray, tree.ClassRuntimeArray:
		return s.array(in, expr, t, x, place)
	case tree.ClassStruct:
		x.named = len(t.Struct.Members)
	case tree.ClassVector:
		x.named = t.Width
	}
	if !place {
		x.named = 0
	}
	if x.named > 0 {
		x.ref = s.refs.id(node{kind: valueNode, in: in, expr: expr})
	}
	if t.Components() > maxShown {
		x.text = x.kind
		return x, nil
	}
	v, err := session.Eval(expr)
	if err == nil {
		x.text = v.String()
	}
	return x, err
}

// array shows an array by its first elements.
func (s *view) array(in debugger.Context, expr string, t *tree.Type, x shown, place bool) (shown, error) {
	n := s.length(expr, t)
	x.kind = fmt.Sprintf("%v[%d]", t.Elem, n)
	if place {
		x.ref, x.indexed = s.refs.id(node{kind: valueNode, in: in, expr: expr}), n
	}
	if t.Elem.Components()*shownElements > maxShown {
		x.text = x.kind
		return x, nil
	}
	e, err := s.program.Session.Elements(expr, 0, shownElements)
	if err != nil { // a constant is not in memory
		v, err := s.program.Session.Eval(expr)
		if err == nil {
			x.text = v.String()
		}
		return x, err
	}
	x.text = listed(e)
	return x, nil
}

// listed writes elements, and how many more there are.
func listed(e debugger.Elements) string {
	var parts []string
	for _, v := range e.Values {
		parts = append(parts, v.String())
	}
	if more := e.Total - e.From - len(e.Values); more > 0 {
		parts = append(parts, fmt.Sprintf("... %d more", more))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// brief is an error without what to do about it.
func brief(err error) string {
	if d, ok := errors.AsType[source.Diagnostics](err); ok && len(d) > 0 {
		return d[0].Message
	}
	text, _, _ := strings.Cut(err.Error(), "Fix:")
	return strings.TrimRight(text, ". ")
}

// whole is an error about an expression without the place in it, which is of a text that the client does not show.
func whole(err error) error {
	if d, ok := errors.AsType[source.Diagnostics](err); ok && len(d) > 0 {
		return invalid(d[0].Message, d[0].Fix)
	}
	return err
}
