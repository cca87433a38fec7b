package rig

import (
	"context"
	"testing"
	"time"

	"vyretop/megakernel/workload"
)

// patience bounds a run of a test; the race detector makes the reference backend many times slower.
const patience = 10 * time.Minute

// Deadline is the context of a test's run.
func Deadline(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// Manifest is that of a shipped workload.
func Manifest(t testing.TB, name string) *workload.Manifest {
	m, err := workload.Load(workload.Shipped, name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
