//go:build !linux

package main

// ownerVariable is used on Linux only.
const ownerVariable = "VYRETOP_TEST_OWNER"

func own() {}

func endWithOwner() {}
