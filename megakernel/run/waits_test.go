package run_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vyretop/megakernel/run"
)

// TestWaitsAreRemembered: the newest of each kernel, those of stored kernels left out, and at most 128 of them.
func TestWaitsAreRemembered(t *testing.T) {
	dir := t.TempDir()
	w := run.WaitsOf([]string{"XDG_STATE_HOME=" + dir})
	if got := w.Last("scan on a GPU"); got != 0 {
		t.Errorf("at first %v", got)
	}
	w.Keep("scan on a GPU", 9*time.Second)
	w.Keep("scan on a GPU", 8*time.Second)
	w.Keep("scan on a GPU", 300*time.Millisecond) // was stored
	if got := w.Last("scan on a GPU"); got != 8*time.Second {
		t.Errorf("kept %v", got)
	}
	for i := range 128 {
		w.Keep(fmt.Sprint(i), time.Second)
	}
	if w.Last("scan on a GPU") != 0 || w.Last("0") != time.Second || w.Last("127") != time.Second {
		t.Error("not the newest are kept")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.json"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	for _, text := range []string{"", "nothing", `{"of":3}`, `[{"of":"scan","ms":-1},{"of":"scan","ms":1e300}]`} {
		if err := os.WriteFile(files[0], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := w.Last("scan"); got != 0 {
			t.Errorf("%q: %v", text, got)
		}
	}
	w.Keep("scan", time.Second)
	if w.Last("scan") != time.Second {
		t.Error("a damaged file is not replaced")
	}
	run.Waits{}.Keep("scan", time.Second) // nowhere
}
