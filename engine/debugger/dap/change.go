package dap

import (
	"regexp"
	"strings"

	"github.com/google/go-dap"

	"vyretop/engine/debugger"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/tree"
)

// setVariable changes a child of a node.
func setVariable(s *server, a dap.SetVariableArguments) (any, error) {
	n, err := s.refs.node(a.VariablesReference)
	if err != nil {
		return nil, err
	}
	expr, err := s.childExpr(n, a.Name)
	if err != nil {
		return nil, err
	}
	x, err := s.set(n.in, expr, a.Value)
	if err != nil {
		return nil, err
	}
	return dap.SetVariableResponseBody{Value: x.text, Type: x.kind, VariablesReference: x.ref, NamedVariables: x.named, IndexedVariables: x.indexed}, nil
}

// setExpression changes what an expression names.
func setExpression(s *server, a dap.SetExpressionArguments) (any, error) {
	in, err := s.frame(a.FrameId)
	if err != nil {
		return nil, err
	}
	x, err := s.set(in, a.Expression, a.Value)
	if err != nil {
		return nil, err
	}
	return dap.SetExpressionResponseBody{Value: x.text, Type: x.kind, VariablesReference: x.ref, NamedVariables: x.named, IndexedVariables: x.indexed}, nil
}

var (
	elementName = regexp.MustCompile(`^\[[0-9]+\]$`)
	memberName  = regexp.MustCompile(`^[A-Za-z_][A-Za-z_0-9]*$`)
)

// childExpr is the expression for a child of a node, by its name.
func (s *view) childExpr(n node, name string) (string, error) {
	array := n.kind == rangeNode
	if n.kind == valueNode {
		var t *tree.Type
		err := debugger.In(s.program.Session, n.in, func() (err error) {
			t, err = debugger.TypeOf(s.program.Session, n.expr)
			return err
		})
		if err != nil {
			return "", err
		}
		array = t.IsArray()
	}
	switch {
	case array && elementName.MatchString(name):
		return n.expr + name, nil
	case n.kind == valueNode && !array && memberName.MatchString(name):
		return n.expr + "." + name, nil
	case n.kind < bufferNode && n.kind != bufferScope && memberName.MatchString(name), n.kind == bufferNode && memberName.MatchString(strings.Replace(name, ".", "_", 1)):
		return name, nil
	}
	return "", invalid("variable "+quote(name)+" not found", "use a name that variables lists")
}

// set gives what an expression names a value, converted as GLSL converts an assigned value. Editors are told that what
// they show of other variables may be stale.
func (s *view) set(in debugger.Context, expr, value string) (x shown, err error) {
	session := s.program.Session
	err = debugger.In(session, in, func() error {
		if err := session.Set(expr, converted(session, expr, value)); err != nil {
			return err
		}
		x, err = s.value(in, expr)
		return err
	})
	return x, err
}

// converted writes the conversion of a value to the type of a place, where GLSL would convert it without being asked.
func converted(session *debugger.Session, expr, value string) string {
	to, err := debugger.TypeOf(session, expr)
	if err != nil {
		return value
	}
	from, err := debugger.TypeOf(session, value)
	if err != nil || from.Equal(to) || from.Width != to.Width || from.Class != to.Class {
		return value
	}
	if glsl.Convertible(from, to) {
		return to.String() + "(" + value + ")"
	}
	return value
}
