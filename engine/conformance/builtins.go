package conformance

import (
	"fmt"
	"strings"

	"vyretop/engine/glsl/tree"
)

// builtinCases call each overload of each built-in function that computes a value.
func builtinCases() []sheet {
	var list []sheet
	for i := range tree.Builtins {
		b := &tree.Builtins[i]
		if b.Family == tree.FamilyAtomic || b.Family == tree.FamilyBarrier || b.Family == tree.FamilyMatrix || b.Family == tree.FamilySubgroup {
			continue // they have kernels of their own
		}
		for j := range b.Signatures {
			list = append(list, builtinCase(b, &b.Signatures[j]))
		}
	}
	return list
}

func builtinCase(b *tree.Builtin, s *tree.Signature) sheet {
	c := sheet{name: "builtin." + SignatureName(b, s)}
	if b.ID == tree.FnClamp {
		c.domain = orderedDomain(s.Params[0].Type.Kind)
	}
	value := ""
	if s.Result != tree.Void {
		c.results = append(c.results, s.Result)
		value = "r0 = "
	}
	var args []string
	for _, p := range s.Params {
		if p.Mode == tree.ModeOut {
			args = append(args, result(len(c.results)))
			c.results = append(c.results, p.Type)
			continue
		}
		args = append(args, operand(len(c.operands)))
		c.operands = append(c.operands, p.Type)
	}
	c.body = fmt.Sprintf("%s%s(%s);", value, b.Name, strings.Join(args, ", "))
	return c
}
