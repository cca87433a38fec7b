package bfs

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"vyretop/megakernel/internal/rig"
	"vyretop/megakernel/workload"
)

// show describes a graph, or the error about it.
func show(g *Graph, err error) string {
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	return fmt.Sprintf("%d vertices, one way %t, pairs %v\n", g.Vertices, g.OneWay, g.Pairs)
}

// TestFiles runs the scripts in testdata: texts of graph files, and what is read from them.
func TestFiles(t *testing.T) {
	datadriven.Walk(t, "testdata/read", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			return show(parse(t.Context(), "graph", strings.NewReader(d.Input)))
		})
	})
}

func packed(t testing.TB, text string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestGzip(t *testing.T) {
	whole := packed(t, strings.Repeat("0 1\n1 2\n", 1000))
	g, err := parse(t.Context(), "graph.gz", bytes.NewReader(whole))
	if err != nil || g.Edges() != 2000 {
		t.Errorf("%v", err)
	}
	if _, err = parse(t.Context(), "graph.gz", bytes.NewReader(whole[:len(whole)-12])); !errors.Is(err, workload.ErrInput) {
		t.Errorf("cut off: %v", err)
	}
	if _, err = parse(t.Context(), "graph.gz", bytes.NewReader(whole[:5])); !errors.Is(err, workload.ErrInput) {
		t.Errorf("head only: %v", err)
	}
}

func TestUnreadableFiles(t *testing.T) {
	dir := t.TempDir()
	long := filepath.Join(dir, "long")
	if err := os.WriteFile(long, []byte("0 1\n"+strings.Repeat("1", maxLine+1)), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{filepath.Join(dir, "none"): "cannot be opened", dir: "cannot be opened", long: "long:2: unusable input: the line is longer"} {
		_, err := Read(t.Context(), name)
		if !errors.Is(err, workload.ErrInput) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), ". Fix: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReadingIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := parse(ctx, "graph", strings.NewReader("0 1\n")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// FuzzRead: any text is a graph whose vertices exist, or a typed error.
func FuzzRead(f *testing.F) {
	f.Add([]byte("0 1\n# x\n1 2 0.5\n"))
	f.Add([]byte("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n1 2\n"))
	f.Add(packed(f, "0 1\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		g, err := parse(t.Context(), "graph", bytes.NewReader(text))
		if err != nil {
			if !errors.Is(err, workload.ErrInput) || !strings.Contains(err.Error(), ". Fix: ") {
				t.Fatal(err)
			}
			return
		}
		for _, v := range g.Pairs {
			if int(v) >= g.Vertices {
				t.Fatalf("vertex %d of %d", v, g.Vertices)
			}
		}
	})
}

func TestFlags(t *testing.T) {
	d := Definition{Manifest: rig.Manifest(t, "bfs")}
	for name, values := range map[string]map[string]string{
		"unknown":         {"scale": "3"},
		"source":          {"source": "-1"},
		"edges":           {"edges": "both"},
		"generate":        {"generate": "kronecker"},
		"two graphs":      {"graph": "x", "generate": "kronecker:5"},
		"source too high": {"source": "4294967296"},
	} {
		if _, err := d.New(values); !errors.Is(err, workload.ErrFlag) || !strings.Contains(err.Error(), ". Fix: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, f := range d.Flags() {
		if _, err := d.New(map[string]string{f.Name: f.Default}); f.Default != "" && err != nil {
			t.Errorf("--%s %s, its default: %v", f.Name, f.Default, err)
		}
	}
	w, err := d.New(map[string]string{"generate": "kronecker:3", "source": "8"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Setup(t.Context()); !errors.Is(err, workload.ErrFlag) {
		t.Errorf("a source that does not exist: %v", err)
	}
}
