package glsl

import (
	"strings"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// assign types "x op= y" (GLSL 4.50 section 5.8).
func (p *parser) assign(op source.Token, x, y tree.Expr) tree.Expr {
	if anyBroken(x, y) || !p.assignable(x, op.Pos, op.Text) {
		return broken(x.Pos())
	}
	a := &tree.Assign{Node: tree.Node{T: x.Type(), At: x.Pos()}, Target: x, Value: y}
	if op.Text == "=" {
		if p.whole(x) {
			return broken(x.Pos())
		}
		a.Value = p.coerce(y, a.T, "the value assigned")
	} else {
		a.Op = binaryOps[strings.TrimSuffix(op.Text, "=")]
		a.Value = p.compoundValue(a, op)
	}
	if isBroken(a.Value) {
		return broken(x.Pos())
	}
	return a
}

// compoundValue types the right operand of a compound assignment: the result of the operator must
// have the target's type without further conversion.
func (p *parser) compoundValue(a *tree.Assign, op source.Token) tree.Expr {
	b := &tree.Binary{Op: a.Op, X: a.Target, Y: a.Value}
	if t := typeBinary(b); t == nil || !t.Equal(a.T) {
		p.malformed(op.Pos, "assignment "+op.Text, "convert the value explicitly", "%s %s %s does not give %s", a.T, op.Text, a.Value.Type(), a.T)
		return broken(a.Value.Pos())
	}
	p.warnZeroDivisor(a.Op, b.Y, op)
	return b.Y
}

// assignable reports whether x is an l-value that may be written; how is the operator or the place
// that writes it.
func (p *parser) assignable(x tree.Expr, pos source.Pos, how string) bool {
	if isBroken(x) {
		return false
	}
	if repeatedLane(x) {
		p.malformed(pos, how, "write each component once", "a swizzle that names a component twice cannot be written")
		return false
	}
	switch root := tree.Root(x).(type) {
	case *tree.VarRef:
		return p.writableVariable(root.Var, pos, how)
	case *tree.BufferRef:
		if root.Buffer.MemberMemory(root.Member).Has(tree.ReadOnly) {
			name := root.Buffer.Block.Members[root.Member].Name
			if root.Buffer.Uniform {
				p.malformed(pos, how, "copy it to a variable of your own", "%q is a uniform and cannot be written", name)
				return false
			}
			p.malformed(pos, how, "remove readonly, or write another buffer", "%q is readonly", name)
			return false
		}
		return true
	}
	what := "a computed value"
	if constant(x) != nil {
		what = "a constant"
	}
	p.malformed(pos, how, "write to a variable, a member, an element or components of one", "%s cannot be written by %s", what, how)
	return false
}

func (p *parser) writableVariable(v *tree.Variable, pos source.Pos, how string) bool {
	switch {
	case v.Kind == tree.VarInput:
		p.malformed(pos, how, "copy it to a variable of your own", "%s cannot be written", v.Name)
	case v.Const:
		p.malformed(pos, how, "remove const, or use another variable", "%q is const", v.Name)
	default:
		return true
	}
	return false
}

// repeatedLane reports whether a swizzle in the access chain selects a component twice.
func repeatedLane(e tree.Expr) bool {
	for {
		switch x := e.(type) {
		case *tree.Swizzle:
			seen := 0
			for _, lane := range x.Lanes {
				if seen&(1<<lane) != 0 {
					return true
				}
				seen |= 1 << lane
			}
			e = x.X
		case *tree.Index:
			e = x.X
		case *tree.Field:
			e = x.X
		default:
			return false
		}
	}
}
