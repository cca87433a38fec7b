package workload_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cockroachdb/datadriven"
	"github.com/rogpeppe/go-internal/txtar"

	"vyretop/megakernel/workload"
)

// folder makes a file system of a txtar archive, below the folder "w".
func folder(archive string) fstest.MapFS {
	fsys := fstest.MapFS{"w": {Mode: 0o755 | 1<<31}}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		fsys["w/"+f.Name] = &fstest.MapFile{Data: f.Data}
	}
	return fsys
}

// TestManifests runs the scripts in testdata/manifest. The command "load" has a folder in txtar form
// as its input and prints what was understood, or every error.
func TestManifests(t *testing.T) {
	datadriven.Walk(t, "testdata/manifest", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			m, err := workload.Load(folder(d.Input), "w")
			if err != nil {
				return checkError(t, err)
			}
			flags := map[string]uint32{}
			for _, f := range m.Flags {
				flags[f.Name] = f.Default
			}
			for _, arg := range d.CmdArgs {
				var v uint32
				arg.Scan(t, 0, &v)
				flags[arg.Key] = v
			}
			s, err := m.Setup(flags)
			if err != nil {
				return checkError(t, err)
			}
			return describe(m, s)
		})
	})
}

// checkError makes sure that every error is typed, says where it is and how to fix it.
func checkError(t *testing.T, err error) string {
	if !errors.Is(err, workload.ErrManifest) {
		t.Errorf("not an ErrManifest: %v", err)
	}
	lines := strings.Split(err.Error(), "\n")
	for _, line := range lines {
		if !strings.HasPrefix(line, "w/"+workload.ManifestName) || !strings.Contains(line, ". Fix: ") {
			t.Errorf("error without place or fix: %s", line)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

func describe(m *workload.Manifest, s *workload.Setup) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %q, iterations %d\n", s.Name, m.Title, s.Iterations)
	for _, h := range s.Handlers {
		fmt.Fprintf(&b, "opcode %#x %s: %s in %s\n", h.Opcode, h.Name, h.Function, h.File)
	}
	for _, buf := range s.Buffers {
		fmt.Fprintf(&b, "buffer %s at %d: %d words %v, host visible %t\n", buf.Name, buf.Binding, buf.Words, buf.Initial[:min(len(buf.Initial), 8)], buf.HostVisible)
		if p := buf.Picture; p != nil {
			fmt.Fprintf(&b, "\tpicture of %d by %d %s, mean %t, linear %t\n", p.Width, p.Height, p.Format, p.Mean, p.Linear)
		}
	}
	fmt.Fprintf(&b, "%d sources, %d runs of tasks, %d checks\n", len(s.Sources), len(m.Tasks), len(m.Checks))
	return b.String()
}

func TestMissingManifest(t *testing.T) {
	_, err := workload.Load(fstest.MapFS{}, "w")
	if !errors.Is(err, workload.ErrFile) || !errors.Is(err, workload.ErrManifest) {
		t.Fatal(err)
	}
}

// FuzzLoad: whatever the bytes, Load answers with a manifest or an ErrManifest.
func FuzzLoad(f *testing.F) {
	f.Add("name = \"x\"\n[[opcode]]\nnumber = 0x100\nname = \"a\"\nhandler = \"a\"\nfile = \"a.glsl\"\n[[task]]\nopcode = \"a\"\ncount = \"3 * 4\"\n")
	f.Add("name = \"x\"\nbuffer = [{name = \"b\", binding = 8, words = 4}]\n")
	f.Add("[[buffer]]\nwords = \"index / 0\"\n[[flag]]\nname=\"n\"\ndefault=-1\n")
	f.Fuzz(func(t *testing.T, text string) {
		fsys := fstest.MapFS{"w/workload.toml": {Data: []byte(text)}, "w/a.glsl": {Data: []byte("void a(inout Task t) {}")}}
		m, err := workload.Load(fsys, "w")
		if err != nil {
			if !errors.Is(err, workload.ErrManifest) {
				t.Fatalf("not an ErrManifest: %v", err)
			}
			return
		}
		flags := map[string]uint32{}
		for _, fl := range m.Flags {
			flags[fl.Name] = fl.Default
		}
		if bufferWords(m, flags) > 1<<20 {
			return // large buffers are legal, and slow to fill
		}
		if _, err := m.Setup(flags); err != nil && !errors.Is(err, workload.ErrManifest) {
			t.Fatalf("not an ErrManifest: %v", err)
		}
	})
}

func bufferWords(m *workload.Manifest, flags map[string]uint32) (sum uint64) {
	for _, b := range m.Buffers {
		n, err := b.Words.Eval(workload.Env{Flags: flags})
		if err == nil {
			sum += uint64(n)
		}
	}
	return sum
}
