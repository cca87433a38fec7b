package tui

import (
	"bytes"
	"os"
	"strconv"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/sys/unix"

	"vyretop/tui/theme"
)

// suspend gives the terminal back to the shell, where there is one that can wake us up again.
func (m *model) suspend() tea.Cmd {
	if !hasJobControl() {
		m.say(theme.Warning, "nothing could wake the dashboard up again: no shell with job control has started it")
		return nil
	}
	return tea.Suspend
}

// hasJobControl reports whether somebody in our session, but not in our process group, has started the group: a
// shell that can continue it. The kernel throws away stop signals for any other group ("orphaned", POSIX.1-2017
// base definitions 3.264), and a program that then waits to be continued waits for ever.
func hasJobControl() bool {
	group := unix.Getpgrp()
	session, err := unix.Getsid(0)
	if err != nil {
		return true
	}
	for pid := os.Getpid(); pid > 1; {
		parent, err := parentOf(pid)
		if err != nil || parent == 0 {
			return false
		}
		theirs, err := unix.Getpgid(parent)
		if err != nil {
			return false
		}
		if theirs != group {
			of, err := unix.Getsid(parent)
			return err == nil && of == session
		}
		pid = parent
	}
	return false
}

// parentOf reads who has started a process: the second field behind its name, in parentheses, of its stat file
// (proc(5)).
func parentOf(pid int) (int, error) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, err
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 {
		return 0, os.ErrInvalid
	}
	return strconv.Atoi(string(fields[1]))
}
