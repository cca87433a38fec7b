package follow

import (
	"bytes"
	"os"
	"testing"
)

// TestPageIsFresh: the table in docs/tuning.md is that of the reports in docs/tuning.
func TestPageIsFresh(t *testing.T) {
	const file = "../../../../../docs/tuning.md"
	list, err := Read("../../../../../docs/tuning")
	if err != nil || len(list) == 0 {
		t.Fatal(len(list), err)
	}
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, err := Page(page, list)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(page, want) {
		t.Errorf("%s is stale: run go generate ./cmd/vyretop/internal/tuning/follow", file)
	}
	if _, err := Page([]byte("no place"), list); err == nil {
		t.Error("a page without a place for the table is taken")
	}
}
