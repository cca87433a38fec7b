package conformance

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"sync"
	"testing"

	"vyretop/engine"
	"vyretop/engine/glsl/tree"
)

const treeDir = "../glsl/tree/"

// compiledCases are the programs of all cases, which several tests look at.
var compiledCases = sync.OnceValues(func() ([]*engine.Program, error) {
	list, err := Cases(1)
	if err != nil {
		return nil, err
	}
	programs := make([]*engine.Program, len(list))
	for i := range list {
		if programs[i], err = list[i].Compile(); err != nil {
			return nil, err
		}
	}
	return programs, nil
})

func allPrograms(t *testing.T) []*engine.Program {
	t.Helper()
	programs, err := compiledCases()
	if err != nil {
		t.Fatal(err)
	}
	return programs
}

// covered is the union of what all cases use.
func covered(t *testing.T) map[string]bool {
	t.Helper()
	used := map[string]bool{}
	for _, p := range allPrograms(t) {
		for _, f := range Features(p.Tree) {
			used[f] = true
		}
	}
	return used
}

// Every operation that the tables of the language have must be in a case, with every overload: an
// operation without one could differ between backends unnoticed.
func TestEveryOperationHasACase(t *testing.T) {
	used := covered(t)
	for _, want := range requiredFeatures(t) {
		if !used[want] {
			t.Errorf("no case uses %s. Fix: add one to this package, or a kernel to kernels", want)
		}
	}
}

// requiredFeatures enumerates the language from the sources and tables of package tree.
func requiredFeatures(t *testing.T) []string {
	var list []string
	for i := range tree.Builtins {
		b := &tree.Builtins[i]
		for j := range b.Signatures {
			if op, ok := b.Atomic(); ok {
				kind := b.Signatures[j].Result.String()
				list = append(list, "atomic."+op.String()+".buffer("+kind+")", "atomic."+op.String()+".shared("+kind+")")
				continue
			}
			list = append(list, "builtin."+SignatureName(b, &b.Signatures[j]))
		}
	}
	for _, name := range embedding(t, "expr.go", "Node") {
		list = append(list, "expression."+name)
	}
	for _, name := range embedding(t, "stmt.go", "Span") {
		if name != "Case" { // part of a Switch
			list = append(list, "statement."+name)
		}
	}
	for _, name := range constants(t, "program.go", "Input") {
		if name != "InputNone" {
			list = append(list, "input."+strings.TrimPrefix(name, "Input"))
		}
	}
	return list
}

// Operators are covered for every type they take because the cases ask the front end; this finds an
// operator that the loops over them do not reach.
func TestEveryOperatorHasACase(t *testing.T) {
	seen := map[string]bool{}
	for name := range covered(t) {
		seen[Operation(name)] = true
	}
	for op := range constants(t, "ops.go", "UnaryOp") {
		if want := "unary." + tree.UnaryOp(op).String(); !seen[want] {
			t.Errorf("no case uses %s", want)
		}
	}
	for op := range constants(t, "ops.go", "BinaryOp") {
		if want := "binary." + tree.BinaryOp(op).String(); op > 0 && !seen[want] {
			t.Errorf("no case uses %s", want)
		}
	}
	for k, name := range constants(t, "kind.go", "Kind") {
		if tree.Kind(k).IsNarrow() {
			continue // programs compute with those of 32 bits
		}
		if want := "convert." + tree.Kind(k).String(); k > 0 && !seen[want] {
			t.Errorf("no case uses %s for %s", want, name)
		}
	}
}

// The list of operations that package tree gives must be what programs use, no more and no less.
func TestAllOperationsAreThoseOfPrograms(t *testing.T) {
	used := map[string]bool{}
	for _, p := range allPrograms(t) {
		for _, name := range p.Operations() {
			used[name] = true
		}
	}
	for _, name := range tree.AllOperations() {
		if !used[name] {
			t.Errorf("no case uses %s", name)
		}
		delete(used, name)
	}
	for name := range used {
		t.Errorf("%s is not in the list", name)
	}
}

func parseTree(t *testing.T, file string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), treeDir+file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// embedding lists the structures of a file that embed a type.
func embedding(t *testing.T, file, embedded string) []string {
	var names []string
	ast.Inspect(parseTree(t, file), func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		if s, ok := spec.Type.(*ast.StructType); ok {
			for _, f := range s.Fields.List {
				if id, ok := f.Type.(*ast.Ident); ok && len(f.Names) == 0 && id.Name == embedded {
					names = append(names, spec.Name.Name)
				}
			}
		}
		return true
	})
	if len(names) < 5 {
		t.Fatalf("only %d structures of %s embed %s", len(names), file, embedded)
	}
	return names
}

// constants lists the constants of a type that count from 0, in order.
func constants(t *testing.T, file, typeName string) []string {
	var names []string
	for _, decl := range parseTree(t, file).Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		first := g.Specs[0].(*ast.ValueSpec)
		if id, ok := first.Type.(*ast.Ident); !ok || id.Name != typeName {
			continue
		}
		for _, s := range g.Specs {
			names = append(names, s.(*ast.ValueSpec).Names[0].Name)
		}
	}
	if len(names) < 2 {
		t.Fatalf("%s has no constants of type %s", file, typeName)
	}
	return names
}
