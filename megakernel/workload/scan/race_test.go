//go:build race

package scan

// sourcesBelow is a small part of the toolchain's sources, because the race detector makes the
// reference backend many times slower. They have so few matches that only a small ring is full.
const (
	sourcesBelow = "sort"
	ringRecords  = 4
)
