package emit

import (
	"testing"

	"vyretop/engine/glsl/tree"
)

// bitsOnly are the built-in functions with floats that compute nothing.
var bitsOnly = map[tree.BuiltinID]bool{
	tree.FnFloatBitsToInt: true, tree.FnFloatBitsToUint: true, tree.FnIntBitsToFloat: true, tree.FnUintBitsToFloat: true,
}

// TestEveryFloatBuiltinIsOurs: no function that computes with floats is left to a driver, and the prelude
// has each at every width.
func TestEveryFloatBuiltinIsOurs(t *testing.T) {
	for i := range tree.Builtins {
		b := &tree.Builtins[i]
		for j := range b.Signatures {
			s := &b.Signatures[j]
			if !hasFloats(s) || bitsOnly[b.ID] || b.Family == tree.FamilySubgroup || b.Family == tree.FamilyAtomic {
				continue
			}
			x := &tree.BuiltinCall{Node: tree.Node{T: s.Result}, Builtin: b, Signature: s}
			for _, p := range s.Params {
				v := &tree.Variable{Name: p.Name, Type: p.Type}
				x.Args = append(x.Args, tree.Arg{Mode: p.Mode, X: &tree.VarRef{Node: tree.Node{T: p.Type}, Var: v}})
			}
			selects := b.ID == tree.FnMix && s.Params[2].Type.Kind == tree.KindBool
			w := &writer{prelude: NewPrelude(Device{}), names: &names{}, helpers: helpers{names: map[string]string{}}}
			w.expr(x) // panics when the prelude lacks it
			if ours := w.prelude.Text() != ""; ours == selects {
				t.Errorf("%s of %s: left to the driver: %t", b.Name, s.Params[0].Type, !ours)
			}
		}
	}
}

func hasFloats(s *tree.Signature) bool {
	found := s.Result.Kind == tree.KindFloat
	for _, p := range s.Params {
		found = found || p.Type.Kind == tree.KindFloat
	}
	return found
}
