package render

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"golang.org/x/tools/txtar"

	"vyretop/megakernel/workload"
)

// TestScenes runs the scripts in testdata/scene: the files of a scene, and what is read from them.
func TestScenes(t *testing.T) {
	datadriven.Walk(t, "testdata/scene", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			return show(Load(archive(d.Input), "scene.toml", "dir/scene.toml"))
		})
	})
}

// archive reads files from a text; a line "-- name --" begins one.
func archive(text string) Files {
	return func(name string) ([]byte, error) {
		for _, f := range txtar.Parse([]byte(text)).Files {
			if f.Name == name {
				return f.Data, nil
			}
		}
		return nil, fs.ErrNotExist
	}
}

func show(w *World, err error) string {
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "eye %v forward %v right %v down %v\n", w.camera.eye, w.camera.forward, w.camera.right, w.camera.down)
	for _, m := range w.materials {
		fmt.Fprintf(&b, "material %v emits %v mirror %t %v\n", m.color, m.emits, m.mirror, m.blur)
	}
	for _, s := range w.shapes {
		fmt.Fprintf(&b, "shape %d at %v edges %v %v normal %v radius %v material %d\n", s.kind, s.point, s.edge1, s.edge2, s.normal, s.radius, s.material)
	}
	return b.String()
}

// FuzzLoad: any scene and mesh is a world with a tree that a walk leaves, or a typed error.
func FuzzLoad(f *testing.F) {
	f.Add("[camera]\neye = [0, 0, 0]\nlook = [0, 0, -1]\n[[material]]\nname = \"m\"\n[[mesh]]\nfile = \"m.obj\"\nmaterial = \"m\"\n", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
	f.Fuzz(func(t *testing.T, scene, mesh string) {
		w, err := Load(func(name string) ([]byte, error) {
			if name == "scene.toml" {
				return []byte(scene), nil
			}
			return []byte(mesh), nil
		}, "scene.toml", "scene.toml")
		if err != nil {
			if !errors.Is(err, workload.ErrInput) || !strings.Contains(err.Error(), ". Fix: ") {
				t.Fatal(err)
			}
			return
		}
		checkTree(t, w)
	})
}

// checkTree walks a tree as a ray that enters every box does, and as one that enters none: both come to
// its end, and the first meets each shape once.
func checkTree(t *testing.T, w *World) {
	nodes := w.tree()
	met := map[uint32]int{}
	for at, n := range nodes {
		if int(n.skip) <= at || int(n.skip) > len(nodes) {
			t.Fatalf("box %d of %d skips to %d", at, len(nodes), n.skip)
		}
		if n.shape != noShape {
			met[n.shape]++
		}
	}
	for i := range w.shapes {
		if met[uint32(i)] != 1 {
			t.Fatalf("shape %d is in %d leaves", i, met[uint32(i)])
		}
	}
}
