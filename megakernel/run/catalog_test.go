package run_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vyretop/engine/backendtest"
	"vyretop/megakernel/internal/rig"
	"vyretop/megakernel/run"
	"vyretop/megakernel/workload"
)

func TestShipped(t *testing.T) {
	names := run.Workloads()
	if !slices.Equal(names, []string{"bfs", "bfs-batch", "collatz", "grep", "infer", "render", "scan"}) {
		t.Fatal(names)
	}
	for _, name := range names {
		d, err := run.OpenWorkload(name)
		if err != nil {
			t.Fatal(err)
		}
		if d.Name() != name || d.Title() == "" {
			t.Errorf("%s: name %q, title %q", name, d.Name(), d.Title())
		}
		for _, f := range d.Flags() {
			if f.Help == "" || f.Value == "" {
				t.Errorf("%s --%s has no help", name, f.Name)
			}
		}
	}
}

// copyOut writes a shipped workload to disk, as a user who starts from it would.
func copyOut(t *testing.T, name, dir string) {
	sub, err := fs.Sub(workload.Shipped, name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, sub); err != nil {
		t.Fatal(err)
	}
}

func TestUserFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mine")
	copyOut(t, "collatz", dir)
	d, err := run.OpenWorkload(dir)
	if err != nil {
		t.Fatal(err)
	}
	w, err := d.New(map[string]string{"count": "20"})
	if err != nil {
		t.Fatal(err)
	}
	out, err := rig.Run(t.Context(), backendtest.All["reference"](t), w, rig.Shape{Workers: 1})
	if err != nil || !out.Verification.OK {
		t.Fatal(out.Verification, err)
	}
}

// impatient verifies its result with a context that has ended.
type impatient struct{ workload.Workload }

func (w impatient) Verify(ctx context.Context) (workload.Verification, error) {
	ended, cancel := context.WithCancel(ctx)
	cancel()
	return w.Workload.Verify(ended)
}

// TestVerificationsEndWithTheirContext: some did not ask it, so Ctrl-C waited for the end of a long one.
func TestVerificationsEndWithTheirContext(t *testing.T) {
	file := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(file, []byte("TODO one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := backendtest.All["reference"](t)
	for name, flags := range map[string]map[string]string{
		"bfs": {"generate": "kronecker:3", "searches": "2"}, "bfs-batch": {"generate": "kronecker:3", "searches": "2"}, "collatz": {"count": "20"}, "grep": {"path": file},
		"infer":  {"tokens": "1", "sequences": "1"},
		"render": {"width": "8", "height": "8", "samples": "1"}, "scan": {"path": filepath.Dir(file)},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := run.OpenWorkload(name)
			if err != nil {
				t.Fatal(err)
			}
			w, err := d.New(flags)
			if err != nil {
				t.Fatal(err)
			}
			if out, err := rig.Run(t.Context(), b, impatient{w}, rig.Shape{Workers: 1}); !errors.Is(err, context.Canceled) {
				t.Errorf("verified %+v, error %v", out.Verification, err)
			}
		})
	}
}

// TestErrorsNameTheUsersPath: positions in handlers and manifests are paths that an editor can open.
func TestErrorsNameTheUsersPath(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mine")
	copyOut(t, "collatz", dir)
	handler := filepath.Join(dir, "collatz.glsl")
	if err := os.WriteFile(handler, []byte("\nvoid collatz(inout Task t) { t.wrong = 1u; }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	d, err := run.OpenWorkload(dir)
	if err != nil {
		t.Fatal(err)
	}
	w, err := d.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = rig.Run(t.Context(), backendtest.All["reference"](t), w, rig.Shape{Workers: 1})
	if err == nil || !strings.Contains(err.Error(), handler+":2:") {
		t.Errorf("%v", err)
	}
	if err := os.Remove(handler); err != nil {
		t.Fatal(err)
	}
	if _, err = run.OpenWorkload(dir); !errors.Is(err, workload.ErrFile) || !strings.HasPrefix(err.Error(), filepath.Join(dir, workload.ManifestName)+":") {
		t.Errorf("%v", err)
	}
}

// TestFolderNamedLikeTheKernelsFiles: handler files in a folder "vyretop" are not taken for the kernel's.
func TestFolderNamedLikeTheKernelsFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	copyOut(t, "collatz", "vyretop/mine")
	d, err := run.OpenWorkload("vyretop/mine")
	if err != nil {
		t.Fatal(err)
	}
	w, err := d.New(map[string]string{"count": "20"})
	if err != nil {
		t.Fatal(err)
	}
	if out, err := rig.Run(t.Context(), backendtest.All["reference"](t), w, rig.Shape{Workers: 1}); err != nil || !out.Verification.OK {
		t.Fatal(out.Verification, err)
	}
}

func TestNotFound(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("file", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "nothing", "./scan", "file", "../nothing"} {
		_, err := run.OpenWorkload(name)
		if !errors.Is(err, workload.ErrNotFound) || !strings.Contains(err.Error(), "use one of bfs, bfs-batch, collatz, grep, infer, render, scan, or a folder") {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := run.OpenWorkload("."); !errors.Is(err, workload.ErrFile) {
		t.Errorf("a folder without a manifest: %v", err)
	}
}

func TestUnknownDriver(t *testing.T) {
	dir := t.TempDir()
	copyOut(t, "scan", dir)
	name := filepath.Join(dir, workload.ManifestName)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text = []byte(strings.Replace(string(text), `driver = "scan"`, `driver = "other"`, 1))
	if err := os.WriteFile(name, text, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := run.OpenWorkload(dir); !errors.Is(err, workload.ErrManifest) || !errors.Is(err, workload.ErrValue) {
		t.Fatal(err)
	}
}

// TestDocumentedExampleIsTheShippedOne: docs/workloads.md shows the files as they are.
func TestDocumentedExampleIsTheShippedOne(t *testing.T) {
	doc, err := os.ReadFile("../../docs/workloads.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{"collatz/workload.toml", "collatz/collatz.glsl"} {
		text, err := fs.ReadFile(workload.Shipped, f)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(doc), string(text)) {
			t.Errorf("docs/workloads.md does not show %s as it is. Fix: copy the file into its block", f)
		}
	}
}

// TestShippedKernels: every shipped workload stays inside the kernel language, gives no warning, and is
// what glslangValidator accepts.
func TestShippedKernels(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "file"), []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	flags := map[string]map[string]string{"scan": {"path": root}, "grep": {"path": root}}
	for _, name := range run.Workloads() {
		d, err := run.OpenWorkload(name)
		if err != nil {
			t.Fatal(err)
		}
		w, err := d.New(flags[name])
		if err != nil {
			t.Fatal(err)
		}
		k, err := rig.Assemble(t.Context(), w)
		if err != nil {
			t.Fatal(err)
		}
		if k.Program.Tree == nil || len(k.Warnings) > 0 {
			t.Errorf("%s: outside %v, warnings %v", name, k.Program.Outside, k.Warnings)
		}
		validate(t, name, k.Program.Text)
	}
}

// validate asks the reference front end of the GLSL specification.
func validate(t *testing.T, name, text string) {
	tool, err := exec.LookPath("glslangValidator")
	if err != nil {
		t.Skip("glslangValidator is not installed: apt-get install glslang-tools")
	}
	file := filepath.Join(t.TempDir(), name+".comp")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(tool, file).CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", name, err, out)
	}
}
