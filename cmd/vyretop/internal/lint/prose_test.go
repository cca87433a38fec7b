package lint

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// shrink makes TestProse write the exceptions that are still needed, if there are not more of them than before.
var shrink = flag.Bool("shrink-prose", false, "rewrite testdata/prose with the exceptions that are still needed; their sum may not grow")

// phrases are the patterns that plain American English avoids, each with what to write instead. This file and
// testdata are exempt.
var phrases = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`(?i)\bis no (?:[^l]|l[^o])`), "invalid, unknown, not found, missing, is not a"},
	{regexp.MustCompile(`(?i)\b(?:goes?|going) on\b`), "continues, resumes, runs"},
	{regexp.MustCompile(`(?i)\bnobody\b|\bwhoever\b`), "nothing, no caller, no client, the caller"},
	{regexp.MustCompile(`(?i)\bso many\b|\bso much\b`), "that many, the number of, N"},
	{regexp.MustCompile(`(?i)\banew\b|\bany ?more\b`), "again, no longer"},
	{regexp.MustCompile(`(?i)\bmeanwhile\b`), "now, in between, while"},
	{regexp.MustCompile(`(?i)\bthat there (?:is|are)\b`), "a name for the thing"},
	{regexp.MustCompile(`(?i)\bwardrobe\b|\bwears?\b|\bdress(?:es|ed)?\b`), "themes, apply"},
	{regexp.MustCompile(`(?i)\bdeck\b|\bbeneath\b`), "screen stack, base"},
	{regexp.MustCompile(`(?i)\bstations?\b|\brehears\w*`), "GL state, precompile"},
	{regexp.MustCompile(`(?i)\breels?\b|\bthrift\b|\bshel(?:f|ves)\b`), "recording, memory budget, cache"},
	{regexp.MustCompile(`(?i)\blaps?\b`), "scheduling pass"},
	{regexp.MustCompile(`(?i)\bknobs?\b`), "setting"},
	{regexp.MustCompile(`(?i)\bmoments?\b`), "position, snapshot, time"},
	{regexp.MustCompile(`(?i)\bcensus\b|\brefute[sd]?\b`), "slot counts, verification failed"},
	{regexp.MustCompile(`\bUnsaid\b|\bFirmLoops\b|\bTaken32\b|\bdismiss\b`), "Unknown, GuardLoops, ClaimedMask, markAbsent"},
}

// excepted lists, per file, how many banned phrases are left in it.
const excepted = "testdata/prose"

// prose counts the banned phrases of each file below the root of fsys and describes them.
func prose(fsys fs.FS) (counts map[string]int, found map[string][]string, err error) {
	counts, found = map[string]int{}, map[string][]string{}
	err = fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		switch ext := path.Ext(name); {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && ignoredDir(entry.Name()):
			return fs.SkipDir
		case entry.IsDir() || (ext != ".go" && ext != ".glsl" && ext != ".md") || path.Base(name) == "prose_test.go":
			return nil
		}
		text, err := fs.ReadFile(fsys, name)
		for i, line := range bytes.Split(text, []byte("\n")) {
			for _, p := range phrases {
				for _, hit := range p.pattern.FindAll(line, -1) {
					counts[name]++
					found[name] = append(found[name], fmt.Sprintf("%s:%d: %q. Fix: write %s", name, i+1, hit, p.instead))
				}
			}
		}
		return err
	})
	return counts, found, err
}

// TestProse: banned phrases stay out of source and documents. The exceptions are exact, so that the list shrinks with
// every file that is reworded.
func TestProse(t *testing.T) {
	counts, found, err := prose(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	allowed, err := readExceptions(excepted)
	if err != nil {
		t.Fatal(err)
	}
	if *shrink {
		if now, before := sum(counts), sum(allowed); now > before {
			t.Fatalf("%d banned phrases, %d in %s. Fix: reword what the change added", now, before, excepted)
		}
		if err := writeExceptions(excepted, counts); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, line := range compare(counts, allowed, found) {
		t.Error(line)
	}
}

// compare describes each file whose count differs from its exception.
func compare(counts, allowed map[string]int, found map[string][]string) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if counts[name] > allowed[name] {
			out = append(out, fmt.Sprintf("%s has %d banned phrases, %d are excepted:\n\t%s", name, counts[name], allowed[name], strings.Join(found[name], "\n\t")))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(allowed)) {
		if counts[name] < allowed[name] {
			out = append(out, fmt.Sprintf("%s has %d banned phrases, %s excepts %d. Fix: go test ./cmd/vyretop/internal/lint -run TestProse -shrink-prose", name, counts[name], excepted, allowed[name]))
		}
	}
	return out
}

func sum(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

func readExceptions(name string) (map[string]int, error) {
	text, err := os.ReadFile(filepath.FromSlash(name))
	out := map[string]int{}
	for line := range strings.Lines(string(text)) {
		var file string
		var n int
		if _, err := fmt.Sscan(line, &file, &n); err != nil || n <= 0 {
			return nil, fmt.Errorf("%s: invalid line %q: %w. Fix: write FILE COUNT", name, line, err)
		}
		out[file] = n
	}
	return out, err
}

func writeExceptions(name string, counts map[string]int) error {
	var b strings.Builder
	for _, file := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintln(&b, file, counts[file])
	}
	return os.WriteFile(filepath.FromSlash(name), []byte(b.String()), 0o644)
}

// TestBannedPhrasesAreFound shows that each pattern can match, that plain words do not, and that a count that differs
// in either direction is reported.
func TestBannedPhrasesAreFound(t *testing.T) {
	counts, found, err := prose(fstest.MapFS{
		"a.go":          {Data: []byte("// x is no number. It goes on meanwhile; nobody knows so many words.\n// It is no longer used.")},
		"k/b.glsl":      {Data: []byte("// the lap ends\n// the lapse and the deckhand\n")},
		"c.md":          {Data: []byte("The wardrobe that there is, drawn anew at any moment.\n")},
		"testdata/d.go": {Data: []byte("// nobody\n")},
		"e.txt":         {Data: []byte("nobody\n")},
	})
	want := map[string]int{"a.go": 5, "k/b.glsl": 1, "c.md": 4}
	if err != nil || !maps.Equal(counts, want) {
		t.Fatalf("counts %v, %v, want %v", counts, err, want)
	}
	got := compare(counts, map[string]int{"a.go": 6, "k/b.glsl": 1, "c.md": 3, "gone.go": 2}, found)
	slices.SortFunc(got, cmp.Compare)
	for i, start := range []string{"a.go has 5", "c.md has 4", "gone.go has 0"} {
		if len(got) != 3 || !strings.HasPrefix(got[i], start) {
			t.Fatalf("findings %q, want one each for a.go, c.md and gone.go", got)
		}
	}
}
