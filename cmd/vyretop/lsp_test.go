package main

import (
	"os"
	"regexp"
	"testing"
)

// TestTheDocumentedEditorsStartTheLanguageServer holds docs/editors.md to the name of the command.
func TestTheDocumentedEditorsStartTheLanguageServer(t *testing.T) {
	text, err := os.ReadFile("../../docs/editors.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(regexp.MustCompile(`\["lsp"\]|"vyretop", "lsp"`).FindAll(text, -1)); n != 3 {
		t.Errorf("%d configurations start vyretop lsp, want those of VS Code, Neovim and Zed", n)
	}
}
