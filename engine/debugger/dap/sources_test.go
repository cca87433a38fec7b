package dap

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestSourcesThatAreNotOnDiskAreServed is about captures, which hold the text of their kernel: a file on disk is named only
// while it has the same text.
func TestSourcesThatAreNotOnDiskAreServed(t *testing.T) {
	for name, test := range map[string]struct {
		onDisk bool
		want   string
	}{
		"same text": {true, `"source":{"name":"kernel.comp","path":"$DIR/kernel.comp"}`},
		"gone":      {false, `"source":{"name":"kernel.comp","path":"$DIR/kernel.comp","sourceReference":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			c := connectTo(t, kernels(t, map[string]string{"kernel.comp": endless}), Programs{Open: func(ctx context.Context, l *Launch) (*Program, error) {
				p, err := openFile(ctx, l)
				if err != nil {
					return nil, err
				}
				p.OnDisk = false
				if !test.onDisk {
					err = os.Remove(filepath.Clean(l.Program))
				}
				return p, err
			}})
			c.do("initialize", `{"adapterID":"vyretop","linesStartAt1":true}`)
			c.do("launch", `{"program":"$DIR/kernel.comp","stopOnEntry":true}`)
			m := c.answer("setBreakpoints", `{"source":{"path":"/elsewhere/kernel.comp"},"breakpoints":[{"line":5}]}`)
			if !strings.Contains(string(m.Body), `"verified":true`) || !strings.Contains(string(m.Body), strings.ReplaceAll(test.want, "$DIR", c.dir)) {
				t.Errorf("breakpoint: %s, want %s", m.Body, test.want)
			}
			if m := c.answer("source", `{"sourceReference":1}`); !strings.Contains(string(m.Body), "void spin()") {
				t.Errorf("source: %+v", m)
			}
			if m := c.answer("source", `{"sourceReference":2}`); m.Success {
				t.Errorf("source 2: %s", m.Body)
			}
		})
	}
}

// TestASourceOnDiskHasAnAbsolutePath: a file of a recording that lies below the folder of the adapter was named as the recording
// names it, which no editor can open.
func TestASourceOnDiskHasAnAbsolutePath(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("kernel.comp", []byte(endless), 0o600); err != nil {
		t.Fatal(err)
	}
	list := references([]string{"kernel.comp", "gone.comp"}, func(string) string { return endless })
	s := &view{program: &Program{}, references: list, paths: &sync.Map{}}
	if got := s.source("kernel.comp"); !filepath.IsAbs(got.Path) || got.SourceReference != 0 {
		t.Errorf("on disk: %+v", got)
	}
	if got := s.source("gone.comp"); got.Path != "gone.comp" || got.SourceReference != 2 {
		t.Errorf("gone: %+v", got)
	}
	if got := s.source("around.glsl"); got.Path != "around.glsl" || got.SourceReference != 0 {
		t.Errorf("of the kernel around it: %+v", got)
	}
}
