// Raced prints the packages whose tests the race detector has something to say about, for .ci/race. A race needs two
// goroutines, so a package is printed when one of these holds:
//
//   - its code or its tests start a goroutine: a go statement, or a call of one of the functions in starting;
//   - its code imports one of the packages in concurrent: it is written to be used by several goroutines, or uses unsafe,
//     whose rules the race detector's build checks too;
//   - its code or its tests import a package of this module whose code starts goroutines, which may call back.
//
// With -rest it prints the others, and with -own only those whose code, tests aside, starts goroutines. Code that a printed
// package imports is instrumented with it.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// selection says which packages are printed.
type selection int

const (
	all      selection = iota // those for which one of the rules holds
	left                      // the others
	starters                  // those whose own code starts goroutines
)

// starting are the functions and methods, by name, that call their argument or its methods from another goroutine.
var starting = []string{"Go", "Parallel", "RunParallel", "AfterFunc", "NewProgram", "Serve"}

// concurrent are the packages whose importers are tested with the race detector.
var concurrent = []string{"sync", "sync/atomic", "unsafe", "net", "net/http", "os/signal"}

// listed is what go list says about a package.
type listed struct {
	ImportPath, Dir                              string
	GoFiles, CgoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports           []string
}

func main() {
	rest := flag.Bool("rest", false, "print the packages that are left out")
	own := flag.Bool("own", false, "print the packages whose own code starts goroutines")
	flag.Parse()
	which := all
	switch {
	case *rest:
		which = left
	case *own:
		which = starters
	}
	if err := run(os.Stdout, ".", which); err != nil {
		fmt.Fprintln(os.Stderr, "raced:", err)
		os.Exit(1)
	}
}

// run prints the packages of the module in dir.
func run(to io.Writer, dir string, which selection) error {
	packages, err := list(dir)
	if err != nil {
		return err
	}
	code := map[string]bool{}  // packages whose code, tests aside, starts goroutines
	tests := map[string]bool{} // those whose tests do
	for _, p := range packages {
		if code[p.ImportPath], err = starts(p.Dir, p.GoFiles, p.CgoFiles); err != nil {
			return err
		}
		if tests[p.ImportPath], err = starts(p.Dir, p.TestGoFiles, p.XTestGoFiles); err != nil {
			return err
		}
	}
	for _, p := range packages {
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			continue
		}
		raced := code[p.ImportPath] || tests[p.ImportPath] ||
			slices.ContainsFunc(p.Imports, func(path string) bool { return slices.Contains(concurrent, path) }) ||
			slices.ContainsFunc(slices.Concat(p.Imports, p.TestImports, p.XTestImports), func(path string) bool { return code[path] })
		if which == starters {
			raced = code[p.ImportPath]
		}
		if raced != (which == left) {
			fmt.Fprintln(to, p.ImportPath)
		}
	}
	return nil
}

// list asks go list for the packages of the OpenGL build.
func list(dir string) ([]listed, error) {
	command := exec.Command("go", "list", "-tags", "egl", "-json", "./...")
	command.Dir = dir
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var packages []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := decoder.Decode(&p); err == io.EOF {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
}

// starts says whether a file starts a goroutine.
func starts(dir string, groups ...[]string) (bool, error) {
	for _, name := range slices.Concat(groups...) {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return false, err
		}
		found := false
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				found = true
			case *ast.CallExpr:
				if selected, ok := n.Fun.(*ast.SelectorExpr); ok {
					found = found || slices.Contains(starting, selected.Sel.Name)
				}
			}
			return !found
		})
		if found {
			return true, nil
		}
	}
	return false, nil
}
