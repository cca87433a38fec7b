package lint

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"maps"
	"slices"
)

// Limits of a type: what a reader can hold in mind.
const (
	MaxFields  = 25
	MaxMethods = 40
)

// typeSize is how many fields and methods a type has.
type typeSize struct{ fields, methods int }

// oversized lists the types over the limits with what they may have, by directory and name. An entry must be as small as
// the type is, so that the list only shrinks; no type may be added to it. Data that mirrors a format, and
// recursive descent over a grammar, are what they are.
var oversized = map[string]typeSize{
	"megakernel/bench.suite":                {4, 41},
	"engine.DeviceProfile":                  {29, 0},
	"engine/conformance/generate.generator": {17, 84},
	"gl.Backend":                            {22, 67},
	"engine/glsl.parser":                    {21, 188},
	"engine/glsl/emit.writer":               {11, 78},
	"engine/glsl/preprocess.processor":      {16, 53},
	"engine/reference/lower.lowerer":        {22, 116},
	"gl.pending":                            {26, 28},
	"gl/internal/glapi.API":                 {6, 44},
	"megakernel.Snapshot":                   {27, 11},
	"tui.Options":                           {32, 1},
	"tui/pane.Look":                         {8, 98},
}

// checkTypes finds types with too many fields or methods, and entries of oversized that could be smaller.
func checkTypes(files []*file) []Finding {
	return checkTypeSizes(files, oversized)
}

func checkTypeSizes(files []*file, oversized map[string]typeSize) []Finding {
	types := collectTypes(files)
	var found []Finding
	for _, name := range slices.Sorted(maps.Keys(types)) {
		t := types[name]
		may, listed := oversized[name]
		switch {
		case t.at == nil: // in files of another build, or generated
		case !listed && (t.fields > MaxFields || t.methods > MaxMethods):
			found = append(found, t.report(fmt.Sprintf("%s has %d fields and %d methods, at most %d and %d are allowed", name, t.fields, t.methods, MaxFields, MaxMethods), "move what belongs together to a type of its own"))
		case listed && (t.fields > max(may.fields, MaxFields) || t.methods > max(may.methods, MaxMethods)):
			found = append(found, t.report(fmt.Sprintf("%s has %d fields and %d methods, its entry of oversized allows %d and %d", name, t.fields, t.methods, may.fields, may.methods), "move what belongs together to a type of its own"))
		case listed && max(t.fields, MaxFields) < may.fields || listed && max(t.methods, MaxMethods) < may.methods:
			found = append(found, t.report(fmt.Sprintf("%s has %d fields and %d methods, fewer than its entry of oversized", name, t.fields, t.methods), "lower the entry in cmd/vyretop/internal/lint/types.go, or remove it"))
		}
	}
	return found
}

// typeAt is a type and where it is declared.
type typeAt struct {
	typeSize

	at   *file
	spec *ast.TypeSpec
}

func (t *typeAt) report(what, fix string) Finding {
	return t.at.report(t.spec.Pos(), "type-size", what, fix)
}

// collectTypes counts the fields and methods of the types of all files but tests and generated ones.
func collectTypes(files []*file) map[string]*typeAt {
	types := map[string]*typeAt{}
	of := func(f *file, name string) *typeAt {
		key := f.dir + "." + name
		if types[key] == nil {
			types[key] = &typeAt{}
		}
		return types[key]
	}
	for _, f := range files {
		if f.test || f.generated || !f.built() {
			continue
		}
		for _, decl := range f.ast.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv != nil {
				of(f, receiver(fn)).methods++
			}
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			t := of(f, spec.Name.Name)
			t.at, t.spec = f, spec
			if s, ok := spec.Type.(*ast.StructType); ok {
				t.fields = countFields(s)
			}
			return true
		})
	}
	return types
}

// built reports whether a file is part of the build for Linux with OpenGL: a type that each system has its own methods
// of is counted once.
func (f *file) built() bool {
	for _, group := range f.ast.Comments {
		for _, c := range group.List {
			if x, err := constraint.Parse(c.Text); err == nil && c.Pos() < f.ast.Package {
				return x.Eval(func(tag string) bool { return slices.Contains([]string{"linux", "unix", "amd64", "cgo", "egl"}, tag) })
			}
		}
	}
	return true
}

// receiver is the name of the type that a method belongs to.
func receiver(fn *ast.FuncDecl) string {
	t := fn.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// countFields counts names; an embedded type is one field.
func countFields(s *ast.StructType) int {
	n := 0
	for _, f := range s.Fields.List {
		n += max(len(f.Names), 1)
	}
	return n
}
