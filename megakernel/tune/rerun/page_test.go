package rerun

import (
	"bytes"
	"os"
	"testing"
)

// TestPageIsFresh: the table in docs/internal/recommendations.md and the figures of the model are those of the reports in docs/tuning.
func TestPageIsFresh(t *testing.T) {
	const file = "../../../docs/internal/recommendations.md"
	list, err := ReadFollowed("../../../docs/tuning")
	if err != nil || len(list) == 0 {
		t.Fatal(len(list), err)
	}
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, err := FollowedPage(page, list)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(page, want) {
		t.Errorf("%s is stale: run go generate ./megakernel/tune/rerun", file)
	}
	source, err := os.ReadFile("../../../megakernel/recommend/fitted.go")
	if err != nil {
		t.Fatal(err)
	}
	if want, err := FitSource(Fits(list)); err != nil || !bytes.Equal(source, want) {
		t.Errorf("megakernel/recommend/fitted.go is stale: run go generate ./megakernel/tune/rerun (%v)", err)
	}
	if _, err := FollowedPage([]byte("no place"), list); err == nil {
		t.Error("a page without a place for the table is taken")
	}
}
