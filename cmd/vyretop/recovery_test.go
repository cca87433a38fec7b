package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/fixtures"
	"vyretop/megakernel/run"
	"vyretop/megakernel/workload"
	"vyretop/tui/config"
)

// fragile is a workload whose device is lost once its tasks are under way.
type fragile struct {
	workload.Workload
	device engine.Lifecycle
}

func (w fragile) Run(ctx context.Context, h workload.Host) error {
	w.device.SimulateLoss()
	return w.Workload.Run(ctx, h)
}

// losing runs collatz on a device that is lost during that many attempts.
func losing(t *testing.T, losses int, f *runFlags) (stdout, stderr string, err error) {
	t.Helper()
	b := backendtest.Reference(t, reference.Options{Seed: 1, Resident: 3})
	d, err := run.OpenWorkload("collatz")
	if err != nil {
		t.Fatal(err)
	}
	attempts := 0
	again := func() (workload.Workload, error) {
		w, err := d.New(map[string]string{"count": "300"})
		if attempts++; err == nil && attempts <= losses {
			w = fragile{w, b}
		}
		return w, err
	}
	var out, errs bytes.Buffer
	a := &app{stdout: &out, stderr: &errs, env: []string{"XDG_RUNTIME_DIR=" + t.TempDir()}, config: &config.Config{}}
	err = f.runOn(t.Context(), a, "lost", again, b, nil)
	return out.String(), errs.String(), err
}

// TestALostDeviceIsRecoveredByTheRun: the result is that of a run without a loss, the user is told, and the recording
// of the run that has ended with the device stays.
func TestALostDeviceIsRecoveredByTheRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.mcap")
	stdout, stderr, err := losing(t, 2, &runFlags{viewFlags: viewFlags{headless: true, json: true}, told: toldFlags{record: file}})
	if err != nil {
		t.Fatal(err, stderr)
	}
	if !strings.Contains(stdout, `"verified": true`) || strings.Count(stdout, `"schema"`) != 1 {
		t.Errorf("printed %s", stdout)
	}
	for _, want := range []string{"recovered; the run starts again from its inputs (loss 2, at most 3)", "run-3.mcap"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("%q is not in %s", want, stderr)
		}
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
	rec, err := fixtures.Open(strings.TrimSuffix(file, ".mcap") + "-3.mcap")
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	told := false
	_, end := rec.Span()
	for _, e := range rec.Events(0, end, 1000) {
		told = told || e.Kind == "recovered"
	}
	if !told {
		t.Error("the recording does not tell of the loss")
	}
}

// TestADeviceThatIsLostAgainAndAgain: a kernel that brings its device down ends the run.
func TestADeviceThatIsLostAgainAndAgain(t *testing.T) {
	stdout, stderr, err := losing(t, 100, &runFlags{viewFlags: viewFlags{headless: true}})
	if !errors.Is(err, engine.ErrDeviceLost) || stdout != "" || strings.Count(stderr, "recovered") != run.MaxLosses {
		t.Errorf("%v, printed %q, told %q", err, stdout, stderr)
	}
}
