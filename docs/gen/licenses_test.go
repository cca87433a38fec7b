package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const root = "../.."

// TestEveryModuleHasAnAcceptedLicense: a module that is added or updated is in the list, with a license that
// vyretop accepts, and what only tests of other modules need is not part of the program.
func TestEveryModuleHasAnAcceptedLicense(t *testing.T) {
	modules, err := List(root)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(root, "docs/internal/licenses.md"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(page), Markdown(modules)); diff != "" {
		t.Errorf("docs/internal/licenses.md is stale. Fix: run make generate\n%s", diff)
	}
	for _, unwanted := range []string{"github.com/stretchr/testify", "gopkg.in/yaml.v3", "github.com/davecgh/go-spew"} {
		if slices.ContainsFunc(modules, func(m Module) bool { return m.Program && m.Path == unwanted }) {
			t.Errorf("%s is part of the program", unwanted)
		}
	}
	if notices := Notices(modules); !strings.Contains(notices, "Charmbracelet") || strings.Contains(notices, "go-difflib") {
		t.Error("the notices lack a module of the program, or have one of the tests")
	}
	if !slices.ContainsFunc(modules, func(m Module) bool { return m.Program && m.Path == "github.com/foxglove/mcap/go/mcap" }) {
		t.Error("the list lacks a module that the program has")
	}
}

// TestUnknownLicensesAreRefused shows that the test above can fail.
func TestUnknownLicensesAreRefused(t *testing.T) {
	dir := t.TempDir()
	if _, _, err := licenseOf(dir); !errors.Is(err, ErrLicense) {
		t.Errorf("a module without a license file: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "COPYING"), []byte("All rights reserved."), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := licenseOf(dir); !errors.Is(err, ErrLicense) {
		t.Errorf("an unknown license: %v", err)
	}
}
