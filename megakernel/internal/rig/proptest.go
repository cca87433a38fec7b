package rig

import (
	"flag"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// OneIn is rapid.Check with one in n of the usual number of cases, for properties whose cases are expensive: each starts a kernel,
// or waits for one to come to rest. -rapid.checks still scales it.
func OneIn(t *testing.T, n int, prop func(*rapid.T)) {
	checks := flag.Lookup("rapid.checks")
	usual := checks.Value.String()
	cases, err := strconv.Atoi(usual)
	if err != nil {
		t.Fatal(err)
	}
	defer checks.Value.Set(usual)
	if err := checks.Value.Set(strconv.Itoa(max(cases/n, 1))); err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, prop)
}
