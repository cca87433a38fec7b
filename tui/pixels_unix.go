//go:build unix

package tui

import (
	"image"
	"io"

	"golang.org/x/sys/unix"
)

// screenPixels is the size of a terminal in pixels as the operating system knows it; 0 for unknown.
func screenPixels(terminal io.Writer) image.Point {
	f, ok := terminal.(terminalFile)
	if !ok {
		return image.Point{}
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return image.Point{}
	}
	return image.Pt(int(size.Xpixel), int(size.Ypixel))
}
