package taskcheck

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vyretop/engine/check"
	"vyretop/megakernel/run"
)

// TestShippedWorkloadsHaveNoFindings: what the shipped handlers do is defined, and their accesses are ordered.
func TestShippedWorkloadsHaveNoFindings(t *testing.T) {
	for name, values := range map[string]map[string]string{
		"collatz":   {"count": "200"},
		"bfs":       {"generate": "kronecker:6", "searches": "2"},
		"bfs-batch": {"generate": "kronecker:4", "searches": "20"},
		"render":    {"width": "16", "height": "12", "samples": "2"},
		"infer":     {"tokens": "2", "sequences": "3", "batch": "2", "prompt": "The Sines"},
		"scan":      {"path": "."},
		"grep":      {"path": ".", "pattern": "func"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := run.OpenWorkload(name)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Run(t.Context(), Config{Definition: d, Values: values})
			if err != nil || !r.Verified || r.Unwatched {
				t.Fatalf("%+v, %v", r, err)
			}
			for _, f := range r.Findings {
				t.Errorf("%+v", f)
			}
		})
	}
}

// TestCorpusOfTasks: mistakes of handlers are found at the lines that say `// finds: KIND`, and nothing else is.
func TestCorpusOfTasks(t *testing.T) {
	dirs, err := filepath.Glob("testdata/*")
	if err != nil || len(dirs) == 0 {
		t.Fatal(dirs, err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			d, err := run.OpenWorkload(dir)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Run(t.Context(), Config{Definition: d})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range r.Findings {
				got = append(got, placeOf(&f))
				if f.Access.Task == nil || f.Access.Task.Handler == "" {
					t.Errorf("%+v names no task", f)
				}
			}
			slices.Sort(got)
			if want := wanted(t, dir); !slices.Equal(slices.Compact(got), want) {
				t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// wanted are the places that the handlers of a folder name, in the order of findings.
func wanted(t *testing.T, dir string) (list []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.glsl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if _, kind, ok := strings.Cut(line, "// finds: "); ok {
				list = append(list, fmt.Sprintf("%s:%d %s", filepath.ToSlash(file), i+1, kind))
			}
		}
	}
	slices.Sort(list)
	return list
}

// placeOf is where a finding is: a race at the first of its two lines, as either access can come first.
func placeOf(f *check.Finding) string {
	at := f.Access.Stack[0]
	if f.Kind == check.Race {
		at.Line = min(at.Line, f.Other.Stack[0].Line)
	}
	return fmt.Sprintf("%s:%d %s", at.File, at.Line, f.Kind)
}

// TestTasksBeyondTheBoundAreNotFollowed: a run of very many tasks takes a bounded amount of memory, and the report says that
// not all were followed.
func TestTasksBeyondTheBoundAreNotFollowed(t *testing.T) {
	d, err := run.OpenWorkload("testdata/lanes")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), Config{Definition: d, most: 3})
	if err != nil || !r.Ended || !r.Unwatched {
		t.Errorf("%+v, %v", r, err)
	}
}
