package grep

import (
	"strings"
	"testing"
)

// TestProgressIsWhatIsSearched: pages that the host has read do not count before a task has passed them, and those that
// are read twice count once; otherwise a rate stands still as soon as more was read than there is.
func TestProgressIsWhatIsSearched(t *testing.T) {
	g := search(t, Options{Path: folder(t, map[string]string{"a": strings.Repeat("x", 1000), "b": "y"}), Pattern: "x", PageBytes: 256})
	if done, total, _ := g.Progress(); done != 0 || total != 0 {
		t.Errorf("before: %d of %d", done, total)
	}
	if _, err := g.Setup(t.Context()); err != nil {
		t.Fatal(err)
	}
	page := make([]byte, 256)
	for _, step := range []struct{ offset, want int64 }{{0, 0}, {256, 0}, {512, 256}, {256, 256}, {768, 512}, {768, 512}} {
		if _, err := g.tree.ReadPage(0, page, step.offset); err != nil {
			t.Fatal(err)
		}
		if done, total, unit := g.Progress(); done != step.want || total != 1001 || unit != "B" {
			t.Errorf("a page is read at %d: %d of %d %s, want %d", step.offset, done, total, unit, step.want)
		}
	}
	for i, want := range []int64{1000, 1001} {
		g.tree.reach(g.tree.files[i], g.tree.files[i].size)
		if done, _, _ := g.Progress(); done != want {
			t.Errorf("%d, want %d", done, want)
		}
	}
}
