package lint

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// Limits of size, in lines.
const (
	MaxFileLines     = 400
	MaxFunctionLines = 120
)

// checkSizes finds files and functions that are too long to be about one thing.
func checkSizes(f *file) []Finding {
	if f.generated {
		return nil
	}
	var found []Finding
	if f.lines > MaxFileLines && !f.test {
		found = append(found, f.report(f.ast.Package, "file-size", fmt.Sprintf("%d lines, at most %d are allowed", f.lines, MaxFileLines), "split it by topic"))
	}
	for _, decl := range f.ast.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if n := f.span(fn); n > MaxFunctionLines {
			found = append(found, f.report(fn.Pos(), "function-size", fmt.Sprintf("%s has %d lines, at most %d are allowed", fn.Name.Name, n, MaxFunctionLines), "split it, or make it a table"))
		}
	}
	return found
}

// span is the number of lines of a node.
func (f *file) span(n ast.Node) int {
	return f.fset.Position(n.End()).Line - f.fset.Position(n.Pos()).Line + 1
}

// checkSleep finds time.Sleep in tests.
func checkSleep(f *file) []Finding {
	if !f.test {
		return nil
	}
	var found []Finding
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && isIdent(sel.X, "time") && sel.Sel.Name == "Sleep" {
			found = append(found, f.report(sel.Pos(), "sleep", "a test sleeps", "wait for the event itself: a channel, a condition, an idle signal or a fake clock"))
		}
		return true
	})
	return found
}

func isIdent(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// bugPrefix starts the text of every allowed panic.
const bugPrefix = "BUG: "

// checkPanics finds panics that are not marked as programming errors. A function that recovers may
// panic again with what it caught.
func checkPanics(f *file) []Finding {
	if f.test || f.generated {
		return nil
	}
	var found []Finding
	for _, decl := range f.ast.Decls {
		recovers := len(calls(decl, "recover")) > 0
		for _, call := range calls(decl, "panic") {
			if !recovers && !strings.HasPrefix(leadingText(call.Args), bugPrefix) {
				found = append(found, f.report(call.Pos(), "panic", "a panic whose text does not start with \"BUG: \"", "return a typed error; only a programming error in this module may panic, and says so"))
			}
		}
	}
	return found
}

// calls collects the calls of a built-in function by name.
func calls(n ast.Node, name string) []*ast.CallExpr {
	var out []*ast.CallExpr
	ast.Inspect(n, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && isIdent(call.Fun, name) {
			out = append(out, call)
		}
		return true
	})
	return out
}

// leadingText is the string literal that the first argument starts with: of a concatenation its
// left end, of a call such as fmt.Sprintf its first argument.
func leadingText(args []ast.Expr) string {
	if len(args) == 0 {
		return ""
	}
	switch e := args[0].(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		if e.Kind != token.STRING || err != nil {
			return ""
		}
		return text
	case *ast.BinaryExpr:
		return leadingText([]ast.Expr{e.X})
	case *ast.CallExpr:
		return leadingText(e.Args)
	}
	return ""
}

// markers are notes of unfinished work; they are built from parts so that this file has none.
var markers = []string{"TO" + "DO", "FIX" + "ME", "X" + "XX"}

// checkMarkers finds notes of unfinished work in comments.
func checkMarkers(f *file) []Finding {
	var found []Finding
	for _, group := range f.ast.Comments {
		for _, c := range group.List {
			for _, m := range markers {
				if strings.Contains(c.Text, m) {
					found = append(found, f.report(c.Pos(), "marker", "a comment speaks of unfinished work ("+m+")", "do it, or open an issue and say what the code does today"))
				}
			}
		}
	}
	return found
}
