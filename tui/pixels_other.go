//go:build !unix

package tui

import (
	"image"
	"io"
)

// screenPixels is the size of a terminal in pixels as the operating system knows it; 0 for unknown.
func screenPixels(io.Writer) image.Point { return image.Point{} }
