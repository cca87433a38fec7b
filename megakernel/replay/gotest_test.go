package replay_test

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
	"vyretop/megakernel/replay"
)

// goTest writes a recording as a Go test and runs that as if it were in a folder of this module.
func goTest(t *testing.T, rec *fixtures.Recording, file []byte) (output string, err error) {
	t.Helper()
	var text bytes.Buffer
	if err := replay.WriteGoTest(&text, "run.mcap", rec, file); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	source, program, replaced := filepath.Join(dir, "recorded_test.go"), filepath.Join(dir, "recorded.test"), filepath.Join(dir, "overlay.json")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(here, "written", "recorded_test.go"): source}})
	if err := errors.Join(err, os.WriteFile(source, text.Bytes(), 0o600), os.WriteFile(replaced, overlay, 0o600)); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-overlay", replaced, "-o", program, "./written").CombinedOutput(); err != nil {
		t.Fatalf("it does not compile: %v\n%s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), program).CombinedOutput()
	return string(out), err
}

// TestRecordingAsAGoTest: the test that is written passes, and one of a recording with another word fails and names it.
func TestRecordingAsAGoTest(t *testing.T) {
	const path = "../../fixtures/recordings/runs/results-llvmpipe.mcap"
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := goTest(t, open(t, path), file); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	name := filepath.Join(t.TempDir(), "planted.mcap")
	planted := changedTo(t, name, record(t), func(p *part) { p.steps[57] ^= 4 })
	if file, err = os.ReadFile(name); err != nil {
		t.Fatal(err)
	}
	if out, err := goTest(t, planted, file); err == nil || !strings.Contains(out, "first divergence: collatz_steps[57] is ") {
		t.Errorf("%v\n%s", err, out)
	}
}
