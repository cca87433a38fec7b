//go:build !race

package scan

// sourcesBelow is the whole tree of the toolchain's sources.
const sourcesBelow = ""
