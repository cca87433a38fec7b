package lint

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

var (
	namedTests = regexp.MustCompile(`(?ms)^(?:names|few)=\(\n(.*?)^\)`)
	shellNote  = regexp.MustCompile(`#.*`)
	testOf     = regexp.MustCompile(`(?m)^func Test(\w+)\(`)
)

// TestRacedTestsExist: a test that is renamed would silently leave the list of those that the race detector looks at.
func TestRacedTestsExist(t *testing.T) {
	const root = "../../../.."
	list, err := os.ReadFile(root + "/.ci/racedtests")
	if err != nil {
		t.Fatal(err)
	}
	var tests []string
	err = fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && ignoredDir(entry.Name()):
			return fs.SkipDir
		case !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := fs.ReadFile(os.DirFS(root), name)
		for _, m := range testOf.FindAllStringSubmatch(string(text), -1) {
			tests = append(tests, m[1])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	all, named := strings.Join(tests, "\n"), 0
	for _, m := range namedTests.FindAllStringSubmatch(string(list), -1) {
		for _, name := range strings.Fields(shellNote.ReplaceAllString(m[1], "")) {
			name, _, _ = strings.Cut(name, "/") // a subtest
			named++
			if !regexp.MustCompile("(?m)^" + name).MatchString(all) {
				t.Errorf("no test is named Test%s. Fix: name another one in .ci/racedtests", name)
			}
		}
	}
	if named == 0 {
		t.Error("no names were found in .ci/racedtests")
	}
}
