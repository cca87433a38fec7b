package bench

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vyretop/engine/fault"
)

// fakeProgram is a program that answers each command with a text, and notes its arguments.
func fakeProgram(t *testing.T, script string) *Program {
	t.Helper()
	file := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return &Program{File: file, Args: []string{"--device", "1"}, Env: os.Environ()}
}

const document = `{"workers": 4, "workgroup_size": 32, "first_task_ms": %s, "elapsed_ms": 500, "verified": true, "rate": {"per_s": 4e6}, "result": {"traversed_edges_per_s": 9e6}}`

// The first starts have nothing stored and the last one everything, in caches that the user's are not.
func TestStartsAreMeasuredInCachesOfTheirOwn(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	r := &processes{program: fakeProgram(t, `echo "$1 $2 ${VYRETOP_PROGRAM_CACHE:?} ${MESA_SHADER_CACHE_DIR:?}" >>`+log+`
ms=200; [ -e "$VYRETOP_PROGRAM_CACHE" ] && ms=20
mkdir -p "$VYRETOP_PROGRAM_CACHE"
echo '`+strings.Replace(document, "%s", `'$ms'`, 1)+`'`)}
	var now, cold, stored tally
	if err := errors.Join(r.startNow(t.Context(), 0, &now), r.coldStart(t.Context(), 0, &cold), r.storedStart(t.Context(), 0, &stored)); err != nil {
		t.Fatal(err)
	}
	for _, m := range []struct {
		Metric
		want float64
	}{{sumStart(&now), 200}, {sumStart(&cold), 200}, {sumStart(&stored), 20}} {
		if m.Value.Or(0) != m.want || m.Also["render_ms"] != m.want {
			t.Errorf("%+v, want %v", m.Metric, m.want)
		}
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n != 4*len(started) { // once for cold and stored
		t.Errorf("%d commands were run:\n%s", n, text)
	}
	dir := strings.Fields(string(text))[2]
	if _, err := os.Stat(filepath.Dir(dir)); !os.IsNotExist(err) {
		t.Errorf("%s is left: %v", dir, err)
	}
}

func TestRatesOfWorkloads(t *testing.T) {
	r := &processes{scale: &scale{texts: 2, textSize: 1000}, program: fakeProgram(t, `echo '`+strings.Replace(document, "%s", "1", 1)+`'`)}
	defer func() {
		if err := r.close(); err != nil {
			t.Error(err)
		}
	}()
	for name, want := range map[string]float64{"scan": 4e6, "bfs": 9e6, "render": 4e6} {
		var got tally
		if err := rateOf(name)(r, t.Context(), time.Nanosecond, &got); err != nil {
			t.Fatal(err)
		}
		if m := sumRate(&got); m.Value.Or(0) != want || got.shape != (shape{4, 32}) {
			t.Errorf("%s: %+v with %v", name, m, got.shape)
		}
	}
	texts, err := filepath.Glob(filepath.Join(r.folder, "texts", "*.txt"))
	if err != nil || len(texts) != 2 {
		t.Errorf("texts are %v, %v", texts, err)
	}
}

// A run that fails, or whose result is not right, has no figures.
func TestRunsThatFailAreNotMeasured(t *testing.T) {
	for name, tc := range map[string]struct{ script, want string }{
		"fails":        {"echo no device >&2; exit 3", `ended with "no device"`},
		"not verified": {`echo '{"verified": false}'`, "not verified"},
		"no document":  {"echo tasks", "cannot be read"},
	} {
		_, err := fakeProgram(t, tc.script).run(t.Context(), nil, "collatz")
		if !errors.Is(err, ErrRun) || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A metric that cannot be measured here is left out, and an error where it was asked for.
func TestMetricsThatNeedAProgram(t *testing.T) {
	all, err := choose(&Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		if s.needs&ownProgram != 0 {
			t.Errorf("%s is measured without the program", s.name)
		}
	}
	_, err = choose(&Config{Only: []string{"cold_start"}})
	var f *fault.Error
	if !errors.As(err, &f) || f.Subject != "cold_start" {
		t.Errorf("error %v", err)
	}
}
