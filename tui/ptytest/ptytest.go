// Package ptytest owns pseudo terminals for tests: a program writes to one end as to any terminal, and a
// test reads and types at the other.
package ptytest

import (
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// Open makes a pseudo terminal of a size in cells, which is closed when the test ends. The test reads and
// types at master, the program runs at slave. Where there are no pseudo terminals the test is skipped.
func Open(tb testing.TB, width, height uint16) (master, slave *os.File) {
	tb.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		tb.Skip("no pseudo terminals here, so nothing is tested on one: " + err.Error())
	}
	tb.Cleanup(func() { _ = master.Close() })
	fd := int(master.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Col: width, Row: height})
	}
	if err != nil {
		tb.Fatal(err)
	}
	if slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = slave.Close() })
	return master, slave
}
