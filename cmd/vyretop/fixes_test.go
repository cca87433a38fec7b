package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"vyretop/megakernel/command"
)

// commandOfDo is the word behind "vyretop do".
var commandOfDo = regexp.MustCompile(`vyretop do ['"]?([^\s'"` + "`" + `)]*)`)

// notCommands stand behind "vyretop do" where no command is meant as it stands there.
var notCommands = []string{"from", "...", "COMMAND", "COMMAND…", "VERB"}

// TestFixesNameCommandsOfDo: the Fix of a capture named "vyretop do gate pause task 3", and do takes no name of a run in front
// of its command. Every text of the program and of its documents that shows do has a command behind it.
func TestFixesNameCommandsOfDo(t *testing.T) {
	seen := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		for _, text := range textsOf(t, path) {
			for _, m := range commandOfDo.FindAllStringSubmatch(text, -1) {
				seen++
				if word := m[1]; command.Find(word) == nil && !strings.HasPrefix(word, "--") && !slices.Contains(notCommands, word) {
					t.Errorf("%s: %q does not name a command of do", path, m[0])
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 10 {
		t.Errorf("only %d places show do", seen)
	}
}

// textsOf are the strings of a Go file of the program, or a document.
func textsOf(t *testing.T, path string) (list []string) {
	switch {
	case filepath.Ext(path) == ".md":
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return []string{string(text)}
	case filepath.Ext(path) != ".go", strings.HasSuffix(path, "_test.go"):
		return nil
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, text)
		}
		return true
	})
	return list
}
