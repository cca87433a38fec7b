package vm

import (
	"fmt"
	"strings"
)

// Disassemble prints code one instruction a line: number, operation, operands, source place.
func Disassemble(c *Code) string {
	var b strings.Builder
	for pc := range c.Instrs {
		in := &c.Instrs[pc]
		fmt.Fprintf(&b, "%4d  %-14s %s", pc, in.Op, operandText(c, in))
		if pc < len(c.Where) && c.Where[pc] >= 0 && int(c.Where[pc]) < len(c.Sites) {
			fmt.Fprintf(&b, "  ; %s", c.Site(pc).Pos)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func operandText(c *Code, in *Instr) string {
	if int(in.Op) >= len(Ops) {
		return ""
	}
	var parts []string
	for i, x := range [4]int32{in.D, in.A, in.B, in.C} {
		if text := kindText(c, Ops[in.Op].Kinds[i], x, int(in.N)); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ")
}

func kindText(c *Code, k Kind, x int32, n int) string {
	switch k {
	case KindNone:
		return ""
	case KindMask, KindMaskOpt:
		return optional("m", x)
	case KindForward, KindBackward:
		return fmt.Sprintf("-> %d", x)
	case KindAccess:
		return accessText(c, x)
	default:
		return registerText(c, x, k.Registers(n))
	}
}

func optional(prefix string, x int32) string {
	if x == None {
		return "-"
	}
	return fmt.Sprintf("%s%d", prefix, x)
}

// registerText writes a register range, or the value of a constant.
func registerText(c *Code, x int32, n int) string {
	at := int(x) - c.ConstBase()
	if at >= 0 && at+n <= len(c.Consts) {
		return strings.Trim(fmt.Sprintf("%#x", c.Consts[at:at+n]), "[]")
	}
	text := optional("r", x)
	if n > 1 {
		text += fmt.Sprintf("..%d", int(x)+n-1)
	}
	return text
}

func accessText(c *Code, x int32) string {
	if x < 0 || int(x) >= len(c.Accesses) {
		return "invalid access"
	}
	a := &c.Accesses[x]
	name := "registers"
	if a.Space >= 0 && int(a.Space) < len(c.Spaces) {
		name = c.Spaces[a.Space].Name
	}
	length := fmt.Sprint(a.Len)
	if a.Runtime {
		length = "runtime"
	}
	return fmt.Sprintf("%s[%d + i*%d, i < %s]", name, a.Base, a.Stride, length)
}

// InstrText writes one instruction: its operation and operands.
func InstrText(c *Code, pc int) string {
	return fmt.Sprintf("%-14s %s", c.Instrs[pc].Op, operandText(c, &c.Instrs[pc]))
}
