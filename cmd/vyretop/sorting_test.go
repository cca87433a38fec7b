package main

import (
	"os"
	"path/filepath"
	"testing"
)

// Sorting is kept from one dashboard to the next; a file that is damaged, or no place for one, is not a problem.
func TestSortingIsKept(t *testing.T) {
	dir := t.TempDir()
	a := &app{env: []string{"XDG_STATE_HOME=" + dir}}
	now, keep := a.sorting()
	now["tasks"] = "-age"
	keep()
	if again, _ := a.sorting(); again["tasks"] != "-age" {
		t.Errorf("kept %v", again)
	}
	if err := os.WriteFile(filepath.Join(dir, "vyretop", "sorting.json"), []byte(`{"tasks":7`), 0o600); err != nil {
		t.Fatal(err)
	}
	if now, _ := a.sorting(); len(now) != 0 {
		t.Errorf("of a damaged file %v", now)
	}
	now, keep = (&app{}).sorting()
	now["tasks"] = "age"
	keep()
}
