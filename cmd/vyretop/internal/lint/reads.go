package lint

import (
	"go/ast"
	"path"
	"strconv"
)

// unbounded are files that may read without a limit, and why. Tests may, and so may what only contributors run.
var unbounded = map[string]string{
	"engine/conformance/process.go":     "its own child's pipe",
	"engine/conformance/serve.go":       "the pipe of its parent",
	"engine/dispatch/transfer.go":       "a pipe that is an input, read as far as its buffer goes",
	"engine/glsl/preprocess/resolve.go": "files of the program",
	"engine/hostcpu.go":                 "/proc and /sys",
	"gl/hardware.go":                    "/sys",
	"gl/internal/programcache/cache.go": "its own files, of a size that it has looked at",
	"megakernel/bench/bench.go":         "/proc/loadavg",
	"megakernel/kernel/text.go":         "files of the program",
	"megakernel/run/supervise_unix.go":  "its own child's pipe, and /dev/null",
	"megakernel/tune/rerun/markdown.go": "files of this repository",
	"tui/suspend_linux.go":              "/proc",
}

// contributorDirs hold programs that only contributors run, on files of this repository.
var contributorDirs = map[string]bool{"docs/gen": true, ".ci": true, "cmd/vyretop/internal/lint": true}

// whole are functions that read all there is, or open what may have no end or act when it is opened, by the paths of their packages.
var whole = map[string]map[string]bool{
	"os":        {"ReadFile": true, "Open": true},
	"io":        {"ReadAll": true},
	"io/fs":     {"ReadFile": true},
	"io/ioutil": {"ReadFile": true, "ReadAll": true},

	"encoding/json": {"NewDecoder": true},
}

// checkReads finds reads without a limit: a file that a user names may be endless, larger than memory, a pipe or a device.
func checkReads(f *file) []Finding {
	if f.test || f.generated || f.dir == "engine/plainfile" || contributorDirs[f.dir] || unbounded[f.path] != "" {
		return nil
	}
	imported := map[string]string{}
	for _, spec := range f.ast.Imports {
		of, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(of)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imported[name] = of
	}
	bounded := map[ast.Expr]bool{} // functions of calls that read of a reader with a limit
	var found []Finding
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			bounded[n.Fun] = len(n.Args) == 1 && isLimited(n.Args[0])
		case *ast.SelectorExpr:
			of, ok := n.X.(*ast.Ident)
			if ok && whole[imported[of.Name]][n.Sel.Name] && !bounded[n] {
				found = append(found, f.report(n.Pos(), "unbounded-read", of.Name+"."+n.Sel.Name+" takes a file of any kind or size", "use plainfile.Read or plainfile.Open, or io.ReadAll of an io.LimitReader; or name the file and the reason in unbounded"))
			}
		}
		return true
	})
	return found
}

// isLimited reports whether an expression is a call of io.LimitReader, or a reader of what is in memory.
func isLimited(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && (isIdent(sel.X, "io") && sel.Sel.Name == "LimitReader" || (isIdent(sel.X, "bytes") || isIdent(sel.X, "strings")) && sel.Sel.Name == "NewReader")
}
