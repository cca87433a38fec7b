package main

import (
	"os"
	"testing"
)

func TestHeaderIsFresh(t *testing.T) {
	got, err := os.ReadFile("../../glsl/abi.glsl")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != header() {
		t.Error("glsl/abi.glsl is stale. Fix: go generate ./megakernel/kernel")
	}
}
