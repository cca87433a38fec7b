// Package trim gives back memory that a process needed for its start only: the pages of its own file. The system maps
// whole neighbourhoods of what is touched, and a start touches what every package sets up, so that soon after it nearly
// all of the file is there. What is needed again is mapped again, without reading the disk.
package trim

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// span is a part of the address space.
type span struct{ from, to uintptr }

// Program gives back the pages of the program's own file.
func Program() error {
	file, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return err
	}
	maps, err := os.Open("/proc/self/smaps")
	if err != nil {
		return err
	}
	defer maps.Close()
	spans, err := untouched(maps, file)
	if err != nil {
		return err
	}
	for _, s := range spans {
		if _, _, errno := unix.Syscall(unix.SYS_MADVISE, s.from, s.to-s.from, unix.MADV_DONTNEED); errno != 0 {
			return os.NewSyscallError("madvise", errno)
		}
	}
	return nil
}

// untouched finds, in the form of proc_pid_smaps(5), what is mapped of a file and the same as in it: not what can be
// written, and nothing that was, such as tables in which a linker has put addresses. Those would be lost.
func untouched(smaps io.Reader, file string) (out []span, err error) {
	var s span
	candidate := false
	for lines := bufio.NewScanner(smaps); ; {
		if !lines.Scan() {
			return out, lines.Err()
		}
		line := lines.Text()
		if from, to, perms, name, ok := heading(line); ok {
			s = span{from, to}
			candidate = name == file && !strings.Contains(perms, "w")
		} else if amount, ok := strings.CutPrefix(line, "Anonymous:"); ok {
			candidate = candidate && strings.Fields(amount)[0] == "0"
		} else if amount, ok := strings.CutPrefix(line, "Swap:"); ok && candidate && strings.Fields(amount)[0] == "0" {
			out = append(out, s)
		}
	}
}

// heading reads the first line of a mapping: addresses, permissions, offset, device, inode, file.
func heading(line string) (from, to uintptr, perms, file string, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 5 {
		return 0, 0, "", "", false
	}
	if _, err := fmt.Sscanf(fields[0], "%x-%x", &from, &to); err != nil {
		return 0, 0, "", "", false
	}
	return from, to, fields[1], strings.Join(fields[5:], " "), true
}
