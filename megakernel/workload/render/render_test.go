package render

import (
	"context"
	"errors"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/internal/rig"
	"vyretop/megakernel/resident"
	"vyretop/megakernel/workload"
)

func small() Options {
	return Options{picture: picture{width: 13, height: 9, tile: 4, samples: 2, depth: 3, seed: 1}}
}

// TestEqualBitsEverywhere: backend, workers, lanes, scheduler and retuning do not change a bit.
func TestEqualBitsEverywhere(t *testing.T) {
	first := ""
	for name, open := range backendtest.All {
		for _, shape := range []rig.Shape{{Workers: 1, Lanes: 8, Full: true}, {Workers: 3, Lanes: 3, Full: true, Beside: retune(t)}} {
			b := open(t)
			if backendtest.CompilesSlowly(b) {
				shape.Lanes = 8
			}
			out, err := rig.Run(rig.Deadline(t), b, New(rig.Manifest(t, "render"), small()), shape)
			if err != nil || !out.Verification.OK {
				t.Fatal(name, out.Verification, err)
			}
			digest := out.Result.(Result).Digest
			if first == "" {
				first = digest
			}
			if digest != first {
				t.Errorf("%s %+v: %s, elsewhere %s", name, shape, digest, first)
			}
		}
	}
}

func retune(t *testing.T) func(context.Context, *resident.Session) {
	return func(ctx context.Context, s *resident.Session) {
		rng := rand.New(rand.NewPCG(3, 4))
		for ctx.Err() == nil {
			if err := s.Retune(rig.Deadline(t), megakernel.Shape{Workers: 1 + rng.IntN(3), Lanes: 1 + rng.IntN(3)}); err != nil {
				t.Error(err)
				return
			}
		}
	}
}

// TestThePictureShowsTheScene: a lamp in the dark is bright where it is and nowhere else.
func TestThePictureShowsTheScene(t *testing.T) {
	for name, shape := range map[string]string{
		"sphere": "[[sphere]]\ncenter = [0, 0, -4]\nradius = 1\nmaterial = \"lamp\"\n",
		"mesh":   "[[mesh]]\nfile = \"quad.obj\"\nmaterial = \"lamp\"\nmove = [0, 0, -4]\n",
	} {
		dir := t.TempDir()
		scene := "[camera]\neye = [0, 0, 0]\nlook = [0, 0, -1]\nfov = 60\n[sky]\nzenith = [0, 0, 0]\nhorizon = [0, 0, 0]\n[[material]]\nname = \"lamp\"\nemits = [1, 0.5, 0]\n" + shape
		write(t, dir, "scene.toml", scene)
		write(t, dir, "quad.obj", "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3 4\n")
		o := small()
		o.Scene, o.Out = filepath.Join(dir, "scene.toml"), filepath.Join(dir, "out.png")
		out, err := rig.Run(rig.Deadline(t), backendtest.Reference(t, reference.Options{}), New(rig.Manifest(t, "render"), o), rig.Shape{})
		if err != nil || !out.Verification.OK {
			t.Fatal(out.Verification, err)
		}
		f, err := os.Open(o.Out)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		picture, err := png.Decode(f)
		if err != nil {
			t.Fatal(err)
		}
		if r, g, b, _ := picture.At(6, 4).RGBA(); r != 0xFFFF || g>>8 != 188 || b != 0 {
			t.Errorf("%s: the middle is %x %x %x", name, r, g, b)
		}
		if r, g, b, _ := picture.At(0, 0).RGBA(); r|g|b != 0 {
			t.Errorf("%s: the corner is %x %x %x", name, r, g, b)
		}
	}
}

func write(t *testing.T, dir, name, text string) {
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestVerifyNoticesOneBit checks the checker.
func TestVerifyNoticesOneBit(t *testing.T) {
	o := small()
	o.width, o.height, o.samples = 6, 5, 1
	r := New(rig.Manifest(t, "render"), o)
	if _, err := rig.Run(rig.Deadline(t), backendtest.Reference(t, reference.Options{}), r, rig.Shape{}); err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{0, 3, len(r.final) - 2} {
		r.final[at] ^= 1
		if v, err := r.Verify(t.Context()); err != nil || v.OK {
			t.Errorf("word %d: %+v, %v", at, v, err)
		}
		r.final[at] ^= 1
	}
}

// TestVerificationRendersManyPixelsAtATime: the paths of a whole tile, which is one task, followed one another for minutes.
func TestVerificationRendersManyPixelsAtATime(t *testing.T) {
	o := small()
	o.width, o.height, o.samples, o.tile = 240, 160, 2000, 8
	r := New(rig.Manifest(t, "render"), o)
	p := r.opt.picture.again()
	if tiles := r.chosen(p); p.tile != 1 || len(tiles) != 64 {
		t.Errorf("%d tasks with an edge of %d, want a task for each of 64 pixels", len(tiles), p.tile)
	}
	p.width, p.height = 4096, 4096
	if p = p.again(); p.tiles() > verifyTiles || p.tile != 8 {
		t.Errorf("%d tiles with an edge of %d", p.tiles(), p.tile)
	}
}

func TestFlags(t *testing.T) {
	d := Definition{Manifest: rig.Manifest(t, "render")}
	for _, values := range []map[string]string{{"width": "0"}, {"height": "x"}, {"tile": "65"}, {"depth": "-1"}, {"color": "1"}} {
		if _, err := d.New(values); !errors.Is(err, workload.ErrFlag) || !strings.Contains(err.Error(), ". Fix: ") {
			t.Errorf("%v: %v", values, err)
		}
	}
	for _, f := range d.Flags() {
		if _, err := d.New(map[string]string{f.Name: f.Default}); err != nil {
			t.Errorf("--%s %s, its default: %v", f.Name, f.Default, err)
		}
	}
	w, err := d.New(map[string]string{"out": filepath.Join(t.TempDir(), "none", "x.png")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Setup(t.Context()); !errors.Is(err, workload.ErrInput) {
		t.Error(err)
	}
}

// TestMain makes sure that no run leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
