// Calls counts the calls between the files of the dashboard's shell (package tui), and those that go against the direction: from
// a part of it, which has a type of its own, to a method of the model that holds all parts. A function that is given the model,
// as the commands and messages are that the one loop carries out, is the model's.
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const (
	folder = "tui"
	holder = "model" // of all parts
)

// above are the types that hold the holder.
var above = map[string]bool{"screenStack": true, "Headless": true}

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "calls:", err)
		os.Exit(1)
	}
}

func run(w io.Writer) error {
	fset := token.NewFileSet()
	files, err := parse(fset)
	if err != nil {
		return err
	}
	lookup, err := exported()
	if err != nil {
		return err
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", lookup)}
	if _, err := config.Check("vyretop/"+folder, fset, files, info); err != nil {
		return err
	}
	between, against := count(fset, files, info)
	_, err = fmt.Fprintf(w, "calls between files of %s: %d, against the direction: %d (%.1f %%)\n", folder, between, against, 100*float64(against)/float64(between))
	return err
}

// parse reads the files of the build.
func parse(fset *token.FileSet) (files []*ast.File, err error) {
	names, err := output("list", "-f", `{{join .GoFiles " "}}`, "./"+folder)
	for _, name := range strings.Fields(string(names)) {
		f, failed := parser.ParseFile(fset, filepath.Join(folder, name), nil, 0)
		if failed != nil {
			return nil, failed
		}
		files = append(files, f)
	}
	return files, err
}

// exported finds what the compiler has written of imported packages.
func exported() (importer.Lookup, error) {
	list, err := output("list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "./"+folder)
	if err != nil {
		return nil, err
	}
	at := map[string]string{}
	for line := range strings.Lines(string(list)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		at[path] = file
	}
	return func(path string) (io.ReadCloser, error) { return os.Open(at[path]) }, nil
}

func output(args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	var says bytes.Buffer
	cmd.Stderr = &says
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w: %s", strings.Join(args, " "), err, says.String())
	}
	return out, nil
}

// count counts calls whose function another file of the package declares, and those of methods of the holder by functions
// that are not.
func count(fset *token.FileSet, files []*ast.File, info *types.Info) (between, against int) {
	for _, f := range files {
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			part := isPart(fn)
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				if lit, ok := n.(*ast.FuncLit); ok && takesHolder(lit.Type) {
					return false
				}
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				to := callee(call, info)
				if to == nil || to.Pkg() == nil || to.Pkg().Path() != "vyretop/"+folder || fset.File(to.Pos()) == fset.File(call.Pos()) {
					return true
				}
				between++
				if r := to.Signature().Recv(); part && r != nil && strings.HasSuffix(r.Type().String(), "."+holder) {
					against++
				}
				return true
			})
		}
	}
	return between, against
}

func callee(call *ast.CallExpr, info *types.Info) *types.Func {
	var name *ast.Ident
	switch f := call.Fun.(type) {
	case *ast.Ident:
		name = f
	case *ast.SelectorExpr:
		name = f.Sel
	default:
		return nil
	}
	fn, _ := info.Uses[name].(*types.Func)
	return fn
}

// isPart reports whether a function is a method of a part.
func isPart(fn *ast.FuncDecl) bool {
	if fn.Recv == nil || takesHolder(fn.Type) {
		return false
	}
	of := typeName(fn.Recv.List[0].Type)
	return of != holder && !above[of]
}

// takesHolder reports whether a function is given the holder.
func takesHolder(fn *ast.FuncType) bool {
	for _, p := range fn.Params.List {
		if typeName(p.Type) == holder {
			return true
		}
	}
	return false
}

func typeName(e ast.Expr) string {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	if name, ok := e.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}
