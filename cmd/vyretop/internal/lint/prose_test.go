package lint

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

// phrases are the patterns that plain American English avoids, each with what to write instead. This file and
// testdata are exempt, but for the comments of scripts.
var phrases = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`(?i)\bis no (?:[^l]|l[^o])`), "invalid, unknown, not found, missing, is not a"},
	{regexp.MustCompile(`(?i)\bgo(?:es|ing)? on\b`), "continues, resumes, runs"},
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
	{regexp.MustCompile(`(?i)\bcount(?:s)? (?:for nothing|more than)\b`), "is ignored, overrides"},
	{regexp.MustCompile(`(?i)\bcolours?\b|\bbehaviours?\b|\bneighbours?\b`), "color, behavior, neighbor"},
	{regexp.MustCompile(`\bUnsaid\b|\bFirmLoops\b|\bTaken32\b|\bdismiss\b`), "Unknown, GuardLoops, ClaimedMask, markAbsent"},
}

// prose describes the banned phrases of each file below the root of fsys.
func prose(fsys fs.FS) (found []string, err error) {
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
		found = append(found, proseOf(name, text)...)
		return err
	})
	if err != nil {
		return nil, err
	}
	scripts, err := fs.Glob(fsys, "cmd/vyretop/testdata/script/*.txtar")
	for _, name := range scripts {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		found = append(found, proseOf(name, scriptComments(text))...)
	}
	return found, err
}

// scriptComments is a script without its commands and files, line for line.
func scriptComments(text []byte) []byte {
	lines := bytes.Split(text, []byte("\n"))
	for i, line := range lines {
		if bytes.HasPrefix(line, []byte("-- ")) {
			return bytes.Join(lines[:i], []byte("\n"))
		}
		if !bytes.HasPrefix(line, []byte("#")) {
			lines[i] = nil
		}
	}
	return bytes.Join(lines, []byte("\n"))
}

// proseOf describes the banned phrases of a text.
func proseOf(name string, text []byte) (found []string) {
	for i, line := range bytes.Split(text, []byte("\n")) {
		for _, p := range phrases {
			for _, at := range p.pattern.FindAllIndex(line, -1) {
				if plain(line[:at[0]], line[at[0]:at[1]]) {
					continue
				}
				found = append(found, fmt.Sprintf("%s:%d: %q. Fix: write %s", name, i+1, line[at[0]:at[1]], p.instead))
			}
		}
	}
	return found
}

// plain reports whether what stands before a hit makes it plain: "there is no room" is, unlike "x is no number", and so is
// the kind of an event that recordings hold.
func plain(before, hit []byte) bool {
	return bytes.HasSuffix(bytes.ToLower(before), []byte("there ")) && bytes.HasPrefix(hit, []byte("is no ")) ||
		bytes.HasSuffix(before, []byte{'"'}) && string(hit) == "refuted"
}

// TestProse: banned phrases stay out of source and documents.
func TestProse(t *testing.T) {
	found, err := prose(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range found {
		t.Error(line)
	}
}

// TestBannedPhrasesAreFound shows that each pattern can match, and that plain words do not.
func TestBannedPhrasesAreFound(t *testing.T) {
	found, err := prose(fstest.MapFS{
		"a.go":                                {Data: []byte("// x is no number. It goes on meanwhile; nobody knows so many words.\n// It is no longer used; there is no need.\nconst k = \"refuted\"\n")},
		"k/b.glsl":                            {Data: []byte("// the lap ends\n// the lapse and the deckhand\n")},
		"c.md":                                {Data: []byte("The wardrobe that there is, drawn anew at any moment.\n")},
		"testdata/d.go":                       {Data: []byte("// nobody\n")},
		"e.txt":                               {Data: []byte("nobody\n")},
		"cmd/vyretop/testdata/script/f.txtar": {Data: []byte("# nobody\nexec nobody\n-- f.go --\n# nobody\n")},
	})
	got := map[string]int{}
	for _, line := range found {
		name, _, _ := strings.Cut(line, ":")
		got[name]++
	}
	if want := map[string]int{"a.go": 5, "k/b.glsl": 1, "c.md": 4, "cmd/vyretop/testdata/script/f.txtar": 1}; err != nil || !maps.Equal(got, want) {
		t.Fatalf("%v, %v, want %v", got, err, want)
	}
}
