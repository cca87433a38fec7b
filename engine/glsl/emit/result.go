package emit

import (
	"strings"

	"vyretop/engine/glsl/tree"
)

// NVIDIA's compiler (580.159) refuses a function whose result is an array of arrays with integers of 64 bits ("invalid operand variable"), where
// it finds that one of its returns is always taken and that more follows. So where a result is an array with components of 64 bits, that a return
// is taken is hidden from it, but for the last (testdata/found of package conformance, 0063 and 0064).

// returning is what returns of the function that is being written become.
type returning struct {
	hidden bool      // the driver does not know that they are taken
	last   tree.Stmt // but of this one
}

func returningOf(w *writer, f *tree.Function) (r returning) {
	r.hidden = f.Result.IsArray() && !f.Result.Matrix && distrusts(w, f.Result)
	if endsInReturn(f.Body.List) {
		r.last = f.Body.List[len(f.Body.List)-1]
	}
	return r
}

// returned writes a return.
func returned(w *writer, x *tree.Return) string {
	text := strings.TrimSpace("return " + w.optional(x.X))
	if w.returns.hidden && w.returns.last != tree.Stmt(x) {
		return "if (" + w.prelude.Call("hidden", 1) + " == 0u) " + text
	}
	return text
}
