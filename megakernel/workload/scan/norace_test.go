//go:build !race

package scan

// sourcesBelow is a part of the toolchain's sources that is several times as large as the arena; -tree scans all.
const (
	sourcesBelow = "net"
	ringRecords  = 64
)
