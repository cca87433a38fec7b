// Package shipped owns the workloads that come with vyretop: one folder each, in the form that a
// user's own workload has (package workload).
package shipped

import "embed"

// FS holds the folders.
//
//go:embed */*
var FS embed.FS
