package tree

import (
	"fmt"
	"strings"
)

func exprString(e Expr) string {
	switch x := e.(type) {
	case *Const:
		return constString(x.T, x.Bits)
	case *VarRef:
		return x.Var.Name
	case *BufferRef:
		return bufferRefString(x)
	case *Field:
		return exprString(x.X) + "." + x.X.Type().Struct.Members[x.Member].Name
	case *Swizzle:
		return exprString(x.X) + "." + laneString(x.Lanes)
	case *Index:
		return exprString(x.X) + "[" + exprString(x.I) + "]"
	case *Length:
		return exprString(x.X) + ".length()"
	case *Call:
		return x.Func.Name + argString(x.Args)
	case *BuiltinCall:
		return x.Builtin.Name + argString(x.Args)
	case *Atomic:
		return atomicString(x)
	default:
		return operatorString(e)
	}
}

// operatorString writes operators, conversions and compositions.
func operatorString(e Expr) string {
	switch x := e.(type) {
	case *Unary:
		return x.Op.String() + exprString(x.X)
	case *Binary:
		return fmt.Sprintf("(%s %s %s)", exprString(x.X), x.Op, exprString(x.Y))
	case *Logical:
		return fmt.Sprintf("(%s %s %s)", exprString(x.X), logicalWord(x.And), exprString(x.Y))
	case *Conditional:
		return fmt.Sprintf("(%s ? %s : %s)", exprString(x.Cond), exprString(x.Then), exprString(x.Else))
	case *Assign:
		return fmt.Sprintf("%s %s= %s", exprString(x.Target), x.Op, exprString(x.Value))
	case *IncDec:
		return incDecString(x)
	case *Comma:
		return fmt.Sprintf("(%s, %s)", exprString(x.X), exprString(x.Y))
	case *Convert:
		return convertString(x)
	case *Splat:
		return fmt.Sprintf("splat%d(%s)", x.T.Width, exprString(x.X))
	case *Compose:
		return x.T.String() + "{" + listString(x.Parts) + "}"
	default:
		return fmt.Sprintf("%T", e)
	}
}

func bufferRefString(x *BufferRef) string {
	name := x.Buffer.Block.Members[x.Member].Name
	if x.Buffer.Instance != "" {
		return x.Buffer.Instance + "." + name
	}
	return name
}

func laneString(lanes []uint8) string {
	s := make([]byte, len(lanes))
	for i, lane := range lanes {
		s[i] = "xyzw"[lane]
	}
	return string(s)
}

func logicalWord(and bool) string {
	if and {
		return "&&"
	}
	return "||"
}

func incDecString(x *IncDec) string {
	op := "++"
	if x.Dec {
		op = "--"
	}
	if x.Prefix {
		return op + exprString(x.X)
	}
	return exprString(x.X) + op
}

func convertString(x *Convert) string {
	mark := ""
	if x.Implicit {
		mark = "~"
	}
	return x.T.String() + mark + "(" + exprString(x.X) + ")"
}

func listString(list []Expr) string {
	parts := make([]string, len(list))
	for i, e := range list {
		parts[i] = exprString(e)
	}
	return strings.Join(parts, ", ")
}

func argString(args []Arg) string {
	parts := make([]string, len(args))
	for i := range args {
		parts[i] = exprString(args[i].X)
		if args[i].Mode != ModeIn {
			parts[i] = "&" + parts[i]
		}
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

func atomicString(a *Atomic) string {
	operands := []Expr{a.Value}
	if a.Compare != nil {
		operands = []Expr{a.Compare, a.Value}
	}
	return fmt.Sprintf("%s(&%s, %s)", a.Builtin.Name, exprString(a.Target), listString(operands))
}
