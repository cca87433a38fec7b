package workload

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"vyretop/engine/plainfile"
)

// TestALargeManifestIsNotRead: one of 20 GiB was read to its end before its size was looked at.
func TestALargeManifestIsNotRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, ManifestName)
	if err := os.WriteFile(path, []byte("name = \"x\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Skipf("the file system has no sparse files: %v", err)
	}
	if _, err := Load(plainfile.Dir(dir), "."); !errors.Is(err, ErrSize) {
		t.Error(err)
	}
}

// TestAFileThatGrowsIsNotRead: the size of a buffer's file is looked at when the manifest is checked, and the file read later.
func TestAFileThatGrowsIsNotRead(t *testing.T) {
	dir := t.TempDir()
	data := filepath.Join(dir, "data.bin")
	text := "name = \"x\"\n[[buffer]]\nname = \"d\"\nbinding = 8\nfile = \"data.bin\"\n[[opcode]]\nnumber = 8\nname = \"o\"\nhandler = \"o\"\nfile = \"o.glsl\"\n[[task]]\nopcode = 8\ncount = 1\n"
	for name, text := range map[string]string{ManifestName: text, "data.bin": "1234", "o.glsl": "void o(inout Task t) { task_done(t); }\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m, err := Load(plainfile.Dir(dir), ".")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.ReadFile("data.bin"); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(data, 1<<40); err != nil {
		t.Skipf("the file system has no sparse files: %v", err)
	}
	if _, err := m.ReadFile("data.bin"); !errors.Is(err, ErrSize) {
		t.Error(err)
	}
}
