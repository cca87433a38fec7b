package conformance

import (
	"testing"

	"vyretop/engine/glsl/tree"
)

// A row of the table that matches nothing is forgotten, not settled.
func TestUnsettledRowsMatchOperations(t *testing.T) {
	names := []string{"binary.+(float,float)", "unary.-(vec2)"}
	for i := range tree.Builtins {
		b := &tree.Builtins[i]
		for j := range b.Signatures {
			names = append(names, "builtin."+SignatureName(b, &b.Signatures[j]))
		}
	}
	for _, row := range unsettled {
		found := false
		for _, name := range names {
			found = found || row.operations.MatchString(name)
		}
		if !found {
			t.Errorf("%v matches no operation", row.operations)
		}
	}
}
