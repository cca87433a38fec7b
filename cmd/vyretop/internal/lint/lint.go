// Package lint owns the rules about vyretop's source that no compiler checks: which package may
// import which, where cgo and unsafe may be used, and the limits that keep the code readable. Its
// test runs them over the whole repository, so that a broken rule is a failing test that says what
// to do instead of a remark in a review.
//
// The rules look at syntax only. Every Go file of the tree is read whatever its build tags, so a
// rule cannot be avoided by a tag. Generated files are exempt from limits and comments, and test
// files from import directions.
package lint

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Module is the module path, the prefix of every import that the rules look at.
const Module = "vyretop"

// Finding is one broken rule.
type Finding struct {
	File string // slash-separated, relative to the root
	Line int
	Rule string // short name, stable
	What string // what is wrong, without full stop
	Fix  string // what to do
}

// String renders "file:line: rule: what. Fix: …".
func (f Finding) String() string {
	return fmt.Sprintf("%s:%d: %s: %s. Fix: %s", f.File, f.Line, f.Rule, f.What, f.Fix)
}

// file is one parsed Go file.
type file struct {
	path      string // slash-separated, relative to the root
	dir       string // its package's directory, "." for the root
	test      bool
	generated bool
	lines     int
	fset      *token.FileSet
	ast       *ast.File
}

// report makes a finding at a position of the file.
func (f *file) report(at token.Pos, rule, what, fix string) Finding {
	return Finding{File: f.path, Line: f.fset.Position(at).Line, Rule: rule, What: what, Fix: fix}
}

// rules run over every file; each returns what it found there.
var rules = []func(*file) []Finding{
	checkImports, checkUnsafe, checkSleep, checkPanics, checkSizes, checkMarkers, checkNames, checkReads,
}

// Check applies every rule to the Go files below the root of fsys and returns the findings in
// order of file and line. An error means that a file could not be read or parsed.
func Check(fsys fs.FS) ([]Finding, error) {
	files, err := load(fsys)
	if err != nil {
		return nil, err
	}
	var found []Finding
	for _, f := range files {
		for _, rule := range rules {
			found = append(found, rule(f)...)
		}
	}
	found = append(found, checkPackageComments(files)...)
	found = append(found, checkTypes(files)...)
	slices.SortFunc(found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Rule, b.Rule))
	})
	return found, nil
}

// load parses every Go file that belongs to the module.
func load(fsys fs.FS) ([]*file, error) {
	var files []*file
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && ignoredDir(entry.Name()):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(name) != ".go":
			return nil
		}
		f, err := parseFile(fsys, name)
		files = append(files, f)
		return err
	})
	return files, err
}

// ignoredDir names the directories that the go tool ignores too, and build output.
func ignoredDir(name string) bool {
	return name == "testdata" || name == "bin" || name == "vendor" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}

func parseFile(fsys fs.FS, name string) (*file, error) {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("parse %s: %w", name, err)
	}
	return &file{
		path: name, dir: path.Dir(name),
		test: strings.HasSuffix(name, "_test.go"), generated: ast.IsGenerated(tree),
		lines: strings.Count(string(text), "\n"), fset: fset, ast: tree,
	}, nil
}
