package lint

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

var (
	linkTarget = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	notAnchor  = regexp.MustCompile(`[^\w\- ]`)
)

// brokenLinks lists the links of the documents below the root of fsys that lead to no file of the tree, or to no
// heading of it. Links out of the tree are not followed.
func brokenLinks(fsys fs.FS) (broken []string, err error) {
	err = fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && ignoredDir(entry.Name()):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(name) != ".md":
			return nil
		}
		text, err := fs.ReadFile(fsys, name)
		for _, m := range linkTarget.FindAllStringSubmatch(string(text), -1) {
			if !strings.Contains(m[1], "://") && !resolves(fsys, name, m[1]) {
				broken = append(broken, name+": "+m[1])
			}
		}
		return err
	})
	return broken, err
}

// resolves reports whether a link of a document leads to something.
func resolves(fsys fs.FS, from, link string) bool {
	file, anchor, _ := strings.Cut(link, "#")
	to := from
	if file != "" {
		to = path.Join(path.Dir(from), file)
	}
	if _, err := fs.Stat(fsys, to); err != nil {
		return false
	}
	return anchor == "" || slices.Contains(anchors(fsys, to), anchor)
}

// anchors are the names by which headings of a document can be linked.
func anchors(fsys fs.FS, name string) (out []string) {
	text, _ := fs.ReadFile(fsys, name)
	for line := range strings.Lines(string(text)) {
		if level := strings.TrimLeft(line, "#"); level != line && strings.HasPrefix(level, " ") {
			title := notAnchor.ReplaceAllString(strings.ToLower(strings.TrimSpace(level)), "")
			out = append(out, strings.ReplaceAll(title, " ", "-"))
		}
	}
	return out
}

// TestLinksOfDocumentsResolve: a reader who follows a link finds something.
func TestLinksOfDocumentsResolve(t *testing.T) {
	broken, err := brokenLinks(os.DirFS(root))
	if err != nil || len(broken) > 0 {
		t.Errorf("broken links: %q, %v. Fix: name the file and the heading as they are", broken, err)
	}
}

// TestBrokenLinksAreFound shows that the test above can fail.
func TestBrokenLinksAreFound(t *testing.T) {
	got, err := brokenLinks(fstest.MapFS{
		"a.md":          {Data: []byte("# One `two`, three\n[b](docs/b.md) [here](#one-two-three) [out](https://example.org/x) [gone](docs/c.md) [no](#two)")},
		"docs/b.md":     {Data: []byte("![up](../a.md#one-two-three) [folder](../docs) [gone](a.md) [no](../a.md#four)")},
		"testdata/c.md": {Data: []byte("[not of ours](gone.md)")},
	})
	want := []string{"a.md: docs/c.md", "a.md: #two", "docs/b.md: a.md", "docs/b.md: ../a.md#four"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

// TestArchitectureNamesThePackages: docs/architecture.md lists what there is of engine and megakernel, and
// nothing that does not exist.
func TestArchitectureNamesThePackages(t *testing.T) {
	fsys := os.DirFS(root)
	text, err := fs.ReadFile(fsys, "docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for line := range strings.Lines(string(text)) {
		if cells := strings.Split(line, "|"); len(cells) > 2 && strings.Contains(cells[1], "`") {
			for _, name := range strings.Split(cells[1], ",") {
				listed = append(listed, strings.Trim(name, " `"))
			}
		}
	}
	for _, name := range listed {
		if files, err := fs.Glob(fsys, name+"/*.go"); err != nil || len(files) == 0 {
			t.Errorf("docs/architecture.md lists %q, which is not a package: %v", name, err)
		}
	}
	for _, pattern := range []string{"engine/*/*.go", "megakernel/*/*.go"} {
		files, err := fs.Glob(fsys, pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(fmt.Errorf("%s: %d files, %w", pattern, len(files), err))
		}
		for _, f := range files {
			if dir := path.Dir(f); !slices.Contains(listed, dir) {
				t.Errorf("docs/architecture.md does not list %s", dir)
				listed = append(listed, dir) // once is enough
			}
		}
	}
}
