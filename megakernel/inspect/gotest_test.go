package inspect_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/inspect"
)

// written is the test that is written for the middle of a recording of scan.
func written(t *testing.T) string {
	t.Helper()
	rec, err := fixtures.Open("../../fixtures/testdata/scan.mcap")
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	s, _, err := rec.SnapshotNumber(rec.Snapshots() / 2)
	if err != nil {
		t.Fatal(err)
	}
	var raw, text bytes.Buffer
	if err := errors.Join(inspect.WriteRaw(&raw, s, rec.Log(0, s.Taken, 10)), inspect.WriteGoTest(&text, rec.Header(), s, raw.Bytes())); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// run runs a test file as if it were in a folder of this module.
func run(t *testing.T, text string) (output string, err error) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "moment_test.go")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(here, "written", "moment_test.go"): file}})
	if err != nil {
		t.Fatal(err)
	}
	replaced := filepath.Join(dir, "overlay.json")
	if err := errors.Join(os.WriteFile(file, []byte(text), 0o600), os.WriteFile(replaced, overlay, 0o600)); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "snapshot.test")
	if out, err := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-overlay", replaced, "-o", program, "./written").CombinedOutput(); err != nil {
		t.Fatalf("it does not compile: %v\n%s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), program).CombinedOutput()
	return string(out), err
}

// TestWhatIsWrittenPasses: the test that is written compiles, and passes; with another count in it, it fails.
func TestWhatIsWrittenPasses(t *testing.T) {
	text := written(t)
	if out, err := run(t, text); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	broken := strings.Replace(text, "const wantDone = ", "const wantDone = 1", 1)
	at := strings.Index(broken, "NumStates + 1]uint32{")
	broken = broken[:at] + strings.Replace(broken[at:], "\t\t", "\t\t1", 1)
	out, err := run(t, broken)
	if err == nil || !strings.Contains(out, "slots are in state 0, want 1") || !strings.Contains(out, "tasks are done, want 1") {
		t.Errorf("the broken one: %v\n%s", err, out)
	}
}

func TestAMomentWithoutARingIsNone(t *testing.T) {
	if err := inspect.WriteGoTest(&bytes.Buffer{}, fixtures.Header{}, &megakernel.Snapshot{}, nil); !errors.Is(err, inspect.ErrNoRing) {
		t.Errorf("%v", err)
	}
}
