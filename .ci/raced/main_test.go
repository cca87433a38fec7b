package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// The packages of testdata/rules.txtar begin with "raced" if one of the rules holds for them, each for one rule, and with
// "left" otherwise; those that begin with "untested" have no tests.
func TestAPackageIsPrintedForEachRule(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/rules.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var raced, rest []string
	starts := []string{"m/racedgroup", "m/racedstatement", "m/racedtimer"} // not in tests
	for _, file := range archive.Files {
		path := filepath.Join(dir, file.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, file.Data, 0o644); err != nil {
			t.Fatal(err)
		}
		switch name := filepath.Dir(file.Name); {
		case strings.HasPrefix(name, "raced"):
			raced = append(raced, "m/"+name)
		case strings.HasPrefix(name, "left"):
			rest = append(rest, "m/"+name)
		}
	}
	slices.Sort(raced)
	slices.Sort(rest)
	if got := printed(t, dir, all); !slices.Equal(got, slices.Compact(raced)) {
		t.Errorf("printed %q, want %q", got, raced)
	}
	if got := printed(t, dir, left); !slices.Equal(got, slices.Compact(rest)) {
		t.Errorf("-rest printed %q, want %q", got, rest)
	}
	if got := printed(t, dir, starters); !slices.Equal(got, starts) {
		t.Errorf("-own printed %q, want %q", got, starts)
	}
}

func printed(t *testing.T, dir string, which selection) []string {
	t.Helper()
	var out bytes.Buffer
	if err := run(&out, dir, which); err != nil {
		t.Fatal(err)
	}
	return strings.Fields(out.String())
}

// A package that does not parse is an error: without its files the rules would leave it out.
func TestAFileThatDoesNotParseIsAnError(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.26\n", "a.go": "package m\n\nfunc {\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := run(new(bytes.Buffer), dir, all); err == nil {
		t.Error("no error for a file that does not parse")
	}
}
