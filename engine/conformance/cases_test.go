package conformance

import (
	"slices"
	"strings"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
)

// checkOn runs cases on a backend, some hundreds at least; nothing may differ.
func checkOn(t *testing.T, b engine.Backend, list []Case, least int) {
	t.Helper()
	runner, err := NewRunner(b)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := runner.Close(); err != nil {
			t.Error(err)
		}
	}()
	cert := runner.NewCertificate("test", 1)
	list = slices.Clone(list)
	for i := range list {
		if cfg := &list[i].Config; cfg.Timeout == 0 { // a driver that compiles in the dispatch takes long on a busy host
			cfg.Timeout = 5 * time.Minute
		}
	}
	if err := runner.Check(t.Context(), list, cert); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := cert.Write(&text); err != nil {
		t.Fatal(err)
	}
	t.Log(text.String())
	if !cert.Passed() {
		t.Error("backends differ")
	}
	if cert.Cases < least {
		t.Errorf("only %d cases ran", cert.Cases)
	}
}

func allCases(t *testing.T) []Case {
	t.Helper()
	list, err := Cases(1)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// The order of workgroups and the number of threads must not show in any case.
func TestReferenceConformsToItself(t *testing.T) {
	b := backendtest.Reference(t, reference.Options{Parallel: 2, Resident: 3, TimeSlice: 7})
	checkOn(t, b, allCases(t), 500)
}
