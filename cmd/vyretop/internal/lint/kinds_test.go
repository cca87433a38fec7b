package lint

import (
	"go/ast"
	"os"
	"strings"
	"testing"
)

// TestKindsHaveTextsOfTheirOwn: two kinds of errors with one text would be the same to errors.Is.
func TestKindsHaveTextsOfTheirOwn(t *testing.T) {
	files, err := load(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for _, f := range files {
		if f.test {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			v, ok := n.(*ast.ValueSpec)
			if !ok || len(v.Values) != 1 || !isKind(v.Type) {
				return true
			}
			text, name := v.Values[0].(*ast.BasicLit).Value, f.dir+"."+v.Names[0].Name
			if other := names[text]; other != "" {
				t.Errorf("%s and %s are both %s. Fix: give one of them another text", other, name, text)
			}
			names[text] = name
			return true
		})
	}
	if len(names) < 50 {
		t.Errorf("found only %d kinds", len(names))
	}
}

func isKind(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && s.Sel.Name == "Kind" && strings.HasPrefix(s.X.(*ast.Ident).Name, "fault")
}
