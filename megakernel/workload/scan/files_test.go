package scan

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vyretop/engine/backendtest"
	"vyretop/megakernel/internal/rig"
	"vyretop/megakernel/workload"
)

func TestWalkTakesRegularFilesInPathOrder(t *testing.T) {
	root := write(t, map[string]string{"b/x": "1", "b-c": "22", "a/z/y": "", "b.d": "4"})
	for name, target := range map[string]string{"link": "b-c", "dirlink": "b", "dangling": "nowhere"} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	tr, err := walk(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range tr.files {
		got = append(got, f.path)
	}
	// By bytes '-' < '.' < '/', which is not the order in which a folder is walked.
	if want := "a/z/y b-c b.d b/x"; strings.Join(got, " ") != want || tr.bytes != 4 {
		t.Errorf("got %v, %d bytes", got, tr.bytes)
	}
}

func TestWalkFollowsTheRootItself(t *testing.T) {
	root := write(t, map[string]string{"real/x": "1"})
	link := filepath.Join(root, "link")
	if err := os.Symlink("real", link); err != nil {
		t.Fatal(err)
	}
	tr, err := walk(t.Context(), link)
	if err != nil || len(tr.files) != 1 || tr.files[0].path != "x" {
		t.Fatal(tr, err)
	}
}

func TestBadInput(t *testing.T) {
	root := write(t, map[string]string{"file": "x", "empty/dir/.keep": "", "none": "\n\n", "good": "x\n"})
	if err := os.Remove(filepath.Join(root, "empty/dir/.keep")); err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(root, name) }
	for name, o := range map[string]Options{
		"no such folder":      {Path: at("missing")},
		"a file as folder":    {Path: at("file")},
		"no files":            {Path: at("empty")},
		"no pattern file":     {Path: root, Patterns: at("missing")},
		"a folder of pattern": {Path: root, Patterns: root},
		"no pattern":          {Path: root, Patterns: at("none")},
		"out is a folder":     {Path: root, Out: root},
		"out below a file":    {Path: root, Out: at("file/x")},
		"out below nothing":   {Path: root, Out: at("missing/x")},
	} {
		o.ArenaBytes, o.Records = 16<<10, 8
		_, err := New(rig.Manifest(t, "scan"), o).Setup(t.Context())
		if !errors.Is(err, workload.ErrInput) || !strings.Contains(err.Error(), ". Fix: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFlags(t *testing.T) {
	d := Definition{Manifest: rig.Manifest(t, "scan")}
	for name, value := range map[string]string{"arena": "0", "depth": "1"} {
		if _, err := d.New(map[string]string{name: value}); !errors.Is(err, workload.ErrFlag) {
			t.Errorf("--%s %s: %v", name, value, err)
		}
	}
	values := map[string]string{"path": "p", "patterns": "q", "out": "o", "arena": "2"}
	w, err := d.New(values)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := w.(*Scan).opt, (Options{Path: "p", Patterns: "q", Out: "o", ArenaBytes: 2 << 20, Records: defaultRecords}); got != want {
		t.Errorf("%+v", got)
	}
	for _, f := range d.Flags() {
		if _, ok := values[f.Name]; !ok {
			t.Errorf("flag --%s is listed but not tested", f.Name)
		}
	}
}

// TestDigestAndOut: both are the sorted lines, and nothing else.
func TestDigestAndOut(t *testing.T) {
	root := write(t, map[string]string{"b/x": "abab", "b-c": "ab", "none": "zzz"})
	lists := write(t, map[string]string{"p": "b\n\nab\nab\n"})
	o := small(root, filepath.Join(lists, "p"))
	o.Out = filepath.Join(lists, "out")
	out, err := rig.Run(rig.Deadline(t), backendtest.All["reference"](t), New(rig.Manifest(t, "scan"), o), rig.Shape{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	want := "b-c\t0\t3\nb-c\t0\t4\nb-c\t1\t1\nb/x\t0\t3\nb/x\t0\t4\nb/x\t1\t1\nb/x\t2\t3\nb/x\t2\t4\nb/x\t3\t1\n"
	got, err := os.ReadFile(o.Out)
	if err != nil || string(got) != want {
		t.Fatalf("%v\n%s", err, got)
	}
	sum := sha256.Sum256([]byte(want))
	r := out.Result.(Result)
	if r.Digest != hex.EncodeToString(sum[:]) || r.Matches != 9 || r.Files != 3 || r.Bytes != 9 || r.Patterns != 3 {
		t.Errorf("%+v", r)
	}
	left, err := filepath.Glob(filepath.Join(lists, ".*.part"))
	if err != nil || len(left) != 0 {
		t.Errorf("temporary files are left: %v, %v", left, err)
	}
}

// TestVanishedFileIsAWarning: a file that cannot be opened when its turn comes is counted, and the
// rest is scanned.
func TestVanishedFileIsAWarning(t *testing.T) {
	root := write(t, map[string]string{"gone": "password", "here": "password"})
	s := New(rig.Manifest(t, "scan"), small(root, write(t, map[string]string{"p": "password\n"})+"/p"))
	out, err := rig.Run(rig.Deadline(t), backendtest.All["reference"](t), &afterSetup{Scan: s, do: func() { os.Remove(filepath.Join(root, "gone")) }}, rig.Shape{Workers: 1})
	if err != nil || !out.Verification.OK {
		t.Fatal(out.Verification, err)
	}
	if r := out.Result.(Result); r.Files != 1 || r.Unreadable != 1 || len(r.Warnings) != 1 || r.Matches != 1 {
		t.Errorf("%+v", r)
	}
}

// TestGrownFileIsScannedWhole: a file that has become longer than when the tree was walked is streamed.
func TestGrownFileIsScannedWhole(t *testing.T) {
	root := write(t, map[string]string{"grows": "passw", "empty": ""})
	s := New(rig.Manifest(t, "scan"), small(root, write(t, map[string]string{"p": "password\n"})+"/p"))
	grow := func() {
		text := strings.Repeat("-", 1000) + "password" + strings.Repeat(".", 3000) + "password"
		for _, name := range []string{"grows", "empty"} {
			if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
				t.Error(err)
			}
		}
	}
	out, err := rig.Run(rig.Deadline(t), backendtest.All["reference"](t), &afterSetup{Scan: s, do: grow}, rig.Shape{Workers: 1})
	if err != nil || !out.Verification.OK {
		t.Fatal(out.Verification, err)
	}
	if r := out.Result.(Result); r.Matches != 4 || r.Bytes != 2*4016 {
		t.Errorf("%+v", r)
	}
}

// afterSetup changes the tree between Setup and Run.
type afterSetup struct {
	*Scan
	do func()
}

func (a *afterSetup) Run(ctx context.Context, h workload.Host) error {
	a.do()
	return a.Scan.Run(ctx, h)
}
